"""Sharp assertions on what whole cases come to, and on the adapter: python3 -m unittest"""

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "runtime"))

from hookruntime import play  # noqa: E402

BASH = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"}
PROMPT = {"prompt": "PROMPT-1"}


def command(name, **more):
    return {"type": "command", "command": name, **more}


def group(*hooks, **more):
    return {"hooks": list(hooks), **more}


def layer(event, *groups, source="user", **settings):
    return {"from": source, "settings": {"hooks": {event: list(groups)}, **settings}}


def own(event, **fields):
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, **fields}})


def fire(event, input=None, results=None, host=None, layers=None, **step):
    """The outcome of one firing; without layers, each result is of a command hook of one group."""
    results = results or {}
    layers = layers or [layer(event, group(*map(command, results)))]
    case = {"host": host or {}, "settings": layers, "results": results,
            "steps": [{"fire": {"event": event, "input": input or {}, **step}}]}
    return play(case)[0]


def heard(outcome, audience, how=None):
    return [said["text"] for said in outcome.get("said", []) if said["to"] == audience and how in (None, said.get("how"))]


def ran(outcome):
    return [entry["handler"] for entry in outcome.get("ran", [])]


class Terminal(unittest.TestCase):
    def test_only_on_a_screen_and_all_or_nothing(self):
        out = json.dumps({"terminalSequence": "\x07", "systemMessage": "WARN-1"})
        self.assertEqual(heard(fire("Stop", results={"h": {"out": out}}), "terminal"), ["\x07"])
        for surface in ("print", "sdk", "background"):
            self.assertEqual(heard(fire("Stop", results={"h": {"out": out}}, host={"surface": surface}), "terminal"), [])
        outcome = fire("Stop", results={"h": {"out": json.dumps({"terminalSequence": "\x07x", "systemMessage": "WARN-1"})}})
        self.assertEqual((heard(outcome, "terminal"), heard(outcome, "user")), ([], ["WARN-1"]))


class Settings(unittest.TestCase):
    def test_identical_handlers_of_settings_files_run_once_and_a_plugins_copy_again(self):
        layers = [layer("Stop", group(command("h", timeout=5)), source=source)
                  for source in ("user", "project", {"plugin": "p"}, {"plugin": "q"}, {"skill": "s"})]
        outcome = fire("Stop", layers=layers)
        self.assertEqual(ran(outcome), ["h"] * 4)
        self.assertEqual(outcome["ran"][0]["given"]["timeout"], 5)

    def test_disable_all_hooks(self):
        both = [layer("Stop", group(command("m")), source="managed")]
        user = lambda **s: layer("Stop", group(command("u")), **s)  # noqa: E731
        self.assertEqual(ran(fire("Stop", layers=both + [user(disableAllHooks=True)])), ["m"])
        project = layer("Stop", source="project", disableAllHooks=False)
        self.assertEqual(ran(fire("Stop", layers=both + [user(disableAllHooks=True), project])), ["m", "u"])
        flag = layer("Stop", source="flag", disableAllHooks=True)
        self.assertEqual(ran(fire("Stop", layers=both + [user(), project, flag])), ["m"])
        managed = layer("Stop", group(command("m")), source="managed", disableAllHooks=True)
        self.assertEqual(ran(fire("Stop", layers=[managed, user()])), [])

    def test_managed_only_and_trust(self):
        layers = [layer("Stop", group(command("m")), source="managed", allowManagedHooksOnly=True,
                        enabledPlugins={"forced": True, "other": False}),
                  layer("Stop", group(command("u"))), layer("Stop", group(command("f")), source={"plugin": "forced"}),
                  layer("Stop", group(command("p")), source={"plugin": "other"})]
        self.assertEqual(ran(fire("Stop", layers=layers)), ["m", "f"])
        mine = [layer("Stop", group(command("u")))]
        self.assertEqual(ran(fire("Stop", layers=mine, host={"trusted": False})), [])
        self.assertEqual(ran(fire("Stop", layers=mine, host={"trusted": False, "surface": "print"})), ["u"])

    def test_matchers_where_there_are_none_and_malformed_parts(self):
        layers = [layer("Stop", group(command("a"), matcher="Nothing"), "junk", group("junk", {"type": "command"}, {"type": []}),
                        group(command("b", **{"if": "Bash"})))]
        self.assertEqual(ran(fire("Stop", layers=layers)), ["a"])
        self.assertEqual(ran(fire("PreToolUse", {**BASH, "tool_name": "EndConversation"}, {"h": {}})), [])

    def test_url_allowlist(self):
        hooks = group({"type": "http", "url": "http://a/x"}, {"type": "http", "url": "http://b/x"})
        self.assertEqual(ran(fire("Stop", layers=[layer("Stop", hooks, allowedHttpHookUrls=["http://a/*"])])), ["http://a/x"])

    def test_what_is_given(self):
        given = fire("UserPromptSubmit", PROMPT, {"h": {}}, host={"permission_mode": "plan"})["ran"][0]["given"]
        self.assertEqual(given["timeout"], 30)
        self.assertEqual(given["input"]["hook_event_name"], "UserPromptSubmit")
        self.assertEqual((given["input"]["prompt"], given["input"]["permission_mode"]), ("PROMPT-1", "plan"))
        given = fire("WorktreeCreate", {"name": "w"}, {"h": {"out": "/w"}})["ran"][0]["given"]
        self.assertEqual((given["timeout"], "permission_mode" in given["input"]), (600, False))
        edit = {"tool_name": "Edit", "tool_input": {"file_path": "src/../a.ts"}}
        given = fire("PreToolUse", edit, {"h": {}})["ran"][0]["given"]["input"]
        self.assertEqual(given["tool_input"]["file_path"], "/work/project/a.ts")


