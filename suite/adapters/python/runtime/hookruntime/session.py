"""A session: the steps of a case one after the other, and what is remembered between them."""

from . import (
    configchange, elicitation, elicitationresult, evaluators, handlers, instructionsloaded, messagedisplay,
    notification, postcompact, posttoolbatch, posttooluse, posttoolusefailure, precompact, pretooluse, reading, sessionend,
    sessionstart, settings, setup, stop, stopfailure, subagentstart, subagentstop, taskcompleted, taskcreated, teammateidle,
    userpromptexpansion, userpromptsubmit, worktreecreate, worktreeremove,
)
from .inputs import hook_input
from .outcome import Outcome

EVENTS = {event.NAME: event for event in (
    pretooluse, posttooluse, userpromptsubmit, stop, elicitation, worktreecreate, precompact, subagentstop, taskcreated,
    teammateidle, taskcompleted, posttoolusefailure, userpromptexpansion, configchange, posttoolbatch,
    subagentstart, postcompact, stopfailure, elicitationresult, sessionstart,
    setup, notification, messagedisplay, instructionsloaded, worktreeremove, sessionend)}

DEFAULT_HOST = {
    "surface": "terminal", "permission_mode": "default", "permissions": {}, "permission_host": False, "trusted": True,
    "tool_calls_in_turn": 1, "facts": [], "env": {}, "cwd": "/work/project", "directories": None,
}


def play(case):
    """The outcomes of a case, one for each step; a step repeated `times` times is that many steps."""
    session = Session(case)
    outcomes = []
    for step in case["steps"]:
        if "fire" in step:
            for _ in range(step["fire"].get("times", 1)):
                outcomes.append(session.fire(step["fire"]).to_json())
        else:
            session.happen(step["happen"])
            outcomes.append({})
    return outcomes


class Session:
    def __init__(self, case):
        self.case = case
        self.host = {**DEFAULT_HOST, **case.get("host", {})}
        self.begin()

    def begin(self):
        self.prompted = False       # the user has said something (INPUT-PROMPTID-01)
        self.title = None
        self.continuations = 0      # in a row, made by stop hooks (STOP-CAP-01)
        self.continuing = False     # this turn goes on because of a stop hook (STOP-IN-01)
        self.kept_at_work = set()   # the subagents that go on because of a stop hook, by agent_id
        self.informed = set()       # the subagents whose context holds what a start hook said (SUBSTART-OUT-02)
        self.spent = set()          # skill hooks with `once` that have had their run (CONFIG-ONCE-01)

    def happen(self, what):
        if what == "tool_call":
            self.continuations = 0  # STOP-CAP-02
        elif what == "compacted":
            self.informed.clear()   # SUBSTART-OUT-03; whose context it was is not told
        elif what == "session_ends":
            self.begin()
        elif what in ("new_prompt", "new_turn", "cleared", "resumed"):
            self.turn_over()
            self.prompted = what != "cleared"
            if what == "cleared":
                self.kept_at_work.clear()
                self.informed.clear()

    def turn_over(self):
        self.continuations, self.continuing = 0, False

    def fire(self, firing):
        """One event: select the hooks, run them, and let the event decide on what they said."""
        event = EVENTS.get(firing["event"])
        if event is None:
            raise ValueError(f"this runtime does not have the event {firing['event']}")
        outcome = Outcome()
        given = hook_input(event, firing.get("input", {}), self)
        otherwise = firing.get("otherwise", "proceeds")
        if given.get("tool_name") == "EndConversation":  # CONFIG-LIFE-03
            outcome.fate = otherwise
            return outcome
        hooks, log = settings.select(self.case, event, given, self.host, self)
        for text in log:
            outcome.log(text)
        results = {**self.case.get("results", {}), **firing.get("results", {})}
        readings = self._run(hooks, results, event, given, outcome)
        outcome.fate = otherwise
        event.decide(outcome, readings, given, self)
        evaluators.conclude(outcome, readings, event)
        return outcome

    def _run(self, hooks, results, event, given, outcome):
        """The readings of all hooks, in the order in which they finish; equal ranks keep the configuration's order."""
        finished, allowed = [], settings.variable_allowlist(self.case["settings"])
        for hook in hooks:
            besides = handlers.besides(hook, given, self.host["env"], allowed)
            outcome.ran.append({"handler": hook.name, "given": {"input": given, "timeout": hook.timeout, **besides}})
            result = results.get(hook.name, {})
            read = reading.read(hook, result, event)
            if hook.once and read.succeeded:
                self.spent.add(hook.place)
            if hook.kind == "command" and hook.spec.get("async") is True:
                continue  # in the background: what it says comes too late for this event
            finished.append((result.get("rank", 0), read))
        finished.sort(key=lambda pair: pair[0])
        readings = [read for _, read in finished]
        for read in readings:
            outcome.report(read, event.SHOWS_ERRORS)
            evaluators.weigh(read, event, self.host)
        return readings
