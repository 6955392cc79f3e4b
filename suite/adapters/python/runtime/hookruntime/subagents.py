"""Which subagents run: the hooks of a subagent's definition are in force for as long as it does, and no longer.

Rules: CONFIG-LOC-09, CONFIG-SKILL-03. A subagent runs from its SubagentStart to the SubagentStop that lets it stop, and again
from the SubagentStart with which it is resumed.
"""

NAMELESS = object()  # the id of one that has done nothing yet


class Subagents:
    """Of each type of agent the ids of those that run, and of all the types of those whose ids have come up."""

    def __init__(self, case=None):
        """With a case, those that run from its beginning: one of each type with hooks, but for types of which one starts."""
        fired = [step["fire"] for step in (case or {"steps": []})["steps"] if "fire" in step]
        started = {f.get("input", {}).get("agent_type") for f in fired if f["event"] == "SubagentStart"}
        sources = [layer["from"] for layer in case["settings"]] if case else []
        defined = {source["agent"] for source in sources if isinstance(source, dict) and "agent" in source}
        self.running = {kind: {NAMELESS} for kind in defined - started}
        self.kinds = {}
        self.unstarted = started

    def notice(self, event, given):
        """What fires is something that a subagent does, or it is about one."""
        kind, agent = given.get("agent_type"), given.get("agent_id")
        if not isinstance(kind, str) or not isinstance(agent, str):
            return
        starts = event.NAME == "SubagentStart"
        if starts:
            self.unstarted.discard(kind)
        if starts or (agent not in self.kinds and kind not in self.unstarted):
            self.kinds[agent] = kind
            of_kind = self.running.setdefault(kind, set())
            of_kind.discard(NAMELESS)  # so this is the one
            of_kind.add(agent)

    def stop(self, given):
        self.running.get(given["agent_type"], set()).discard(given["agent_id"])

    def has_in_force(self, kind, event, given):
        """Whether hooks of this type of agent count here. Of what the main agent does meanwhile, they do (it is not said)."""
        if event.NAME == "Stop" or given.get("agent_type", kind) != kind:  # CONFIG-SKILL-02
            return False
        agent = given.get("agent_id")
        if agent in self.kinds:
            return agent in self.running.get(kind, ())
        return bool(self.running.get(kind))