class ExitCodes(unittest.TestCase):
    def test_exit_2_blocks_whatever_is_printed(self):
        allow = own("PreToolUse", permissionDecision="allow", permissionDecisionReason="WHY-1")
        for out in ("", "plain", allow, "{broken}", '{"continue":5}'):
            outcome = fire("PreToolUse", BASH, {"h": {"end": {"exit": 2}, "out": out, "err": "ERR-1"}})
            self.assertEqual((outcome["fate"], heard(outcome, "model"), heard(outcome, "user")), ("prevented", ["ERR-1"], []))
        deny = own("PreToolUse", permissionDecision="deny", permissionDecisionReason="WHY-1")
        outcome = fire("PreToolUse", BASH, {"h": {"end": {"exit": 2}, "out": deny, "err": "ERR-1"}})
        self.assertEqual(heard(outcome, "model"), ["WHY-1"])

    def test_other_codes_do_not_block(self):
        for end in ({"exit": 1}, {"exit": 127}, {"signal": 9}, "not_started"):
            outcome = fire("PreToolUse", BASH, {"h": {"end": end, "err": "ERR-1\nERR-2"}}, otherwise="asked")
            self.assertEqual(outcome["fate"], "asked")
            self.assertEqual(heard(outcome, "user", "notice"),
                             ["PreToolUse:Bash hook error\nFailed with non-blocking status code: ERR-1"])
            self.assertIn("ERR-2", " ".join(heard(outcome, "debug")))

    def test_valid_json_outweighs_other_codes(self):
        deny = own("PreToolUse", permissionDecision="deny", permissionDecisionReason="WHY-1")
        outcome = fire("PreToolUse", BASH, {"h": {"end": {"exit": 1}, "out": deny, "err": "ERR-1"}})
        self.assertEqual((outcome["fate"], heard(outcome, "model"), heard(outcome, "user")), ("prevented", ["WHY-1"], []))
        self.assertEqual(heard(fire("Stop", results={"h": {"end": {"exit": 1}, "out": "{}"}}), "user"), [])

    def test_exit_0_goes_to_the_debug_log_alone(self):
        outcome = fire("PreToolUse", BASH, {"h": {"out": "OUT-1", "err": "ERR-1"}})
        self.assertEqual(heard(outcome, "debug"), ["OUT-1", "ERR-1"])
        self.assertEqual(heard(outcome, "model") + heard(outcome, "user"), [])

    def test_bad_json_is_a_notice(self):
        for out in ("{broken}", '{"systemMessage":["MSG-1"]}'):
            for code in (0, 1):
                outcome = fire("UserPromptSubmit", PROMPT, {"h": {"end": {"exit": code}, "out": out}})
                self.assertEqual((outcome["fate"], heard(outcome, "model")), ("proceeds", []))
                self.assertIn("hook error", heard(outcome, "user", "notice")[0])

    def test_timeouts(self):
        late = {"h": {"end": "timed_out", "out": "OUT-1", "err": "ERR-1"}}
        self.assertEqual(fire("PreToolUse", BASH, late, otherwise="asked")["fate"], "asked")
        outcome = fire("UserPromptSubmit", PROMPT, late)
        self.assertEqual((outcome["fate"], heard(outcome, "model")), ("proceeds", []))
        self.assertIn("h timed out after 30s", heard(outcome, "user", "notice")[0])
        self.assertNotIn("OUT-1", json.dumps(outcome))


