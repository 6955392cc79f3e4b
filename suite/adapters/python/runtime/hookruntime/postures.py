"""The readings that this runtime takes where the contract is open. Nobody is asked to share them."""

POSTURES = {
    "A-01": "JSON counts",           # beside exit 1, on events of which no decision model is said
    "A-03": "as elsewhere",         # universal fields on PermissionDenied
    "A-04": "it stops",              # continue:false where hooks only give context
    "A-06": "both are told",         # a reason and the stderr of exit 2 on PostToolUseFailure
    "A-07": "nothing",               # a top-level decision on TeammateIdle and TaskCompleted
    "A-10": "javascript trim",       # white space around stdout: what JavaScript's trim() removes, a BOM among it
    "A-11": "lines end at LF",       # a lone CR does not separate lines
    "A-12": "replace",               # bytes that are not UTF-8 become U+FFFD
    "A-13": "last wins",             # a key written twice
    "A-14": "valid and known key",   # a line "sets a field": it fits the schema and has a key that the schema knows
    "A-17": "nothing",               # stdout of white space only is no output
    "A-18": "raw",                   # plain stdout is passed on untrimmed
    "A-20": "dropped",               # plain stdout beside exit 2 gives no context
    "A-22": "U+FFFD",                # a lone surrogate escape in a delivered text
    "A-30": "ignored, logged",       # keys that the schema does not know
    "A-31": "whole object fails",    # one field of the wrong type
    "A-32": "fails",                 # null where a field is expected
    "A-33": "approve or block",      # every other value of `decision` fails the schema
    "A-34": "fails",                 # hookEventName missing, or another event's
    "A-36": "SubagentStop",          # what a subagent's own Stop hook must print as hookEventName
    "A-37": "still blocks",          # a Stop or SubagentStop block without a reason
    "A-38": "fails",                 # a decision that is not listed, such as `defer` on PreModelSwitch
    "A-39": "not looked at",         # fields of the other behavior in a PermissionRequest decision; without one, it fails
    "A-50": "reason alone",          # exit 2 with a blocking JSON: stderr is not added
    "A-52": "stderr",                # the same, but the reason is empty
    "A-53": "both",                  # exit 2 and continue:false: blocked, and the agent stops
    "A-54": "the call keeps its fate",  # continue:false beside an allow
    "A-55": "the event's section",   # continue:false where the event's own section says that it is ignored
    "A-56": "it counts",             # a PermissionRequest decision beside exit 2
    "A-57": "not delivered",         # context of a blocked prompt, or of a blocked command
    "A-58": "the original",          # a MessageDisplay hook that exits with another code than 0 beside valid JSON
    "A-59": "JSON decides",          # exit 1 with a decision on Elicitation, ElicitationResult, PreCompact or ConfigChange
    "A-60": "as exit 1",             # death by signal
    "A-70": "all reasons",           # several hooks block
    "A-72": "last to finish",        # several updatedInput
    "A-73": "applies",               # updatedInput of a hook whose decision lost (unless the call does not run)
    "A-74": "applies",               # updatedInput without a decision
    "A-75": "hookSpecificOutput",    # legacy and new PreToolUse fields together
    "A-76": "deny",                  # several PermissionRequest decisions
    "A-77": "last to finish",        # accept against cancel; on ElicitationResult as well
    "A-78": "last to finish",        # several outputs, titles, first messages or displays; watchPaths add up, and updatedToolOutput
                                     # beats updatedMCPToolOutput
    "A-80": "type, command, args, shell; url",  # what makes two settings handlers the same, in one file too
    "A-90": "ascii",                 # letters and digits of an exact matcher
    "A-91": "never fires, logged",   # a regular expression that JavaScript would refuse
    "A-92": "trimmed, empty dropped",  # alternatives of an exact list
    "A-97": "gitignore's, for files; else it runs",  # what `if` does that the table of examples does not show
    "A-98": "on both events",        # a model without a canonical name is selected by every matcher
    "A-100": "utf-16",               # what a character is, where a limit counts them
    "A-102": "named strings only",   # reasons are never spilled
    "A-105": "path and preview",     # an initialUserMessage over the limit
    "A-106": "after the limit",      # the marker of a shortened description stands after 1,000 characters
    "A-108": "none for subagents",   # the limit of continuations
    "A-109": "positive numbers",     # any other `timeout` is the default
    "A-110": "nobody has more than the budget",  # a time of one's own on SessionEnd; the variable counts as it stands
    "A-120": "seven-bit, payload without control characters",
    "A-130": "body decides",         # content type is not looked at; 3xx is an error
    "A-132": "fails the removal",    # an HTTP hook that fails, or is late, on WorktreeRemove
    "A-140": "none",                 # the timeout of a hook with `async` alone
    "A-141": "as others",            # that of a hook with `asyncRewake`, which alone sends it to the background
    "A-142": "not delivered",        # plain stdout of a hook in the background
    "A-143": "not delivered",        # what comes from the background after the session's end
    "A-152": "one per hook",         # the file of CLAUDE_ENV_FILE; lines without `export` count for nothing
    "A-157": "it is success",        # exit 1 beside valid JSON, for `once`
    "A-156": "skipped",              # a handler of a type that the event does not have
    "A-160": "any failure fails",    # several WorktreeCreate hooks; else the first path in configuration order
    "A-163": "no values",            # an accept without `content` on ElicitationResult
    "A-164": "set",                  # sessionTitle of a blocked prompt
    "A-169": "debug log",            # stderr on Notification and InstructionsLoaded
    "A-168": "the list stays",       # a hook on CwdChanged or FileChanged without `watchPaths`
    "A-170": "shown",                # the reason of a block on PreCompact, to whoever typed the command
    "A-171": "denied",               # ask where nobody can answer
    "A-172": "nothing is shown",     # an empty displayContent
    "A-180": "ends the turn",        # additionalContext of white space alone on Stop
    "A-183": "does not happen",      # continue:false on a prompt, or on a typed command, that nobody blocked
    "A-187": "a notice",             # errors on events of which no decision model is said
}
