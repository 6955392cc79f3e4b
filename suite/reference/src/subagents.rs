//! Which subagents run, and so whose own hooks are in force (chapter *settings*: CONFIG-LOC-09, CONFIG-SKILL-03).
//!
//! A subagent runs from its SubagentStart until its SubagentStop lets it stop, and again when it is taken up. Of a type that
//! never starts in a case one runs from the beginning; its id shows with the first thing that it does.

use crate::Scene;
use hookproof_contract::{Case, Event, Firing, Source, Step};
use serde_json::Value;
use std::collections::BTreeSet;

/// What is known of the subagents of a session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subagents {
    /// Those that run from the beginning are among them.
    complete: bool,
    at_work: Vec<Subagent>,
    /// The ids of those that have stopped.
    stopped: BTreeSet<String>,
    /// The types of which the first is still to start.
    awaited: BTreeSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Subagent {
    kind: String,
    /// Unknown while it has done nothing.
    id: Option<String>,
}

impl Subagents {
    /// Those of a session that begins after another one: none runs.
    pub(crate) fn none() -> Subagents {
        Subagents { complete: true, ..Subagents::default() }
    }

    /// What fires tells who is at work.
    pub(crate) fn fires(&mut self, scene: &Scene<'_>) {
        if !self.complete {
            self.look_around(scene.case);
        }
        let (Some(kind), Some(id)) = (scene.input_text("agent_type"), scene.input_text("agent_id")) else { return };
        if scene.event() == Event::SubagentStart {
            self.awaited.remove(kind);
            self.stopped.remove(id);
        }
        let is_new = !self.stopped.contains(id) && !self.at_work.iter().any(|agent| agent.id.as_deref() == Some(id));
        if is_new && !self.awaits(kind) {
            self.meets(kind, id);
        }
    }

    /// Those that run from the beginning, and the types that start later.
    fn look_around(&mut self, case: &Case) {
        self.complete = true;
        let starting = |step: &Step| match step {
            Step::Fire(firing) if firing.event == Event::SubagentStart => text(firing, "agent_type").map(str::to_owned),
            _ => None,
        };
        self.awaited = case.steps.iter().filter_map(starting).collect();
        for layer in &case.settings {
            if let Source::Agent(kind) = &layer.from
                && !self.awaits(kind)
            {
                self.at_work.push(Subagent { kind: kind.clone(), id: None });
            }
        }
    }

    /// Something is done by a subagent that nobody has heard of: the one of its type whose id is unknown, or else another one.
    fn meets(&mut self, kind: &str, id: &str) {
        let id = Some(id.to_owned());
        match self.at_work.iter_mut().find(|agent| agent.kind == kind && agent.id.is_none()) {
            Some(agent) => agent.id = id,
            None => self.at_work.push(Subagent { kind: kind.to_owned(), id }),
        }
    }

    /// A subagent stops, and nothing has kept it from it.
    pub(crate) fn stops(&mut self, firing: &Firing) {
        let (kind, id) = (text(firing, "agent_type"), text(firing, "agent_id"));
        let is_it = |agent: &Subagent| Some(agent.kind.as_str()) == kind && (id.is_none() || agent.id.as_deref() == id);
        if let Some(at) = self.at_work.iter().position(is_it) {
            self.at_work.remove(at);
        }
        self.stopped.extend(id.map(str::to_owned));
    }

    /// Whether a subagent of this type is at work while this fires, and nobody else is known to have made it fire.
    pub(crate) fn is_at_work(&self, scene: &Scene<'_>, kind: &str) -> bool {
        if scene.input_text("agent_type").is_some_and(|other| other != kind) {
            return false;
        }
        let mut of_kind = self.at_work.iter().filter(|agent| agent.kind == kind);
        match scene.input_text("agent_id") {
            Some(id) if self.knows(id) => of_kind.any(|agent| agent.id.as_deref() == Some(id)),
            _ => of_kind.next().is_some(),
        }
    }

    /// Whether the first subagent of this type is still to start.
    pub(crate) fn awaits(&self, kind: &str) -> bool {
        self.awaited.contains(kind)
    }

    fn knows(&self, id: &str) -> bool {
        self.stopped.contains(id) || self.at_work.iter().any(|agent| agent.id.as_deref() == Some(id))
    }
}