class Http(unittest.TestCase):
    def fire(self, event="UserPromptSubmit", input=PROMPT, **result):
        hooks = group({"type": "http", "url": "http://h"})
        return fire(event, input, {"http://h": result} if result else {}, layers=[layer(event, hooks)])

    def test_bodies(self):
        self.assertEqual(self.fire().get("said"), None)
        block = '{"decision":"block","reason":"WHY-1"}'
        self.assertEqual(self.fire(end={"status": 201}, out=block)["fate"], "prevented")
        self.assertEqual(self.fire(end={"status": 403}, out=block)["fate"], "proceeds")
        for result in ({"out": "TEXT-1"}, {"out": "[]"}, {"out": '{"x":1}\n{"y":2}'}, {"end": "refused"}, {"end": "no_response"}):
            outcome = self.fire(**result)
            self.assertEqual((outcome["fate"], heard(outcome, "model")), ("proceeds", []))
            self.assertIn("hook error", heard(outcome, "user", "notice")[0])

    def test_worktree(self):
        def path(**result):
            return self.fire("WorktreeCreate", {"name": "w"}, **result)
        outcome = path(out=own("WorktreeCreate", worktreePath="/w/a"))
        self.assertEqual(outcome["set"], {"worktree_path": "/w/a"})
        for result in ({"end": {"status": 500}, "out": own("WorktreeCreate", worktreePath="/w/a")}, {}, {"out": "/w/a"}):
            self.assertEqual(path(**result)["fate"], "prevented")


