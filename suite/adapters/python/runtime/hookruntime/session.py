"""A session: the steps of a case one after the other, and what is remembered between them."""

from . import (
    background, configchange, cwdchanged, directoryadded, elicitation, elicitationresult, evaluators, filechanged,
    handlers, instructionsloaded, messagedisplay, notification, permissiondenied, permissionrequest,
    permissionupdates, postcompact, postmodelswitch, posttoolbatch, posttooluse, posttoolusefailure, precompact,
    premodelswitch, pretooluse, reading, sessionend, sessionstart, settings, setup, stop, stopfailure,
    subagentstart, subagentstop, taskcompleted, taskcreated, teammateidle, userpromptexpansion, userpromptsubmit,
    worktreecreate, worktreeremove,
)
from .environment import Environment
from .inputs import hook_input
from .outcome import Outcome
from .subagents import Subagents

EVENTS = {event.NAME: event for event in (
    pretooluse, posttooluse, userpromptsubmit, stop, elicitation, worktreecreate, precompact, subagentstop, taskcreated,
    teammateidle, taskcompleted, posttoolusefailure, userpromptexpansion, configchange, posttoolbatch,
    subagentstart, postcompact, stopfailure, elicitationresult, sessionstart,
    setup, notification, messagedisplay, instructionsloaded, worktreeremove, sessionend,
    permissionrequest, permissiondenied, cwdchanged, directoryadded, filechanged, premodelswitch, postmodelswitch)}

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
            said = session.happen(step["happen"])
            outcomes.append({"said": said} if said else {})
    return outcomes


class Session:
    def __init__(self, case):
        self.case = case
        self.host = {**DEFAULT_HOST, **case.get("host", {})}
        self.written = {}           # permission rules of updates, by (destination, behavior) (PERMUPD-02 to -05)
        self.begin()
        self.subagents = Subagents(case)

    def begin(self):
        self.prompted = False       # the user has said something (INPUT-PROMPTID-01)
        self.title = None
        self.continuations = 0      # in a row, made by stop hooks (STOP-CAP-01)
        self.continuing = False     # this turn goes on because of a stop hook (STOP-IN-01)
        self.kept_at_work = set()   # the subagents that go on because of a stop hook, by agent_id
        self.informed = set()       # the subagents whose context holds what a start hook said (SUBSTART-OUT-02)
        self.for_turn = []          # what the model gets with the first request of the next turn (DIRADD-OUT-02)
        self.for_request = []       # and with the next request
        self.for_model = []         # the same, as long as the session keeps its model (POSTMODEL-OUT-03)
        self.spent = set()          # skill hooks with `once` that have had their run, by (event, place) (CONFIG-ONCE-01)
        self.skills_over = False    # the session in which the skills were invoked is over (CONFIG-LOC-08)
        self.subagents = Subagents()      # none runs any more
        self.environment = Environment()  # what hooks hand on to Bash commands

    def happen(self, what):
        """What moves the session on; tells the texts that reach the model with it."""
        if what == "model_request":
            said = self.for_request + self.for_model
            self.for_request, self.for_model = [], []
            return said
        if what == "new_prompt":
            self.prompt()
        if what == "tool_call":
            self.continuations = 0  # STOP-CAP-02
        elif what == "session_ends":
            permissionupdates.forget(self)
            self.begin()
            self.skills_over = True
        elif what == "compacted":
            self.informed.clear()   # SUBSTART-OUT-03; whose context it was is not told
        elif what in ("new_prompt", "new_turn", "cleared", "resumed"):
            self.turn_over()
            self.prompted = what != "cleared"
            if what == "cleared":
                self.skills_over = True
                self.kept_at_work.clear()
                self.informed.clear()
                self.for_turn, self.for_request, self.for_model = [], [], []
                self.subagents, self.environment = Subagents(), Environment()
                permissionupdates.forget(self)
        return []

    def prompt(self):
        """A prompt begins the next turn."""
        self.for_request += self.for_turn
        self.for_turn = []

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
        self.subagents.notice(event, given)
        hooks, log = settings.select(self.case, event, given, self.host, self)
        for text in log:
            outcome.log(text)
        for command in settings.refused(self.case, event, given, self.host, self):
            outcome.say("user", f"{event.NAME} hook {command} was not started: no shell may read a plugin's setting", "notice")
        results = {**self.case.get("results", {}), **firing.get("results", {})}
        readings, late = self._run(hooks, results, event, given, outcome)
        outcome.fate = otherwise
        self.environment.after(event, readings + late)
        event.decide(outcome, readings, given, self)
        evaluators.conclude(outcome, readings, event)
        for read in late:
            background.keep(read, results.get(read.hook.name, {}), event, given, self)
        return outcome

    def _run(self, hooks, results, event, given, outcome):
        """The readings of all hooks, in the order in which they finish; equal ranks keep the configuration's order. And those
        of hooks in the background, for which the event does not wait."""
        finished, late, allowed = [], [], settings.variable_allowlist(self.case["settings"])
        for hook in hooks:
            besides = handlers.besides(hook, given, self.host["env"], allowed)
            outcome.ran.append({"handler": hook.name, "given": {"input": given, **background.given_time(hook), **besides}})
            result = results.get(hook.name, {})
            is_late = background.is_background(hook)
            read = background.read(hook, result, event, outcome) if is_late else reading.read(hook, result, event)
            if hook.once and read.succeeded:
                self.spent.add((event.NAME, hook.place))
            if is_late:  # ASYNC-04
                late.append(read)
                outcome.report(read, False)
            else:
                finished.append((result.get("rank", 0), read))
        finished.sort(key=lambda pair: pair[0])
        readings = [read for _, read in finished]
        for read in readings:
            outcome.report(read, event.SHOWS_ERRORS)
            evaluators.weigh(read, event, self.host)
        return readings, late