fn text<'f>(firing: &'f Firing, field: &str) -> Option<&'f str> {
    firing.input.get(field).and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use crate::testing::{ran, stage};
    use hookproof_contract::Outcome;
    use serde_json::{Value, json};

    /// The subagents `reviewer` have hooks `own` on these events, the user one on the end of any subagent.
    fn case(steps: &[Value]) -> Value {
        let hooks = |events: &[&str], name: &str| -> Value {
            events
                .iter()
                .map(|event| ((*event).to_owned(), json!([{"hooks": [{"type": "command", "command": name}]}])))
                .collect()
        };
        let own = hooks(&["SubagentStart", "Notification", "TaskCreated", "Stop"], "own");
        json!({"settings": [{"from": {"agent": "reviewer"}, "settings": {"hooks": own}},
                            {"from": "user", "settings": {"hooks": hooks(&["SubagentStop"], "user")}}],
               "steps": steps})
    }

    fn fire(event: &str, input: Value) -> Value {
        json!({"fire": {"event": event, "input": input}})
    }

    fn by(event: &str, kind: &str, id: &str) -> Value {
        fire(event, json!({"agent_type": kind, "agent_id": id}))
    }

    /// Something that no subagent does.
    fn aside() -> Value {
        fire("Notification", json!({}))
    }

    /// An end that the user's hook does not allow.
    fn kept(kind: &str, id: &str) -> Value {
        let mut step = by("SubagentStop", kind, id);
        step["fire"]["results"] = json!({"user": {"out": r#"{"decision":"block","reason":"WHY-1"}"#}});
        step
    }

    /// Whether the agent's own hook ran, step by step.
    fn own(steps: &[Value]) -> Vec<bool> {
        let is_own = |outcome: &Outcome| ran(outcome).contains(&"own".to_owned());
        stage(case(steps)).iter().map(is_own).collect()
    }

    #[test]
    fn where_none_starts_one_runs_from_the_beginning_until_it_may_stop() {
        assert_eq!(own(&[aside(), by("SubagentStop", "reviewer", "a1"), aside()]), [true, true, false]);
    }

    #[test]
    fn where_one_starts_none_runs_before() {
        let steps =
            [aside(), by("SubagentStart", "reviewer", "a1"), aside(), by("SubagentStop", "reviewer", "a1"), aside()];
        assert_eq!(own(&steps), [false, true, true, true, false]);
    }

    #[test]
    fn the_start_of_another_type_tells_nothing() {
        let steps = [aside(), by("SubagentStart", "Explore", "e1"), by("SubagentStop", "Explore", "e1"), aside()];
        assert_eq!(own(&steps), [true, false, false, true]);
    }

    #[test]
    fn who_is_kept_going_still_runs_and_who_is_told_to_do_no_more_does_not() {
        let end = || by("SubagentStop", "reviewer", "a1");
        assert_eq!(own(&[kept("reviewer", "a1"), aside(), end(), aside()]), [true, true, true, false]);
        let mut told = end();
        told["fire"]["results"] = json!({"user": {"out": r#"{"continue":false,"decision":"block","reason":"WHY-1"}"#}});
        assert_eq!(own(&[told, aside()]), [true, false]);
    }

    #[test]
    fn of_two_the_other_still_runs() {
        let steps = [
            by("SubagentStart", "reviewer", "a1"),
            by("SubagentStart", "reviewer", "a2"),
            by("SubagentStop", "reviewer", "a1"),
            aside(),
            by("Notification", "reviewer", "a1"),
            by("Notification", "reviewer", "a2"),
            by("SubagentStop", "reviewer", "a2"),
            aside(),
        ];
        assert_eq!(own(&steps), [true, true, true, true, false, true, true, false]);
    }

    #[test]
    fn who_is_taken_up_again_runs_again() {
        let steps = [
            by("SubagentStart", "reviewer", "a1"),
            by("SubagentStop", "reviewer", "a1"),
            by("SubagentStop", "reviewer", "a1"),
            by("SubagentStart", "reviewer", "a1"),
            aside(),
        ];
        assert_eq!(own(&steps), [true, true, false, true, true]);
    }

    #[test]
    fn what_others_do_is_none_of_its_business() {
        let main = fire("Stop", json!({}));
        let steps =
            [by("Notification", "Explore", "e1"), by("Notification", "reviewer", "a1"), main, kept("Explore", "e1")];
        assert_eq!(own(&steps), [false, true, false, false]);
        // Whose id it is may be known from before.
        let task = |id: &str| fire("TaskCreated", json!({"agent_id": id}));
        assert_eq!(own(&[by("Notification", "Explore", "e1"), task("e1"), task("a1")]), [false, false, true]);
    }

    #[test]
    fn a_session_that_follows_has_no_subagents_yet() {
        for end in [json!({"happen": "session_ends"}), json!({"happen": "cleared"}), fire("SessionEnd", json!({}))] {
            assert_eq!(own(&[aside(), end, aside()]), [true, false, false]);
        }
    }
}