class PreToolUse(unittest.TestCase):
    def votes(self, *decisions, host=None, otherwise="asked", input=BASH, **fields):
        results = {f"h{n}": {"out": own("PreToolUse", permissionDecision=d, permissionDecisionReason=f"WHY-{d}", **fields)}
                   for n, d in enumerate(decisions)}
        return fire("PreToolUse", input, results, host=host, otherwise=otherwise)

    def test_precedence(self):
        defer = {"surface": "print", "permission_host": True}
        self.assertEqual(self.votes("allow", "ask", "defer", "deny", host=defer)["fate"], "prevented")
        self.assertEqual(self.votes("allow", "ask", "defer", host=defer)["fate"], "deferred")
        self.assertEqual(self.votes("allow", "ask", otherwise="proceeds")["fate"], "asked")
        self.assertEqual(self.votes("allow")["fate"], "proceeds")

    def test_defer_elsewhere_is_no_decision(self):
        for host in ({}, {"surface": "print", "tool_calls_in_turn": 2}, {"surface": "sdk"}):
            outcome = self.votes("defer", host=host, updatedInput={"command": "x"}, additionalContext="CTX-1")
            self.assertEqual((outcome["fate"], outcome.get("set"), heard(outcome, "model")), ("asked", None, []))

    def test_permission_rules_are_heard(self):
        deny = {"permissions": {"deny": ["Bash(rm)"], "ask": ["Bash(push)"]}}
        outcome = self.votes("allow", host=deny, updatedInput={"command": "rm"})
        self.assertEqual((outcome["fate"], outcome.get("set")), ("prevented", None))
        outcome = self.votes("allow", host=deny, updatedInput={"command": "push"})
        self.assertEqual((outcome["fate"], outcome["set"]), ("asked", {"tool_input": {"command": "push"}}))
        rm = {**BASH, "tool_input": {"command": "rm"}}
        self.assertEqual(self.votes("allow", host=deny, input=rm, otherwise="prevented")["fate"], "prevented")
        self.assertEqual(self.votes("allow", host=deny, input=rm, otherwise="prevented",
                                    updatedInput={"command": "ls"})["fate"], "proceeds")

    def test_allow_that_is_not_enough(self):
        question = {"tool_name": "AskUserQuestion", "tool_input": {"questions": []}}
        self.assertEqual(self.votes("allow", input=question)["fate"], "asked")
        self.assertEqual(self.votes("allow", input=question, updatedInput={"answers": {}})["fate"], "proceeds")
        for fact in ("requires_interaction", "no_mode_approves"):
            self.assertEqual(self.votes("allow", host={"facts": [fact]}, updatedInput={"command": "x"})["fate"], "asked")

    def test_who_reads_the_reason(self):
        outcome = self.votes("deny", "allow")
        self.assertEqual((heard(outcome, "model"), heard(outcome, "user")), (["WHY-deny"], []))
        outcome = self.votes("ask", updatedInput={"command": "NEW-1"})
        self.assertEqual(heard(outcome, "user", "prompt"), ["[settings] WHY-ask", '{"command": "NEW-1"}'])
        self.assertEqual(outcome["set"]["prompt_label"], "[settings]")
        outcome = self.votes("ask", host={"surface": "print"})
        self.assertEqual((outcome["fate"], heard(outcome, "model")), ("prevented", ["WHY-ask"]))

    def test_legacy_and_ranks(self):
        outcome = fire("PreToolUse", BASH, {"h": {"out": '{"decision":"block","reason":"WHY-1"}'}})
        self.assertEqual((outcome["fate"], heard(outcome, "model")), ("prevented", ["WHY-1"]))
        self.assertEqual(fire("PreToolUse", BASH, {"h": {"out": '{"decision":"approve"}'}}, otherwise="asked")["fate"], "proceeds")
        answers = {name: {"rank": rank, "out": own("PreToolUse", permissionDecision="allow", updatedInput={"command": name})}
                   for name, rank in (("a", 2), ("b", 1))}
        self.assertEqual(fire("PreToolUse", BASH, answers)["set"]["tool_input"], {"command": "a"})

    def test_continue_false(self):
        outcome = fire("PreToolUse", BASH, {"h": {"out": '{"continue":false,"stopReason":"STOP-1"}'}})
        self.assertEqual((outcome["agent"], heard(outcome, "user"), heard(outcome, "model")), ("stops", ["STOP-1"], ["STOP-1"]))


class PostToolUse(unittest.TestCase):
    def fire(self, tool, *outputs):
        results = {f"h{n}": {"out": own("PostToolUse", **fields)} for n, fields in enumerate(outputs)}
        return fire("PostToolUse", {"tool_name": tool, "tool_input": {}, "tool_response": {"stdout": "a"}}, results)

    def test_rewrites(self):
        self.assertNotIn("set", self.fire("Bash", {"updatedToolOutput": "text"}))
        self.assertNotIn("set", self.fire("Bash", {"updatedMCPToolOutput": {"stdout": "b"}}))
        self.assertEqual(self.fire("Bash", {"updatedToolOutput": {"stdout": "b"}})["set"]["tool_output"], {"stdout": "b"})
        self.assertEqual(self.fire("mcp__s__t", {"updatedToolOutput": "text"})["set"]["tool_output"], "text")
        self.assertEqual(self.fire("mcp__s__t", {"updatedMCPToolOutput": [1]})["set"]["tool_output"], [1])

    def test_notes(self):
        said = lambda *args: heard(self.fire(*args), "classifier")  # noqa: E731
        self.assertEqual([len(n) for n in said("Bash", {"classifierContext": "a" * 1500}, {"classifierContext": "b" * 1500})],
                         [1500, 500])
        self.assertEqual(said("Read", {"classifierContext": "N-1"}), [])
        self.assertEqual(said("Bash", {"classifierContext": "N-1", "updatedToolOutput": "bad"}), [])
        rewrite = {"updatedToolOutput": {"stdout": "b"}}
        self.assertEqual(said("Bash", {"classifierContext": "N-1", **rewrite}, rewrite), [])
        self.assertEqual(said("Bash", {"classifierContext": "N-1"}, rewrite), ["N-1"])

    def test_feedback(self):
        results = {"h": {"end": {"exit": 2}, "err": "ERR-1"}, "i": {"out": '{"decision":"block","reason":"WHY-1"}'}}
        outcome = fire("PostToolUse", BASH, results)
        self.assertEqual((outcome["fate"], heard(outcome, "model", "feedback")), ("proceeds", ["ERR-1", "WHY-1"]))


