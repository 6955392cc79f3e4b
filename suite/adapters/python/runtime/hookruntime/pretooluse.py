"""PreToolUse: may the call run, and with which input? (chapters: PreToolUse decision control, defer)"""

import json
from dataclasses import dataclass

from . import inputs
from .permissions import verdict
from .reading import read_command  # noqa: F401  (how this event reads a command's stdout)
from .schema import mapping, one_of, string

NAME = "PreToolUse"
MATCHES_ON = "tool_name"
TIMEOUT = 600
PERMISSION_MODE = IN_A_TURN = SHOWS_ERRORS = True
OWN_FIELDS = {
    "permissionDecision": one_of("allow", "deny", "ask", "defer"),
    "permissionDecisionReason": string,
    "updatedInput": mapping,
    "additionalContext": string,
}
complete_input = inputs.absolute_file_path

NEEDS_AN_ANSWER = ("AskUserQuestion", "ExitPlanMode")


@dataclass
class Vote:
    reading: object
    decision: str = ""
    reason: str = ""
    new_input: dict = None
    context: str = None


def decide(outcome, readings, given, session):
    votes = []
    session.continuations = 0  # STOP-CAP-02: this event says that the model called a tool
    for reading in readings:
        outcome.universal(reading, session.host)
        vote = _vote(reading)
        votes.append(_defer_ignored(outcome, vote, session.host) if vote.decision == "defer" else vote)
    for vote in votes:
        if vote.context is not None:  # PRETOOL-CTX-01
            outcome.context(vote.reading, vote.context)
        if vote.decision in ("allow", "defer") and vote.reason:  # PRETOOL-REASON-04
            outcome.log(vote.reason, vote.reading.hook)
    if given.get("tool_name") == "Bash" and session.environment.variables():
        outcome.set["environment"] = session.environment.variables()
    _settle(outcome, votes, given, session.host)


def _vote(reading):
    """One hook's answer. Its legacy form counts where the current one is not used (PRETOOL-LEGACY-01, A-75)."""
    own = reading.own
    decision, reason = own.get("permissionDecision", ""), own.get("permissionDecisionReason", "")
    if not decision:
        decision = {"approve": "allow", "block": "deny"}.get(reading.output.get("decision"), "")
        reason = reading.output.get("reason", "") if decision else ""
    if reading.blocks:  # EXIT-2-02, EXIT-2-05, EXIT-2-06, PRETOOL-OUT-08
        reason = reason if decision == "deny" and reason else reading.stderr
        decision = "deny"
    if decision == "defer":  # PRETOOL-INPUT-04, PRETOOL-CTX-02
        return Vote(reading, decision, reason)
    return Vote(reading, decision, reason, own.get("updatedInput"), own.get("additionalContext"))


def _defer_ignored(outcome, vote, host):
    """DEFER-01, DEFER-02, DEFER-11: `defer` is for -p and a single call; elsewhere a warning and no decision."""
    if host["surface"] == "print" and host["tool_calls_in_turn"] == 1:
        return vote
    outcome.log("defer ignored: it needs -p and a turn with a single tool call", vote.reading.hook)
    if vote.reason:
        outcome.log(vote.reason, vote.reading.hook)
    return Vote(vote.reading)


def _settle(outcome, votes, given, host):
    """PREC-PRETOOL-01: deny, then defer, then ask, then allow; permission rules are heard in any case."""
    cast = {decision: [v for v in votes if v.decision == decision] for decision in ("deny", "defer", "ask", "allow")}
    tool, before = given.get("tool_name"), given.get("tool_input")
    replaced = [vote.new_input for vote in votes if vote.new_input is not None]
    tool_input = replaced[-1] if replaced else before  # the last to finish
    rule = verdict(host["permissions"], tool, tool_input)  # PRETOOL-INPUT-02
    if cast["deny"]:
        outcome.fate = "prevented"
        for vote in cast["deny"]:  # PRETOOL-REASON-03
            outcome.say("model", vote.reason or "denied by a hook", "refusal", vote.reading.hook)
        return
    if rule == "deny":  # PRETOOL-OUT-07
        outcome.fate = "prevented"
        return
    if cast["defer"]:  # DEFER-03, DEFER-03B
        outcome.fate, outcome.agent = "deferred", outcome.agent or "ends_turn"
        return
    if cast["ask"]:
        _ask(outcome, cast["ask"], tool_input if replaced else None, host)
    elif cast["allow"]:
        answered = any(vote.new_input is not None for vote in cast["allow"])
        outcome.fate = _allowed(outcome.fate, rule, tool, answered, host) or _ordinary(
            outcome.fate, rule, before, tool_input, tool, host)
    else:
        outcome.fate = _ordinary(outcome.fate, rule, before, tool_input, tool, host)
    if replaced and outcome.fate in ("proceeds", "asked"):  # PRETOOL-INPUT-01
        outcome.set["tool_input"] = tool_input


def _allowed(otherwise, rule, tool, answered, host):
    """What an allow comes to, or None where it does not count (PRETOOL-OUT-01 to -03, PRETOOL-UI-02, PRETOOL-UI-04)."""
    if rule == "ask":  # PRETOOL-ALLOW-02
        return "asked"
    if "requires_interaction" in host["facts"] or "no_mode_approves" in host["facts"]:
        return "prevented" if otherwise == "prevented" else "asked"
    if tool in NEEDS_AN_ANSWER and not answered:
        return None
    return "proceeds"


def _ordinary(otherwise, rule, before, now, tool, host):
    """The permission flow without a hook's decision: as the case says, unless another input makes other rules speak."""
    if now == before:
        return otherwise
    if rule:
        return {"ask": "asked", "allow": "proceeds"}[rule]
    return "asked" if verdict(host["permissions"], tool, before) else otherwise


def _ask(outcome, votes, new_input, host):
    """PRETOOL-OUT-05: somebody is asked; where nobody can answer, the call is denied (PRETOOL-REASON-02, A-171)."""
    if host["surface"] in ("print", "sdk") and not host["permission_host"]:
        outcome.fate = "prevented"
        for vote in votes:
            outcome.say("model", vote.reason or "nobody can confirm this call", "refusal", vote.reading.hook)
        return
    outcome.fate = "asked"
    outcome.set["prompt_label"] = votes[0].reading.hook.label  # PRETOOL-ASK-01
    for vote in votes:  # PRETOOL-REASON-01
        outcome.say("user", f"{vote.reading.hook.label} {vote.reason}", "prompt", vote.reading.hook)
    if new_input is not None:  # PRETOOL-INPUT-08
        outcome.say("user", json.dumps(new_input, ensure_ascii=False), "prompt")
