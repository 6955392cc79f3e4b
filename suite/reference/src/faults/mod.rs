//! The faults: mistakes that people make when they write a hook runtime. Each replaces one of the four steps by a function
//! that calls the ordinary one and spoils what goes in or what comes out; the runtime itself knows nothing of them.

mod apply;
mod merge;
mod read;
mod select;

use crate::{Scene, Seam};
use Needs::{Limit, OneHandler, TwoHandlers, TwoSteps};
use hookproof_contract::{Case, Host, RuleId, rule};

/// A deliberately wrong version of the reference.
pub struct Fault {
    /// The mistake, as a sentence with hyphens.
    pub name: &'static str,
    /// The mistake, and how one comes to make it.
    pub about: &'static str,
    /// The rules that it breaks, declared beforehand.
    pub rules: &'static [RuleId],
    /// The rules that are broken besides, declared beforehand: what the mistake brings with it, and what no case shows without
    /// showing the mistake itself.
    pub follows: &'static [RuleId],
    /// What a case must have to show it.
    pub needs: Needs,
    pub(crate) seam: Seam,
}

/// What a case must have to show a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Needs {
    /// One handler in one step.
    OneHandler,
    /// Two handlers that match together.
    TwoHandlers,
    /// A second step.
    TwoSteps,
    /// A text, or a count, at a limit.
    Limit,
}

const fn fault(name: &'static str, about: &'static str, rules: &'static [RuleId], needs: Needs, seam: Seam) -> Fault {
    Fault { name, about, rules, follows: &[], needs, seam }
}

impl Fault {
    /// The same fault with what it brings with it.
    const fn and(self, follows: &'static [RuleId]) -> Fault {
        Fault { follows, ..self }
    }
}