class UserPromptSubmit(unittest.TestCase):
    def test_context(self):
        outcome = fire("UserPromptSubmit", PROMPT, {
            "h": {"out": "PLAIN-1"}, "i": {"out": own("UserPromptSubmit", additionalContext="CTX-1", sessionTitle="TITLE-1")}})
        self.assertEqual([text.split()[-1] for text in heard(outcome, "model", "context")], ["PLAIN-1", "CTX-1"])
        self.assertEqual((outcome["set"], heard(outcome, "user")), ({"session_title": "TITLE-1"}, []))

    def test_long_texts_are_spilled_one_by_one(self):
        for size, spilled in ((10_000, False), (10_001, True)):
            said = fire("UserPromptSubmit", PROMPT, {"h": {"out": "x" * size}})["said"]
            to_model = [entry for entry in said if entry["to"] == "model"][0]
            self.assertEqual("spill" in to_model, spilled)
            self.assertEqual(to_model["text"].count("x"), 2000 if spilled else size)

    def test_blocks(self):
        suppress = own("UserPromptSubmit", suppressOriginalPrompt=True, additionalContext="CTX-1")
        outcome = fire("UserPromptSubmit", PROMPT, {"h": {"end": {"exit": 2}, "err": "ERR-1"}, "i": {"out": "PLAIN-1"}})
        self.assertEqual((outcome["fate"], heard(outcome, "model")), ("prevented", []))
        self.assertEqual(heard(outcome, "user"), ["ERR-1\n\nOriginal prompt: PROMPT-1"])
        outcome = fire("UserPromptSubmit", PROMPT, {"h": {"end": {"exit": 2}, "err": "ERR-1", "out": suppress}})
        self.assertEqual((heard(outcome, "model"), heard(outcome, "user")), ([], ["ERR-1"]))


