"""Sharp assertions on directories, watched files, and the switch of models: python3 -m unittest"""

import json
import unittest

from test_events import BLOCK, STOP, TWO, told
from test_runtime import command, fire, group, heard, layer, own, play, ran


class Watching(unittest.TestCase):
    EVENTS = ("CwdChanged", "FileChanged")
    INPUT = {"old_cwd": "/w", "new_cwd": "/w/a", "file_path": "/w/a/.env", "event": "change"}

    def fire(self, event, *results, **more):
        return fire(event, self.INPUT, {f"h{n}": result for n, result in enumerate(results)}, **more)

    def test_what_is_watched_is_what_hooks_name(self):
        for event in self.EVENTS:
            for named, watched in (((["/w/x", "/w/y"],), ["/w/x", "/w/y"]), (([],), []), ((["/w/x"], ["/w/x", "y"]), ["/w/x"])):
                results = [{"out": own(event, watchPaths=paths)} for paths in named]
                self.assertEqual(self.fire(event, *results, {})["set"], {"watch_paths": watched}, event)
            for result in ({}, {"out": '{"watchPaths":["/w/x"]}'}, {"out": own(event, watchPaths=[5])}, BLOCK):
                outcome = self.fire(event, result)
                self.assertEqual((outcome["fate"], outcome.get("set")), ("proceeds", None), result)

    def test_stderr_of_exit_2_is_the_users(self):
        for event in self.EVENTS:
            self.assertEqual(told(self.fire(event, TWO, {})), ("proceeds", None, [], ["ERR-1"]), event)

    def test_messages_are_for_a_terminal_and_nobody_stops(self):
        out = json.dumps({**json.loads(STOP["out"]), "systemMessage": "MSG-1"})
        for event in self.EVENTS:
            for surface, shown in (("terminal", ["MSG-1"]), ("sdk", []), ("print", [])):
                outcome = self.fire(event, {"out": out}, host={"surface": surface})
                self.assertEqual(told(outcome), ("proceeds", None, [], shown), (event, surface))

    def test_the_base_name_selects(self):
        for matcher, runs in ((".env", True), (".envrc|.env", True), ("^.env$", True), ("env", False), ("^/w", False), ("a|b", False)):
            layers = [layer("FileChanged", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(self.fire("FileChanged", layers=layers)), ["h"] if runs else [], matcher)
        for matcher, runs in (("x|Makefile", True), ("x, Makefile", False), ("Make", False)):
            layers = [layer("FileChanged", group(command("h"), matcher=matcher))]
            self.assertEqual(ran(fire("FileChanged", {"file_path": "/w/Makefile"}, layers=layers)), ["h"] if runs else [], matcher)

    def test_the_directory_is_the_new_one_from_then_on(self):
        layers = [layer("CwdChanged", group(command("h"), matcher="Nothing")), layer("Stop", group(command("h")), source="project")]
        steps = [{"fire": {"event": "CwdChanged", "input": self.INPUT}}, {"fire": {"event": "Stop"}}]
        outcomes = play({"host": {"cwd": "/w"}, "settings": layers, "steps": steps})
        self.assertEqual([outcome["ran"][0]["given"]["input"]["cwd"] for outcome in outcomes], ["/w/a", "/w/a"])
