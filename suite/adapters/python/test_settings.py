"""Sharp assertions on what settings and the fields of handlers decide: python3 -m unittest"""

import json
import unittest

from hookruntime import conditions, play
from test_runtime import command, fire, group, heard, layer, own, ran

PLUGIN, SKILL, AGENT = {"plugin": "p"}, {"skill": "s"}, {"agent": "g"}
LATER = [{"happen": "model_request"}, {"happen": "new_prompt"}, {"happen": "model_request"}, {"happen": "model_request"}]


def steps(layers, *steps, results=None, host=None):
    """The outcomes of several steps; a word is an event or a happening."""
    written = [{"fire": {"event": step}} if isinstance(step, str) and step[0].isupper() else
               {"happen": step} if isinstance(step, str) else step for step in steps]
    return play({"host": host or {}, "settings": layers, "results": results or {}, "steps": written})


class Sources(unittest.TestCase):
    def test_managed_hooks_only_is_for_managed_settings_to_say(self):
        hooks = [layer("Stop", group(command("u")), allowManagedHooksOnly=True), layer("Stop", group(command("p")), source=PLUGIN)]
        self.assertEqual(ran(fire("Stop", layers=hooks)), ["u", "p"])
        managed = {"source": "managed", "allowManagedHooksOnly": True}
        self.assertEqual(ran(fire("Stop", layers=hooks + [layer("Stop", **managed)])), [])
        forced = layer("Stop", **managed, enabledPlugins={"p": True})
        self.assertEqual(ran(fire("Stop", layers=hooks + [forced])), ["p"])
        mine = layer("Stop", source="local", enabledPlugins={"p": True})
        self.assertEqual(ran(fire("Stop", layers=hooks + [mine, layer("Stop", **managed)])), [])

    def test_trust(self):
        for source, terminal, printed in (("user", 0, 1), ("project", 0, 1), ("managed", 1, 1), (PLUGIN, 1, 1), (SKILL, 0, 1), (AGENT, 0, 0)):
            layers = [layer("Notification", group(command("h")), source=source)]
            for surface, runs in (("terminal", terminal), ("print", printed), ("sdk", printed)):
                outcome = fire("Notification", layers=layers, host={"trusted": False, "surface": surface})
                self.assertEqual(len(ran(outcome)), runs, (source, surface))

    def test_lists_of_addresses_add_up_and_bind_managed_hooks_too(self):
        hook = lambda url: {"type": "http", "url": url}  # noqa: E731
        layers = [layer("Stop", group(hook("http://a")), source="managed"),
                  layer("Stop", group(hook("http://b"), command("c")), allowedHttpHookUrls=["http://b"])]
        self.assertEqual(ran(fire("Stop", layers=layers)), ["http://b", "c"])
        layers.append(layer("Stop", source="project", allowedHttpHookUrls=["http://a"]))
        self.assertEqual(ran(fire("Stop", layers=layers)), ["http://a", "http://b", "c"])
        self.assertEqual(ran(fire("Stop", layers=[layer("Stop", group(hook("http://a")), allowedHttpHookUrls=[])])), [])

    def test_an_agents_hooks_are_for_that_agent(self):
        layers = [layer("PreToolUse", group(command("h")), source=AGENT)]
        for agent, runs in (("g", ["h"]), ("other", [])):
            self.assertEqual(ran(fire("PreToolUse", {"tool_name": "Bash", "agent_type": agent}, layers=layers)), runs)

    def test_with_arguments_the_shell_tells_no_handlers_apart(self):
        def both(**more):
            return [layer("Stop", group(command("h", shell=shell, **more)), source=source)
                    for source, shell in (("user", "bash"), ("project", "powershell"))]
        self.assertEqual((ran(fire("Stop", layers=both())), ran(fire("Stop", layers=both(args=[])))), (["h", "h"], ["h"]))

    def test_a_plugins_setting_keeps_a_shells_command_from_starting(self):
        text = "send ${user_config.url}"
        outcome = fire("Stop", layers=[layer("Stop", group(command(text)), source=PLUGIN)])
        self.assertEqual((ran(outcome), len(heard(outcome, "user"))), ([], 1))
        for source, hook in ((PLUGIN, command(text, args=[])), ("user", command(text)), (PLUGIN, command("send ${user_config"))):
            outcome = fire("Stop", layers=[layer("Stop", group(hook), source=source)])
            self.assertEqual((ran(outcome), heard(outcome, "user")), ([hook["command"]], []))