class Stop(unittest.TestCase):
    def play(self, *steps, out='{"decision":"block","reason":"AGAIN-1"}', host=None):
        return play({"host": host or {}, "settings": [layer("Stop", group(command("h")))], "results": {"h": {"out": out}},
                     "steps": [{"happen": s} if isinstance(s, str) else {"fire": {"event": "Stop", "times": s}} for s in steps]})

    def fates(self, outcomes):
        return [outcome["fate"] for outcome in outcomes if outcome]

    def test_eight_continuations_and_no_more(self):
        outcomes = self.play("new_prompt", 9)
        self.assertEqual(self.fates(outcomes), ["prevented"] * 8 + ["proceeds"])
        self.assertEqual(outcomes[9]["agent"], "ends_turn")
        self.assertEqual([o["ran"][0]["given"]["input"]["stop_hook_active"] for o in outcomes[1:]], [False] + [True] * 8)
        self.assertEqual(self.fates(self.play(9, out=own("Stop", additionalContext="CTX-1"))), ["prevented"] * 8 + ["proceeds"])

    def test_a_tool_call_resets_the_count(self):
        self.assertEqual(self.fates(self.play(8, "tool_call", 9)), ["prevented"] * 16 + ["proceeds"])
        self.assertEqual(self.fates(self.play(9, "new_prompt", 1))[-1], "prevented")
        cap = {"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "10"}}
        self.assertEqual(self.fates(self.play(11, host=cap)), ["prevented"] * 10 + ["proceeds"])

    def test_block_and_feedback_are_shown_differently(self):
        blocked = self.play(1)[0]
        self.assertEqual(heard(blocked, "model", "feedback"), ["AGAIN-1"])
        self.assertIn("hook error", heard(blocked, "user", "notice")[0])
        fed = self.play(1, out=own("Stop", additionalContext="CTX-1"))[0]
        self.assertEqual(heard(fed, "user"), ["Stop hook feedback: CTX-1"])
        blank = self.play(1, out=own("Stop", additionalContext=" \n"))[0]
        self.assertEqual((blank["fate"], heard(blank, "user"), heard(blank, "model")), ("proceeds", [], []))
        stopped = self.play(1, out='{"decision":"block","reason":"AGAIN-1","continue":false}')[0]
        self.assertEqual((stopped["fate"], stopped["agent"], heard(stopped, "model")), ("proceeds", "stops", []))


class Elicitation(unittest.TestCase):
    def fire(self, *results):
        results = {f"h{n}": result for n, result in enumerate(results)}
        return fire("Elicitation", {"mcp_server_name": "tracker", "message": "?"}, results)

    def test_answers(self):
        accept = {"out": own("Elicitation", action="accept", content={"key": "KEY-1"})}
        outcome = self.fire(accept)
        self.assertEqual((outcome["fate"], outcome["set"]["mcp_reply"]),
                         ("prevented", {"action": "accept", "content": {"key": "KEY-1"}}))
        answer = 'Elicitation resolved by hook: {"action":"accept","content":{"key":"KEY-1"}}'
        self.assertTrue(heard(outcome, "debug")[-1].endswith(answer))
        for decline in ({**accept, "end": {"exit": 2}, "err": "ERR-1"}, {"out": '{"decision":"block","reason":"WHY-1"}'},
                        {"out": own("Elicitation", action="decline", content={})}):
            outcome = self.fire(accept, decline)
            self.assertEqual(outcome["set"]["mcp_reply"], {"action": "decline"})
            self.assertEqual(heard(outcome, "user") + heard(outcome, "server"), [])

    def test_universal_fields_are_dropped(self):
        outcome = self.fire({"out": '{"continue":false,"systemMessage":"MSG-1","terminalSequence":"\\u0007"}'})
        self.assertEqual((outcome["fate"], outcome.get("agent"), heard(outcome, "user")), ("proceeds", None, []))
        self.assertEqual(heard(outcome, "terminal"), ["\x07"])


class WorktreeCreate(unittest.TestCase):
    def fire(self, out="", host=None, end={"exit": 0}):
        return fire("WorktreeCreate", {"name": "w"}, {"h": {"out": out, "end": end, "err": "ERR-1"}}, host=host)

    def test_the_last_line_is_the_path(self):
        for out, path in (("/w/a\n", "/w/a"), ("banner\n\x1b[32m/w/a\x1b[0m\r\n\n", "/w/a"), ("a/../b/./c", "/work/project/b/c"),
                          ("\x1b]0;title\x07/w/a", "/w/a")):
            self.assertEqual(self.fire(out)["set"]["worktree_path"], path)

    def test_failures(self):
        for outcome in (self.fire(""), self.fire("/w/../a"), self.fire("/w/a", end={"exit": 1}), self.fire("/w", end="timed_out"),
                        self.fire("/w/b", host={"directories": ["/w/a"]})):
            self.assertEqual((outcome["fate"], outcome.get("set")), ("prevented", None))
            self.assertEqual(len(heard(outcome, "user")), 1)
        self.assertIn("'..'", heard(self.fire("/w/../a"), "user")[0])


class Adapter(unittest.TestCase):
    def test_it_survives_bad_lines_and_ends_at_bye(self):
        case = {"settings": [], "steps": [{"fire": {"event": "Stop"}}, {"happen": "new_prompt"}]}
        lines = [b'{"type":"hello","protocol":1,"revisions":[]}', b"not json", b"\xff", b"", b'{"type":"run","id":"1"}', b"[]",
                 json.dumps({"type": "run", "id": "2", "depth": "resolve", "case": case}).encode(),
                 json.dumps({"type": "run", "id": "3", "depth": "run", "case": case}).encode(), b'{"type":"bye"}', b"after"]
        done = subprocess.run([sys.executable, os.path.join(HERE, "adapter.py")], input=b"\n".join(lines), capture_output=True)
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([reply["type"] for reply in replies], ["hello"] + ["errored"] * 4 + ["outcome", "errored"])
        self.assertEqual(replies[5]["steps"], [{"fate": "proceeds", "agent": "ends_turn"}, {}])
        self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
