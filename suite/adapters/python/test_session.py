"""Sharp assertions on what a session remembers of hooks' variables, and of the subagents that run: python3 -m unittest"""

import unittest

from hookruntime.session import EVENTS
from test_runtime import command, group, layer, play, ran

BASH = {"fire": {"event": "PreToolUse", "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}}}}
BLOCK = {"out": '{"decision":"block","reason":"WHY-1"}'}


def fire(event, results=None, **given):
    return {"fire": {"event": event, "input": given, "results": results or {}}}


def writes(text, **more):
    return {"did": [{"wrote_environment": text}], **more}


class Variables(unittest.TestCase):
    def found(self, *steps, layers=None):
        """What the Bash commands among the steps find. A handler is named after its event."""
        layers = layers or [layer(name, group(command(name))) for name in EVENTS]
        outcomes = play({"settings": layers, "steps": list(steps)})
        return [outcome.get("set", {}).get("environment") for step, outcome in zip(steps, outcomes) if step is BASH]

    def test_hooks_of_four_events_have_a_file(self):
        for event in sorted(set(EVENTS) - {"SessionEnd"}):
            found = self.found(fire(event, {event: writes("export A=1\n")}), BASH)
            has_file = event in ("SessionStart", "Setup", "CwdChanged", "FileChanged")
            self.assertEqual(found, [{"A": "1"} if has_file else None], event)

    def test_variables_add_up_and_the_later_value_counts(self):
        both = [layer("SessionStart", group(command("a"), command("b")))]
        results = {"a": writes("export A=1\nB=2\nexport C\n", rank=1), "b": writes("export A=x/y:z\nexport D=4=5")}
        self.assertEqual(self.found(BASH, fire("SessionStart", results), BASH, layers=both), [None, {"A": "1", "D": "4=5"}])

    def test_only_bash_finds_them_whatever_becomes_of_the_call(self):
        start = fire("SessionStart", {"SessionStart": writes("export A=1")})
        read = fire("PreToolUse", tool_name="Read", tool_input={"file_path": "/a"})
        denied = {"fire": {**BASH["fire"], "results": {"PreToolUse": {"end": {"exit": 2}, "err": "NO-1"}}}}
        layers = [layer(event, group(command(event))) for event in ("SessionStart", "PreToolUse")]
        _, other, bash = play({"settings": layers, "steps": [start, read, denied]})
        self.assertEqual((other.get("set"), bash["set"], bash["fate"]), (None, {"environment": {"A": "1"}}, "prevented"))

    def test_a_change_of_directory_ends_what_changes_brought(self):
        lasting = [fire(event, {event: writes(f"export {event.upper()}=1")}) for event in ("Setup", "SessionStart")]
        file = fire("FileChanged", {"FileChanged": writes("export F=1")})
        there = fire("CwdChanged", {"CwdChanged": writes("export C=1")}, new_cwd="/w/a")
        all_along = {"SETUP": "1", "SESSIONSTART": "1"}
        self.assertEqual(self.found(*lasting, file, BASH, there, BASH, fire("CwdChanged", new_cwd="/w"), BASH),
                         [{**all_along, "F": "1"}, {**all_along, "C": "1"}, all_along])
        layers = [layer("FileChanged", group(command("FileChanged")))]
        self.assertEqual(self.found(file, BASH, there, BASH, layers=layers), [{"F": "1"}, None])

    def test_how_a_hook_ended_does_not_matter(self):
        for end in ({"exit": 1}, {"exit": 2}, {"signal": 9}, "timed_out"):
            self.assertEqual(self.found(fire("Setup", {"Setup": writes("export A=1", end=end)}), BASH), [{"A": "1"}], end)

    def test_commands_alone_have_an_environment(self):
        for hook, found in (({**command("h"), "async": True}, {"A": "1"}), ({"type": "http", "url": "h"}, None)):
            layers = [layer("FileChanged", group(hook))]
            self.assertEqual(self.found(fire("FileChanged", {"h": writes("export A=1")}), BASH, layers=layers), [found])

    def test_another_session_has_none(self):
        for end in ({"happen": "session_ends"}, {"happen": "cleared"}, fire("SessionEnd", reason="other")):
            self.assertEqual(self.found(fire("Setup", {"Setup": writes("export A=1")}), BASH, end, BASH), [{"A": "1"}, None])


class OwnHooks(unittest.TestCase):
    """Hooks of the definition of the agents `reviewer`, while and when one of them runs."""

    LAYERS = [{"from": {"agent": "reviewer"}, "settings": {"hooks": {
        event: [group(command("own"))] for event in ("SubagentStart", "Notification", "TaskCreated", "Stop")}}},
        layer("SubagentStop", group(command("user")))]

    def runs(self, *steps, **host):
        outcomes = play({"host": host, "settings": self.LAYERS, "steps": list(steps)})
        return ["own" in ran(outcome) for outcome in outcomes]

    def by(self, event, agent="a1", kind="reviewer", **results):
        return fire(event, results, agent_id=agent, agent_type=kind)

    ASIDE = fire("Notification")

    def test_one_runs_from_the_beginning_where_none_starts(self):
        self.assertEqual(self.runs(self.ASIDE, self.by("SubagentStop"), self.ASIDE), [True, True, False])
        explorer = [self.by(event, "e1", "Explore") for event in ("SubagentStart", "SubagentStop")]
        self.assertEqual(self.runs(*explorer, self.ASIDE), [False, False, True])

    def test_none_runs_before_the_first_starts(self):
        start, stop = self.by("SubagentStart"), self.by("SubagentStop")
        self.assertEqual(self.runs(self.ASIDE, start, self.ASIDE, stop, self.ASIDE), [False, True, True, True, False])
        self.assertEqual(self.runs(start, stop, stop, start, self.ASIDE), [True, True, False, True, True])

    def test_it_runs_on_where_it_is_kept_from_stopping(self):
        kept = self.by("SubagentStop", user=BLOCK)
        self.assertEqual(self.runs(kept, self.ASIDE, self.by("SubagentStop"), self.ASIDE), [True, True, True, False])
        halted = self.by("SubagentStop", user={"out": '{"continue":false}'})
        self.assertEqual(self.runs(halted, self.ASIDE), [True, False])

    def test_each_runs_for_itself(self):
        starts = [self.by("SubagentStart", agent) for agent in ("a1", "a2")]
        ask = [self.by("Notification", agent) for agent in ("a1", "a2")]
        self.assertEqual(self.runs(*starts, self.by("SubagentStop", "a1"), self.ASIDE, *ask, self.by("SubagentStop", "a2"), self.ASIDE),
                         [True, True, True, True, False, True, True, False])

    def test_what_others_do_does_not_concern_it(self):
        explorer = self.by("Notification", "e1", "Explore")
        self.assertEqual(self.runs(explorer, fire("Stop"), fire("TaskCreated", agent_id="e1"), fire("TaskCreated", agent_id="a1")),
                         [False, False, False, True])
        self.assertEqual(self.runs(self.by("SubagentStop", "x", ""), self.by("SubagentStop", "e1", "Explore"), self.ASIDE), [False, False, True])

    def test_the_folder_must_be_trusted_by_the_dialog(self):
        for surface in ("terminal", "print", "sdk", "background"):
            self.assertEqual(self.runs(self.ASIDE, self.by("SubagentStop"), surface=surface, trusted=False), [False, False], surface)
            self.assertEqual(self.runs(self.ASIDE, self.by("SubagentStop"), surface=surface), [True, True], surface)

    def test_another_session_has_no_subagents_yet(self):
        for end in ({"happen": "session_ends"}, {"happen": "cleared"}, fire("SessionEnd", reason="other")):
            self.assertEqual(self.runs(self.ASIDE, end, self.ASIDE), [True, False, False])


if __name__ == "__main__":
    unittest.main()