/// All faults, in the order of the steps that they spoil.
#[rustfmt::skip]
pub const FAULTS: &[Fault] = &[
    // select
    fault("a-matcher-is-a-prefix", "`Bash` also selects `BashOutput`: names are compared by their beginning",
        &[rule!("MATCH-PAT-04"), rule!("MATCH-MCP-02"), rule!("MATCH-PAT-03"), rule!("MATCH-PAT-06")], OneHandler, Seam::Select(select::prefix)),
    fault("a-matcher-ignores-case", "`bash` selects `Bash`",
        &[rule!("MATCH-PAT-09"), rule!("MATCH-PAT-06")], OneHandler, Seam::Select(select::case_blind)),
    fault("a-pattern-must-match-the-whole-name", "`Edit.*` does not select `NotebookEdit`: patterns are anchored",
        &[rule!("MATCH-PAT-05"), rule!("SUBSTART-04"), rule!("MATCH-PAT-04")], OneHandler, Seam::Select(select::anchored))
        .and(&[rule!("EXIT-2-EV-PreToolUse"), rule!("PRETOOL-OUT-08")]),
    fault("a-comma-separates-nothing", "`Edit, Write` is taken for one name",
        &[rule!("MATCH-PAT-03"), rule!("MATCH-PAT-05")], OneHandler, Seam::Select(select::bars_only)),
    fault("a-matcher-counts-on-every-event", "a matcher on an event without matchers keeps the group from running",
        &[rule!("MATCH-PAT-07")], OneHandler, Seam::Select(select::always_heeded))
        .and(&[rule!("WTCREATE-OUT-02")]),
    fault("a-handler-in-two-files-runs-twice", "nobody looks for copies of the same handler",
        &[rule!("CONFIG-HANDLER-03")], TwoHandlers, Seam::Select(select::copies_run)),
    fault("a-plugins-copy-does-not-run", "copies are dropped whatever they come from",
        &[rule!("CONFIG-HANDLER-04")], TwoHandlers, Seam::Select(select::plugin_copies_dropped)),
    fault("one-settings-file-hides-the-others", "the hooks of the last file replace those of the files before it",
        &[rule!("CONFIG-LOC-10")], TwoHandlers, Seam::Select(select::last_file_only))
        .and(&[rule!("STDOUT-01"), rule!("JSON-SUPPRESS-02"), rule!("EXIT-2-EV-PreToolUse"), rule!("PRETOOL-OUT-04"),
            rule!("PRETOOL-OUT-08"), rule!("PRETOOL-REASON-03"), rule!("PREC-PRETOOL-01")]),
    fault("any-file-turns-managed-hooks-off", "`disableAllHooks` counts wherever it stands, for all hooks",
        &[rule!("CONFIG-DISABLE-04"), rule!("CONFIG-DISABLE-02")], OneHandler, Seam::Select(select::anyone_disables)),
    fault("prompt-hooks-have-ten-minutes", "the general default timeout is used on prompts too",
        &[rule!("TIMEOUT-DEF-04")], OneHandler, Seam::Select(select::one_default_timeout)),
    fault("a-handlers-own-timeout-does-not-count", "the default timeout is used although the handler states one",
        &[rule!("TIMEOUT-DEF-09"), rule!("SESSEND-BUDGET-OWN")], OneHandler, Seam::Select(select::default_timeout_always)),
    fault("a-stop-hook-never-learns-that-it-acted", "`stop_hook_active` is always false",
        &[rule!("STOP-IN-01"), rule!("STOP-IN-ACTIVE-CTX")], TwoSteps, Seam::Select(select::never_active)),
    fault("an-empty-agent-type-satisfies-every-matcher", "an agent without a type is not filtered, as if there were no matcher",
        &[rule!("SUBSTOP-IN-05")], OneHandler, Seam::Select(select::nameless_selected))
        .and(&[rule!("CONFIG-NEST-03")]),
    fault("an-error-is-selected-by-a-list-with-commas", "StopFailure takes the lists that other events take, with commas and blanks",
        &[rule!("MATCH-PAT-06")], OneHandler, Seam::Select(select::errors_listed)),
    fault("setup-hooks-ask-servers", "handlers of every type run on Setup, as on most events",
        &[rule!("SETUP-OUT-05")], OneHandler, Seam::Select(select::witnesses::setup_calls_servers)),
    fault("only-one-hook-hears-of-a-notification", "a notification is handed to the first hook that is there, as to a desktop",
        &[rule!("CONFIG-NEST-02"), rule!("MATCH-TGT-NOTIF")], TwoHandlers, Seam::Select(select::witnesses::one_listener)),
    fault("what-is-shown-waits-ten-minutes", "the general default timeout is used on MessageDisplay too",
        &[rule!("TIMEOUT-DEF-07")], OneHandler, Seam::Select(select::shown_after_ten_minutes)),
    fault("hooks-at-the-end-have-ten-minutes", "the general default timeout is used on SessionEnd too",
        &[rule!("SESSEND-BUDGET-01"), rule!("SESSEND-BUDGET-03")], OneHandler, Seam::Select(select::witnesses::ends_after_ten_minutes)),
    fault("one-long-hook-at-the-end-gives-time-to-all", "the budget that one hook's timeout has raised is taken for everybody's limit",
        &[rule!("SESSEND-BUDGET-03")], TwoHandlers, Seam::Select(select::witnesses::time_for_all)),
    fault("hooks-at-the-end-divide-the-time", "the time of all hooks together is divided by their number",
        &[rule!("SESSEND-BUDGET-01"), rule!("SESSEND-BUDGET-03")], TwoHandlers, Seam::Select(select::witnesses::time_divided)),
    fault("a-plugin-takes-its-time-at-the-end", "the timeout that a plugin states raises the budget, as one in a settings file does",
        &[rule!("SESSEND-BUDGET-04")], OneHandler, Seam::Select(select::witnesses::plugin_takes_its_time)),
    fault("milliseconds-at-the-end-are-seconds", "the variable is read in the unit of `timeout`",
        &[rule!("SESSEND-BUDGET-06")], OneHandler, Seam::Select(select::witnesses::milliseconds_are_seconds)),
    fault("an-evaluator-is-asked-everywhere", "handlers of every type run on every event",
        &[rule!("PROMPT-SUP-03"), rule!("PROMPT-SUP-04"), rule!("PROMPT-SUP-02")], OneHandler, Seam::Select(select::handlers::evaluators_everywhere)),
    fault("tools-are-called-at-launch", "a session is taken to begin with its servers connected",
        &[rule!("MCPHOOK-13")], OneHandler, Seam::Select(select::handlers::tools_at_launch)),
    fault("an-evaluator-is-asked-once-a-turn", "an agent that a hook has kept at work is not judged again, for fear of a loop",
        &[rule!("PROMPT-RESP-02"), rule!("PROMPT-SUP-01")], TwoSteps, Seam::Select(select::handlers::asked_once_a_turn)),
    fault("an-evaluator-has-ten-minutes", "the default timeout of commands is used for all types",
        &[rule!("TIMEOUT-DEF-03")], OneHandler, Seam::Select(select::handlers::evaluated_after_ten_minutes)),
    fault("any-variable-goes-into-a-header", "`allowedEnvVars` is not read, and secrets of the environment are sent",
        &[rule!("HTTP-REQ-04")], OneHandler, Seam::Select(select::handlers::any_variable)),
    fault("a-handler-lists-its-variables-by-itself", "`httpHookAllowedEnvVars` is not read, so that a policy holds nothing back",
        &[rule!("CONFIG-HTTPALLOW-02")], OneHandler, Seam::Select(select::handlers::own_list_is_enough)),
    fault("all-requests-share-a-list-of-variables", "a variable that one handler lists is sent by the others too",
        &[rule!("HTTP-REQ-04")], TwoHandlers, Seam::Select(select::handlers::one_list_for_all)),
    fault("all-requests-have-the-first-ones-headers", "one client is made, with the headers of the first handler",
        &[rule!("HTTP-REQ-03")], TwoHandlers, Seam::Select(select::handlers::same_headers)),
    fault("a-tools-arguments-keep-their-references", "`input` is sent as it is written",
        &[rule!("MCPHOOK-03")], OneHandler, Seam::Select(select::handlers::references_stay)),
    fault("all-tools-have-the-first-ones-arguments", "the arguments are made once for an event",
        &[rule!("MCPHOOK-03")], TwoHandlers, Seam::Select(select::handlers::same_arguments)),
    fault("a-tool-keeps-its-first-arguments", "the arguments are made once for a session",
        &[rule!("MCPHOOK-03")], TwoSteps, Seam::Select(select::handlers::first_arguments)),
    // read
    fault("exit-1-blocks", "every failing code is taken for a block",
        &[rule!("EXIT-N-08"), rule!("EXIT-N-16"), rule!("EXIT-N-09"), rule!("SCHEMA-03"), rule!("STDOUT-PARSE-08"),
            rule!("ELICIT-OUT-01"), rule!("STDOUT-PARSE-09")],
        OneHandler, Seam::Read(read::one_blocks))
        .and(&[rule!("PRETOOL-OUT-01")]),
    fault("exit-2-loses-to-an-allow", "JSON decides whenever there is some, even beside exit 2",
        &[rule!("EXIT-2-02")], OneHandler, Seam::Read(read::allow_beats_two))
        .and(&[rule!("EXIT-2-06")]),
    fault("json-counts-only-beside-exit-0", "stdout is not even read where the code is another",
        &[rule!("EXIT-N-03"), rule!("EXIT-N-04"), rule!("EXIT-N-12")], OneHandler, Seam::Read(read::zero_only))
        .and(&[rule!("PROMPTSUB-LEFT-01")]),
    fault("text-before-json-is-skipped", "the first brace is looked for, wherever it stands",
        &[rule!("STDOUT-PARSE-06"), rule!("JSON-03"), rule!("STDOUT-03")], OneHandler, Seam::Read(read::brace_searched))
        .and(&[rule!("PROMPTSUB-OUT-04"), rule!("STDOUT-01")]),
    fault("text-after-json-is-cut-off", "an object at the beginning is enough",
        &[rule!("STDOUT-PARSE-05")], OneHandler, Seam::Read(read::tail_cut))
        .and(&[rule!("STDOUT-03")]),
    fault("the-last-of-several-objects-counts", "stdout is read line by line, as a log would be",
        &[rule!("STDOUT-PARSE-04"), rule!("STDOUT-PARSE-09")], OneHandler, Seam::Read(read::last_line_counts)),
    fault("broken-json-is-plain-text", "what does not parse is handed on as text",
        &[rule!("STDOUT-PARSE-09"), rule!("STDOUT-PARSE-10")], OneHandler, Seam::Read(read::garbled_is_plain)),
    fault("an-object-that-fails-undoes-exit-2", "a validation error ends everything, the block included",
        &[rule!("EXIT-2-07"), rule!("EXIT-2-EV-PostToolUseFailure"), rule!("EXIT-2-EV-SubagentStart"), rule!("EXIT-2-EV-SessionStart"), rule!("EXIT-2-EV-PostCompact"), rule!("EXIT-2-EV-SessionEnd"), rule!("EXIT-2-EV-WorktreeRemove"), rule!("EXIT-2-NOTICE-01")], OneHandler, Seam::Read(read::rejection_undoes_two))
        .and(&[rule!("PROMPTSUB-LEFT-01"), rule!("TASKCREATE-OUT-01")]),
    fault("what-a-timeout-cut-short-still-counts", "the output that was there at the timeout is used",
        &[rule!("TIMEOUT-02"), rule!("TIMEOUT-03"), rule!("TIMEOUT-05"), rule!("PROMPTSUB-07"), rule!("PROMPTSUB-08"),
            rule!("PROMPTSUB-09"), rule!("HTTP-11"), rule!("MSGDISP-03")],
        OneHandler, Seam::Read(read::late_output_counts)),
    fault("an-http-error-still-decides", "the body is read whatever the status says",
        &[rule!("HTTP-09"), rule!("HTTP-02")], OneHandler, Seam::Read(read::any_status)),
    fault("an-http-body-of-text-is-context", "a body is treated as stdout would be",
        &[rule!("HTTP-07")], OneHandler, Seam::Read(read::body_is_stdout)),
    fault("a-worktrees-path-is-the-first-line", "whatever a shell prints before the path is taken for it",
        &[rule!("WTCREATE-OUT-04"), rule!("WTCREATE-OUT-03")], OneHandler, Seam::Read(read::first_line))
        .and(&[rule!("WTCREATE-OUT-01")]),
    fault("a-tools-error-is-its-answer", "`isError` is not read, and the text of the error counts",
        &[rule!("MCPHOOK-05")], OneHandler, Seam::Read(read::tool_error_counts)),
    fault("a-tool-speaks-only-json", "the text of a tool is an object or nothing, as an HTTP body is",
        &[rule!("MCPHOOK-04")], OneHandler, Seam::Read(read::tool_speaks_json)),
    fault("an-agent-gives-up", "`impossible` is read whoever says it",
        &[rule!("AGENT-03")], OneHandler, Seam::Read(read::agent_gives_up)),
    // merge
    fault("the-first-decision-wins", "the hook that ends first decides, as if the others had not answered",
        &[rule!("PREC-PRETOOL-01")], TwoHandlers, Seam::Merge(merge::first_decides))
        .and(&[rule!("PRETOOL-ASK-01"), rule!("PRETOOL-REASON-01"), rule!("PRETOOL-REASON-03")]),
    fault("the-last-decision-wins", "each answer overwrites the one before it",
        &[rule!("PREC-PRETOOL-01")], TwoHandlers, Seam::Merge(merge::last_decides))
        .and(&[rule!("PRETOOL-ASK-01"), rule!("PRETOOL-LEGACY-01"), rule!("PRETOOL-OUT-08"), rule!("PRETOOL-REASON-01"),
            rule!("PRETOOL-REASON-03")]),
    fault("stderr-of-success-reaches-the-model", "stderr is handed on whatever the code is",
        &[rule!("EXIT-0-02")], OneHandler, Seam::Merge(merge::stderr_told)),
    fault("plain-stdout-is-context-on-every-event", "text on stdout is context, not only where the contract says so",
        &[rule!("STDOUT-03")], OneHandler, Seam::Merge(merge::stdout_told)),
    fault("the-reason-of-an-allow-reaches-the-model", "every reason is handed on, not only that of a deny",
        &[rule!("PRETOOL-REASON-04")], OneHandler, Seam::Merge(merge::allow_explained)),
    fault("only-one-hook-gives-context", "the context of one hook overwrites that of the others",
        &[rule!("CTX-09"), rule!("PROMPTSUB-OUT-02"), rule!("PROMPTSUB-CTX"), rule!("SPILL-02"), rule!("SPILL-05"), rule!("STDOUT-02")],
        TwoHandlers, Seam::Merge(merge::one_context)),
    fault("a-new-input-is-merged-into-the-old", "fields that the hook left out stay",
        &[rule!("PRETOOL-INPUT-01"), rule!("PRETOOL-INPUT-08")], OneHandler, Seam::Merge(merge::input_merged)),
    fault("an-accept-beats-a-decline", "the answer that helps the server most is chosen",
        &[rule!("PREC-ELICIT-01"), rule!("ELICIT-DECL-02")], TwoHandlers, Seam::Merge(merge::accept_wins)),
    fault("a-block-leaves-the-dialog-alone", "top-level `decision` is not read on Elicitation",
        &[rule!("ELICIT-DECL-02"), rule!("ELICIT-DECL-05")], OneHandler, Seam::Merge(merge::dialog_unblocked)),
    fault("only-exit-2-stops-a-compaction", "top-level `decision` is not read on PreCompact",
        &[rule!("PRECOMPACT-02"), rule!("HTTP-04")], OneHandler, Seam::Merge(merge::compaction_unblocked)),
    fault("who-asked-for-a-compaction-is-not-told", "the stderr of a block is dropped, as for one that nobody asked for",
        &[rule!("PRECOMPACT-03")], OneHandler, Seam::Merge(merge::compaction_untold)),
    fault("sequences-are-written-without-a-terminal", "`terminalSequence` is written in `-p` too",
        &[rule!("TERM-16"), rule!("TERM-15")], OneHandler, Seam::Merge(merge::written_anywhere)),
    fault("a-good-beginning-of-a-sequence-is-written", "sequences are written one by one until a bad one comes",
        &[rule!("TERM-03")], OneHandler, Seam::Merge(merge::good_beginning)),
    fault("stderr-follows-the-reason-of-exit-2", "both texts are told where only the reason should be",
        &[rule!("EXIT-2-05")], OneHandler, Seam::Merge(merge::both_messages)),
    fault("a-blocked-prompt-is-always-quoted", "`suppressOriginalPrompt` is not read",
        &[rule!("PROMPTSUB-OUT-10"), rule!("PROMPTSUB-LEFT-03")], OneHandler, Seam::Merge(merge::always_quoted)),
    fault("notes-are-not-cut", "a note may have any length",
        &[rule!("CLASSIF-05")], Limit, Seam::Merge(merge::notes_uncut)),
    fault("a-note-outlives-its-rewrite", "notes are delivered although another hook's rewrite won",
        &[rule!("CLASSIF-08")], TwoHandlers, Seam::Merge(merge::notes_kept)),
    fault("a-tools-output-can-become-anything", "a replacement is not compared with what the tool returns",
        &[rule!("POSTTOOL-OUT-06")], OneHandler, Seam::Merge(merge::anything_fits)),
    fault("a-call-among-several-is-deferred", "`defer` is honoured although the model made several calls at once",
        &[rule!("DEFER-11")], OneHandler, Seam::Merge(merge::defers_among_several)),
    fault("the-last-hook-decides-about-a-task", "each answer overwrites the one before it, so that silence lifts a block",
        &[rule!("EXIT-2-EV-TaskCreated"), rule!("EXIT-2-EV-TaskCompleted")],
        TwoHandlers, Seam::Merge(merge::last_decides_about_tasks))
        .and(&[rule!("TASKCREATE-OUT-01"), rule!("TASKCREATE-OUT-02"), rule!("TASKDONE-OUT-01")]),
    fault("whoever-creates-a-task-can-be-stopped", "`continue: false` counts on every event, TaskCreated included",
        &[rule!("TASKCREATE-OUT-04")], OneHandler, Seam::Merge(merge::creator_stopped)),
    fault("a-teammates-feedback-goes-to-the-user", "the stderr of exit 2 is shown to the person, and the teammate never reads it",
        &[rule!("TEAMIDLE-OUT-01"), rule!("EXIT-2-07"), rule!("STDOUT-PARSE-11")], OneHandler, Seam::Merge(merge::user_hears_for_teammate)),
    fault("whoever-completes-a-task-can-be-stopped", "nobody asks whether a tool or the end of a turn completes the task",
        &[rule!("TASKDONE-OUT-03"), rule!("PROMPT-RESP-07")], OneHandler, Seam::Merge(merge::completer_stopped)),
    fault("exit-2-is-ignored-once-a-tool-has-failed", "nothing can be blocked any more, so the code and stderr are dropped",
        &[rule!("EXIT-2-EV-PostToolUseFailure")], OneHandler, Seam::Merge(merge::failure_unheard)),
    fault("only-one-hook-speaks-of-a-failed-call", "the feedback of the hook that ends last overwrites that of the others",
        &[rule!("EXIT-2-EV-PostToolUseFailure")], TwoHandlers, Seam::Merge(merge::one_voice_on_failure)),
    fault("who-typed-a-command-is-not-told-why", "the message of a block goes to the model, as that of a tool call does",
        &[rule!("PROMPTEXP-OUT-03"), rule!("PROMPTEXP-OUT-05"), rule!("EXIT-2-05"), rule!("EXIT-2-07"), rule!("STDOUT-PARSE-11"), rule!("EXIT-N-03")], OneHandler, Seam::Merge(merge::expansion_untold)),
    fault("a-silent-hook-lets-a-command-through", "the hook that ends last decides, even if it says nothing",
        &[rule!("EXIT-2-EV-UserPromptExpansion"), rule!("PROMPTEXP-OUT-02")], TwoHandlers, Seam::Merge(merge::last_on_command))
        .and(&[rule!("PROMPTEXP-OUT-03"), rule!("PROMPTEXP-OUT-05")]),
    fault("a-silent-hook-lets-a-subagent-go", "the hook that ends last decides whether a subagent stops, even if it says nothing",
        &[rule!("EXIT-2-EV-SubagentStop"), rule!("SUBSTOP-OUT-02")], TwoHandlers, Seam::Merge(merge::last_on_subagent))
        .and(&[rule!("SUBSTOP-OUT-03"), rule!("STOP-OUT-BLOCKSHOWN")]),
    fault("managed-settings-can-be-held-back", "a block counts whatever the source of the change is",
        &[rule!("CONFCHG-OUT-03")], OneHandler, Seam::Merge(merge::policy_blocked)),
    fault("a-silent-hook-lets-a-change-through", "the hook that ends last decides about a change, even if it says nothing",
        &[rule!("CONFCHG-OUT-01"), rule!("EXIT-2-EV-ConfigChange")], TwoHandlers, Seam::Merge(merge::last_on_change)),
    fault("a-block-on-a-batch-is-only-feedback", "the message is told and the model is asked again, as after a single call",
        &[rule!("POSTBATCH-OUT-02"), rule!("EXIT-2-EV-PostToolBatch"), rule!("EXIT-2-07"), rule!("STDOUT-PARSE-11"), rule!("EXIT-N-03"), rule!("HTTP-04")], OneHandler, Seam::Merge(merge::batch_unblocked)),
    fault("plain-text-is-lost-at-the-start", "only JSON is looked for when a session begins, and other text is dropped",
        &[rule!("STDOUT-02"), rule!("STDOUT-PARSE-05"), rule!("STDOUT-PARSE-06"), rule!("JSON-03"), rule!("SPILL-05")], OneHandler, Seam::Merge(merge::lifecycle::start_text_lost)),
    fault("the-model-reads-why-a-start-hook-exited-2", "the stderr of exit 2 goes to the model, as where something is blocked",
        &[rule!("EXIT-2-NOTICE-02")], OneHandler, Seam::Merge(merge::lifecycle::complaint_told)),
    fault("a-cleared-session-is-renamed", "a title is set whatever the session began with",
        &[rule!("SESSTART-OUT-07")], OneHandler, Seam::Merge(merge::lifecycle::always_renamed)),
    fault("only-the-last-hook-can-reload-skills", "each answer overwrites the one before it, so that silence takes the wish back",
        &[rule!("SESSTART-OUT-09")], TwoHandlers, Seam::Merge(merge::lifecycle::last_reloads)),
    fault("the-agent-can-be-stopped-after-a-compaction", "`continue: false` counts on every event, PostCompact included",
        &[rule!("POSTCOMPACT-02")], OneHandler, Seam::Merge(merge::lifecycle::stopped_after_compaction)),
    fault("two-hooks-after-a-compaction-silence-each-other", "there is room for one text, which a second one empties",
        &[rule!("EXIT-2-EV-PostCompact")], TwoHandlers, Seam::Merge(merge::lifecycle::two_silence_each_other)),
    fault("what-a-hook-says-of-a-failed-turn-is-shown", "the stderr of exit 2 is shown to the person, as on other events",
        &[rule!("EXIT-2-EV-StopFailure")], OneHandler, Seam::Merge(merge::lifecycle::failed_turn_shown)),
    fault("a-silent-hook-lets-an-answer-through", "the hook that ends last decides about the user's answer, even if it says nothing",
        &[rule!("EXIT-2-EV-ElicitationResult"), rule!("ELICIT-DECL-02")],
        TwoHandlers, Seam::Merge(merge::lifecycle::last_on_answer)),
    fault("a-new-answer-is-merged-into-the-users", "values that the hook left out stay",
        &[rule!("ELICITRES-OUT-02")], OneHandler, Seam::Merge(merge::lifecycle::answer_merged)),
    fault("a-cancelled-answer-loses-its-values", "only an accept is sent with values",
        &[rule!("ELICITRES-OUT-04")], OneHandler, Seam::Merge(merge::lifecycle::cancel_emptied)),
    fault("what-the-user-refused-stays-refused", "hooks are listened to only where the user has accepted",
        &[rule!("ELICITRES-03")], OneHandler, Seam::Merge(merge::lifecycle::refusal_kept)),
    fault("setup-hooks-add-context", "Setup is played by the code of SessionStart, which hands `additionalContext` on",
        &[rule!("SETUP-OUT-02")], OneHandler, Seam::Merge(merge::witnesses::setup_adds_context)),
    fault("the-user-reads-why-a-notification-hook-exited-2", "the stderr of exit 2 is shown wherever nothing can be blocked",
        &[rule!("EXIT-2-EV-Notification")], OneHandler, Seam::Merge(merge::witnesses::noticed)),
    fault("what-is-shown-is-remembered", "the text for the screen is put into the message itself, so that the model reads it",
        &[rule!("MSGDISP-05")], OneHandler, Seam::Merge(merge::witnesses::shown_text_remembered)),
    fault("exit-2-shows-the-other-text", "the JSON is used beside exit 2, since there is nothing to block",
        &[rule!("EXIT-2-EV-MessageDisplay")], OneHandler, Seam::Merge(merge::witnesses::shown_beside_two)),
    fault("a-silent-hook-brings-the-original-back", "the hook that ends last decides what is shown, even if it says nothing",
        &[rule!("MSGDISP-OUT-01")], TwoHandlers, Seam::Merge(merge::witnesses::last_shows)),
    fault("the-agent-can-be-stopped-by-instructions", "`continue: false` counts on every event, InstructionsLoaded included",
        &[rule!("JSON-DISCARD-01")], OneHandler, Seam::Merge(merge::witnesses::stopped_by_instructions)),
    fault("nobody-looks-whether-the-directory-is-gone", "the code alone decides whether a worktree was removed",
        &[rule!("WTREMOVE-08")], OneHandler, Seam::Merge(merge::witnesses::directory_not_looked_for)),
    fault("only-exit-2-keeps-a-worktree", "a removal is taken for an event like others, on which other codes do not count",
        &[rule!("WTREMOVE-07")], OneHandler, Seam::Merge(merge::witnesses::only_two_keeps))
        .and(&[rule!("WTREMOVE-IN-02"), rule!("WTREMOVE-IN-03"), rule!("WTREMOVE-IN-03B")]),
    fault("a-silent-hook-lets-a-worktree-go", "the hook that ends last decides about a removal, even if it says nothing",
        &[rule!("WTREMOVE-07"), rule!("EXIT-2-EV-WorktreeRemove")], TwoHandlers, Seam::Merge(merge::witnesses::last_removes))
        .and(&[rule!("WTREMOVE-IN-02"), rule!("WTREMOVE-IN-03"), rule!("WTREMOVE-IN-03B")]),
    fault("hooks-at-the-end-silence-each-other", "only one hook's stderr is shown when a session ends",
        &[rule!("EXIT-2-EV-SessionEnd")], TwoHandlers, Seam::Merge(merge::witnesses::one_complaint_at_the_end)),
    fault("what-is-impossible-passes", "`impossible` lifts an objection on every event, as where an agent is about to stop",
        &[rule!("PROMPT-RESP-11")], OneHandler, Seam::Merge(merge::evaluators::hopeless_passes)),
    fault("an-objection-is-always-the-end", "`continueOnBlock` is not read",
        &[rule!("PROMPT-RESP-03"), rule!("PROMPT-RESP-04"), rule!("PROMPT-RESP-07"), rule!("PROMPT-RESP-08"), rule!("PROMPT-RESP-13")],
        OneHandler, Seam::Merge(merge::evaluators::always_the_end)),
    fault("an-objection-is-never-the-end", "an objection is a denial like others, and the model gets the reason",
        &[rule!("PROMPT-RESP-03"), rule!("PROMPT-RESP-04"), rule!("PROMPT-RESP-07"), rule!("PROMPT-RESP-08")],
        OneHandler, Seam::Merge(merge::evaluators::never_the_end)),
    fault("a-turn-survives-an-objection-to-its-prompt", "`continueOnBlock` counts on prompts too",
        &[rule!("PROMPT-RESP-05")], OneHandler, Seam::Merge(merge::evaluators::prompt_may_go_on)),
    fault("the-last-verdict-counts", "the verdict of each evaluator overwrites the one before it, so that an agent may stop",
        &[rule!("PROMPT-RESP-02")], TwoHandlers, Seam::Merge(merge::evaluators::last_verdict_counts)),
    fault("only-one-objection-is-told", "the reason of one evaluator overwrites that of the others",
        &[rule!("PROMPT-RESP-06")], TwoHandlers, Seam::Merge(merge::evaluators::one_reason_told)),
    // apply
    fault("ten-thousand-characters-are-too-many", "the limit itself is already over the limit",
        &[rule!("SPILL-09")], Limit, Seam::Apply(apply::limit_is_over)),
    fault("all-texts-share-one-limit", "lengths are added up over hooks and fields, and what is over is cut off",
        &[rule!("SPILL-02"), rule!("SPILL-03")], Limit, Seam::Apply(apply::limit_is_shared)),
    fault("long-texts-arrive-whole", "there is no limit",
        &[rule!("SPILL-05"), rule!("SPILL-01")], Limit, Seam::Apply(apply::unlimited))
        .and(&[rule!("SPILL-04"), rule!("SPILL-06")]),
    fault("a-long-text-is-only-cut", "the rest is thrown away instead of being saved",
        &[rule!("SPILL-05")], Limit, Seam::Apply(apply::cut)),
    fault("the-file-of-a-long-text-is-cut", "the file holds no more than the limit",
        &[rule!("SPILL-05")], Limit, Seam::Apply(apply::short_file)),
    fault("stop-hooks-get-seven-turns", "the block at the limit is already overridden",
        &[rule!("STOP-CAP-01"), rule!("STOP-CAP-04"), rule!("STOP-CAP-02"), rule!("STOP-CAP-03"),
            rule!("EXIT-2-EV-Stop")],
        Limit, Seam::Apply(apply::seven))
        .and(&[rule!("CTX-07"), rule!("STOP-IN-01"), rule!("STOP-IN-ACTIVE-CTX"),
            rule!("STOP-OUT-01"), rule!("STOP-OUT-02"), rule!("STOP-OUT-03"), rule!("STOP-OUT-04"), rule!("STOP-OUT-06"),
            rule!("STOP-OUT-BLOCKSHOWN")]),
    fault("stop-hooks-get-nine-turns", "the block after the limit is not yet overridden",
        &[rule!("STOP-CAP-01"), rule!("STOP-CAP-04"), rule!("STOP-CAP-03")], Limit, Seam::Apply(apply::nine)),
    fault("a-tool-call-does-not-reset-the-count", "continuations are counted over the whole turn",
        &[rule!("STOP-CAP-02")], TwoSteps, Seam::Apply(apply::never_reset))
        .and(&[rule!("STOP-CAP-01"), rule!("STOP-IN-01"), rule!("STOP-OUT-02"), rule!("STOP-OUT-04"),
            rule!("STOP-OUT-BLOCKSHOWN")]),
    fault("feedback-does-not-count", "only blocks count as continuations",
        &[rule!("STOP-CAP-04")], TwoSteps, Seam::Apply(apply::feedback_free)),
    fault("the-limit-cannot-be-raised", "the variable is not read",
        &[rule!("STOP-CAP-03")], Limit, Seam::Apply(apply::fixed_cap))
        .and(&[rule!("STOP-IN-01"), rule!("STOP-OUT-02"), rule!("STOP-OUT-04"), rule!("STOP-OUT-BLOCKSHOWN")]),
    fault("an-allow-beats-the-permission-rules", "rules are not looked at once a hook has allowed the call",
        &[rule!("PRETOOL-OUT-07"), rule!("PRETOOL-ALLOW-02"), rule!("PRETOOL-INPUT-02")],
        OneHandler, Seam::Apply(apply::allow_beats_rules)),
    fault("the-rules-look-at-the-old-input", "permission rules are checked before the hook's input is put in",
        &[rule!("PRETOOL-INPUT-02")], OneHandler, Seam::Apply(apply::rules_on_old_input))
        .and(&[rule!("PRETOOL-INPUT-01")]),
    fault("an-allow-answers-a-question", "AskUserQuestion runs although nobody gave an answer",
        &[rule!("PRETOOL-OUT-03")], OneHandler, Seam::Apply(apply::allow_is_enough)),
    fault("an-agent-that-should-stop-goes-on", "`continue: false` is forgotten where a hook also decides",
        &[rule!("JSON-CONT-02"), rule!("STOP-OUT-07"), rule!("EXIT-2-03")], OneHandler, Seam::Apply(apply::decision_beats_stop)),
    fault("a-blocked-prompt-reaches-the-model", "the prompt is in the history before its hooks are asked, and stays there",
        &[rule!("EXIT-2-EV-UserPromptSubmit"), rule!("PROMPTSUB-OUT-07")], OneHandler, Seam::Apply(apply::prompt_goes_on)),
    fault("a-relative-path-stays-relative", "the path that a hook prints is used as it stands",
        &[rule!("WTCREATE-OUT-07")], OneHandler, Seam::Apply(apply::path_as_printed)),
    fault("a-refused-task-stays", "the tool reports an error, but nobody deletes the task that is already there",
        &[rule!("EXIT-2-EV-TaskCreated"), rule!("TASKCREATE-OUT-01"), rule!("DECISION-TASKC-01"), rule!("EXIT-2-07"), rule!("STDOUT-PARSE-11"), rule!("HTTP-04")],
        OneHandler, Seam::Apply(apply::refused_task_stays)),
    fault("a-subagent-is-told-everything-again", "context is added at each start, though the copy of the first is still there",
        &[rule!("SUBSTART-OUT-02")], TwoSteps, Seam::Apply(apply::told_again)),
];

/// A case for the steps that look at the world alone: the scene's own world, with something changed.
fn other_world(scene: &Scene<'_>, change: impl FnOnce(&mut Host)) -> Case {
    let mut host = scene.host().clone();
    change(&mut host);
    Case { host, ..Case::default() }
}

#[cfg(test)]
mod tests;