class Once(unittest.TestCase):
    def runs(self, source, results, *events):
        hooks = {event: [group(command("h", once=True))] for event in ("Setup", "Notification")}
        return [len(ran(outcome)) for outcome in steps([{"from": source, "settings": {"hooks": hooks}}], *events, results=results)]

    def test_a_skills_hook_is_gone_after_it_succeeded(self):
        thrice = ("Notification",) * 3
        self.assertEqual(self.runs(SKILL, {}, *thrice), [1, 0, 0])
        for end in ({"exit": 1}, {"exit": 2}, "timed_out"):
            self.assertEqual(self.runs(SKILL, {"h": {"end": end}}, *thrice), [1, 1, 1])
        for source in ("user", PLUGIN, AGENT):
            self.assertEqual(self.runs(source, {}, *thrice), [1, 1, 1])

    def test_on_its_event_and_until_the_session_ends(self):
        self.assertEqual(self.runs(SKILL, {}, "Notification", "Setup", "Setup"), [1, 1, 0])
        for over in ("session_ends", "cleared"):
            self.assertEqual(self.runs(SKILL, {}, "Notification", over, "Notification", "Setup"), [1, 0, 0, 0])
        self.assertEqual(self.runs("user", {}, "Notification", "session_ends", "Notification"), [1, 0, 1])


class Conditions(unittest.TestCase):
    def holds(self, rule, event="PreToolUse", tool="Bash", cwd="/work/project", **tool_input):
        return conditions.holds({"if": rule}, event, {"tool_name": tool, "tool_input": tool_input, "cwd": cwd})

    def test_a_failing_condition_leaves_the_group_alone(self):
        hooks = group(command("a", **{"if": "Bash(rm *)"}), command("b"), matcher="Bash|PowerShell")
        for tool, line, runs in (("Bash", "rm x", ["a", "b"]), ("Bash", "ls", ["b"]), ("PowerShell", "rm x", ["b"])):
            given = {"tool_name": tool, "tool_input": {"command": line}}
            self.assertEqual(ran(fire("PreToolUse", given, layers=[layer("PreToolUse", hooks)])), runs)
        self.assertEqual(ran(fire("PostToolBatch", layers=[layer("PostToolBatch", hooks)])), ["b"])
        self.assertTrue(all(self.holds("Bash", event, command="ls") for event in conditions.TOOL_EVENTS))

    def test_commands(self):
        for line in ("git", "git push", "FOO=bar git push", "A='x y' B=\"$(date)\" git push", "npm test && git push", "(a; git b)",
                     "a | git b", "a\ngit b", "echo $(git b)", "echo `git b`", "echo \"$(echo $(git b))\"", "a # b\ngit c"):
            self.assertTrue(self.holds("Bash(git *)", command=line), line)
        for line in ("gitk", "npm test", "echo git push", "echo 'x && git push'", "echo \"x; git push\"", "FOO=git", "", "a # git b"):
            self.assertFalse(self.holds("Bash(git *)", command=line), line)
        for line in ("echo $(date)", "echo `date`", "echo $HOME"):
            self.assertTrue(self.holds("Bash(git push *)", command=line), line)
            self.assertFalse(self.holds("Bash(rm *)", command=line), line)
        for line in ("echo 'x", "echo \"x", "echo $(date", "x)", "$CMD x", "for f in a; do ls; done", "cat <<E", "$(" * 5000):
            self.assertTrue(self.holds("Bash(rm *)", command=line), line[:20])
        self.assertFalse(self.holds("Bash(rm *)", command="ls 2>&1 &>x"))

    def test_paths(self):
        for pattern, path, fits in (
                ("*.ts", "a.ts", True), ("*.ts", "/work/project/a.ts", True), ("*.ts", "a.tsx", False),
                ("src/**", "src/a", True), ("src/**", "./src/b/../a", True), ("src/**", "lib/src/a", False),
                ("src/**", "/src/a", False), ("**/src/**", "src/a", True), ("**/src/**", "a/b/src/c/d", True), ("**/src/**", "a/b", False)):
            self.assertEqual(self.holds(f"Edit({pattern})", tool="Edit", file_path=path), fits, (pattern, path))
        self.assertFalse(self.holds("Edit(*.ts)", tool="Write", file_path="a.ts"))


class Background(unittest.TestCase):
    def play(self, event, result, key="async", hook=None, source="slash_command"):
        hook = hook or command("h", **{key: True})
        given = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "source": source}
        return steps([layer(event, group(hook))], {"fire": {"event": event, "input": given}}, *LATER, results={hook.get("url", "h"): result})

    def told(self, outcomes):
        return [len(heard(outcome, "model")) for outcome in outcomes]

    def test_it_controls_nothing_and_the_model_hears_of_it_in_the_next_turn(self):
        fields = {"continue": False, "stopReason": "STOP-1", "decision": "block", "reason": "WHY-1", "systemMessage": "MSG-1",
                  "terminalSequence": "\x07", **json.loads(own("PostToolUse", additionalContext="CTX-1", classifierContext="NOTE-1"))}
        for key in ("async", "asyncRewake"):
            outcomes = self.play("PostToolUse", {"out": json.dumps(fields)}, key)
            first = outcomes[0]
            self.assertEqual((ran(first), first["fate"], first.get("agent"), first.get("set")), (["h"], "proceeds", None, None))
            self.assertEqual({said["to"] for said in first["said"]}, {"debug"})
            self.assertEqual(self.told(outcomes), [0, 0, 0, 2, 0])
            self.assertIn("MSG-1", "".join(heard(outcomes[3], "model")))

    def test_failures_block_nothing_and_are_not_shown(self):
        for event in ("UserPromptSubmit", "Stop", "PreModelSwitch", "WorktreeCreate"):
            for result in ({"end": {"exit": 2}, "err": "ERR-1"}, {"end": {"exit": 1}, "err": "ERR-1"}, {"out": "{x}"}, {"out": "TEXT-1"}):
                outcomes = self.play(event, result)
                self.assertEqual((outcomes[0]["fate"], heard(outcomes[0], "user"), self.told(outcomes)), ("proceeds", [], [0] * 5))

    def test_waking(self):
        for err, text in (("ERR-1", "ERR-1"), ("", "TEXT-1")):
            outcomes = self.play("Stop", {"end": {"exit": 2}, "err": err, "out": "TEXT-1"}, "asyncRewake")
            self.assertEqual((outcomes[0]["fate"], self.told(outcomes)), ("proceeds", [0, 1, 0, 0, 0]))
            self.assertTrue(heard(outcomes[1], "model")[0].endswith(text))
        self.assertEqual(self.told(self.play("Stop", {"err": "ERR-1"}, "asyncRewake")), [0] * 5)

    def test_a_wrong_type_costs_one_field(self):
        out = {"systemMessage": 5, "continue": "no", **json.loads(own("PostToolUse", additionalContext="CTX-1"))}
        outcomes = self.play("PostToolUse", {"out": json.dumps(out)})
        self.assertEqual(self.told(outcomes), [0, 0, 0, 1, 0])
        log = "".join(heard(outcomes[0], "debug"))
        self.assertTrue("warning: systemMessage" in log and "warning: continue" in log)

    def test_a_time_is_given_where_it_counts(self):  # A-140, A-141
        both = {"async": True, "asyncRewake": True}
        for hook, given in ((command("h", **{"async": True}), False), (command("h", asyncRewake=True), True),
                            (command("h", **both), True), ({"type": "http", "url": "h", "async": True}, True)):
            outcome = self.play("Stop", {}, hook={**hook, "timeout": 5})[0]
            self.assertEqual(outcome["ran"][0]["given"].get("timeout"), 5 if given else None, hook)

    def test_servers_are_waited_for(self):
        block = {"end": {"status": 200}, "out": '{"decision":"block","reason":"WHY-1"}'}
        outcomes = self.play("UserPromptSubmit", block, hook={"type": "http", "url": "http://h", "async": True})
        self.assertEqual(outcomes[0]["fate"], "prevented")

    def test_what_an_event_throws_away(self):
        message = {"out": '{"systemMessage":"MSG-1"}'}
        self.assertEqual(self.told(self.play("Notification", message)), [0] * 5)
        self.assertEqual(self.told(self.play("DirectoryAdded", message)), [0, 0, 0, 1, 0])
        self.assertEqual(self.told(self.play("DirectoryAdded", message, source="register_repo_root")), [0] * 5)

    def test_a_prompt_that_is_blocked_begins_no_turn(self):
        layers = [layer("Stop", group(command("h", **{"async": True}))), layer("UserPromptSubmit", group(command("g")))]
        prompt = lambda code: {"fire": {"event": "UserPromptSubmit", "results": {"g": {"end": {"exit": code}}}}}  # noqa: E731
        outcomes = steps(layers, "Stop", prompt(2), "model_request", prompt(0), "model_request",
                         results={"h": {"out": '{"systemMessage":"MSG-1"}'}})
        self.assertEqual(self.told(outcomes), [0, 0, 0, 0, 1])


if __name__ == "__main__":
    unittest.main()
