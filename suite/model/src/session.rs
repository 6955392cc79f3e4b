//! What a session remembers from step to step (chapters *stop* and *agents*).

use crate::{
    begun::Begun, chapters::given::is_plain_absolute, course::Course, environment::Environment, once::Once,
    oracle::Oracle, pending::Pending, permissions::Standing, running::Running, subagents::Subagents,
};
use hookproof_contract::{Case, Event, Fact, Firing, Happening, Step, reading};
use serde_json::Value;

/// How many continuations in a row stop hooks can bring about.
const CAP: u32 = 8;

/// The variable for another limit holds something that is none.
struct Meaningless;

/// A session, as far as the modelled rules need to remember it.
pub(crate) struct Session<'a> {
    pub(crate) case: &'a Case,
    pub(crate) oracle: &'a Oracle<'a>,
    pub(crate) stop: StopLoop,
    /// Its subagents, each of which stops for itself.
    pub(crate) subagents: Subagents<'a>,
    /// Those whose definition brings hooks along.
    pub(crate) running: Running<'a>,
    /// What those that began were given to read.
    pub(crate) begun: Begun<'a>,
    /// The handlers that are to run once.
    pub(crate) once: Once<'a>,
    /// What is still to reach the model.
    pub(crate) pending: Pending<'a>,
    /// Whether the user has given a prompt.
    pub(crate) prompted: bool,
    /// Whether a prompt is certainly being worked on.
    pub(crate) at_work: bool,
    /// Whether a call was deferred, and whether the session was resumed since.
    pub(crate) deferred: Deferral<'a>,
    /// What has run, and when.
    pub(crate) course: Course<'a>,
    /// Its permissions, which hooks may change.
    pub(crate) permissions: Standing<'a>,
    /// Where the main agent works, where that is certain.
    pub(crate) cwd: Option<&'a str>,
    /// Whether it has ended, so that what comes next is of another one.
    ended: bool,
    /// Whether it may be another one than that in which skills were invoked.
    pub(crate) skills_over: bool,
    /// The paths that hooks have put under watch, where it is certain which.
    pub(crate) watched: Option<Vec<Value>>,
    /// Whether a hook may have given it another title than the case says.
    pub(crate) retitled: bool,
    /// Whether it may be a launch that opens no conversation, which Setup comes first in (SETUP-05).
    pub(crate) only_prepares: bool,
    /// What hooks have exported for Bash commands.
    pub(crate) environment: Environment,
}

/// Which subagent or teammate an event is about, where the case names it.
pub(crate) fn agent_id(firing: &Firing) -> Option<&str> {
    firing.input.get("agent_id").and_then(Value::as_str)
}

/// Whether the event is a step of a tool call that a subagent makes.
pub(crate) fn is_of_a_subagent(firing: &Firing) -> bool {
    let of_a_call = matches!(
        firing.event,
        Event::PreToolUse
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::PostToolUse
            | Event::PostToolUseFailure
    );
    of_a_call && ["agent_id", "agent_type"].iter().any(|field| firing.input.contains_key(*field))
}

/// Whether a call is told of that ends plan mode once it has run: which mode comes after is not said.
fn leaves_plan_mode(firing: &Firing) -> bool {
    let is_it = |name: Option<&Value>| name.is_some_and(|name| name == "ExitPlanMode");
    let mut batch = firing.input.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    is_it(firing.input.get("tool_name")) || batch.any(|call| is_it(call.get("tool_name")))
}

/// Whether the session is that of an agent, as its beginning tells.
pub(crate) fn is_of_an_agent(case: &Case) -> bool {
    let tells = |firing: &Firing| firing.event == Event::SessionStart && firing.input.contains_key("agent_type");
    case.steps.iter().any(|step| matches!(step, Step::Fire(firing) if tells(firing)))
}

/// How far a deferred call has come.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deferral<'a> {
    /// There is none.
    None,
    /// This call was put off.
    PutOff(&'a Firing),
    /// The session was resumed since: the call comes again.
    Resumed(&'a Firing),
}

/// How often stop hooks have made the turn go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StopLoop {
    /// Continuations in a row; `None` where the contract does not determine it.
    pub(crate) count: Option<u32>,
    /// Whether the agent is going on because of a stop hook; `None` where that is not determined.
    pub(crate) active: Option<bool>,
    /// Continuations since the prompt, tool calls in between or not.
    pub(crate) in_all: u32,
    /// Whether the last continuation came of additional context alone.
    pub(crate) by_advice: bool,
}

impl StopLoop {
    /// No stop hook has made this turn go on.
    pub(crate) const FRESH: StopLoop = StopLoop { count: Some(0), active: Some(false), in_all: 0, by_advice: false };
    const UNKNOWN: StopLoop = StopLoop { count: None, active: None, in_all: 0, by_advice: false };

    /// A stop hook made the turn go on.
    pub(crate) fn goes_on(&mut self, by_advice: bool) {
        self.count = self.count.map(|n| n + 1);
        self.active = Some(true);
        self.in_all += 1;
        self.by_advice = by_advice;
    }

    /// The turn ended.
    pub(crate) fn ends(&mut self) {
        // A further Stop without a prompt in between is not a course of events that the contract tells of.
        *self = StopLoop::UNKNOWN;
    }

    /// What became of the stop is not determined.
    pub(crate) fn is_lost(&mut self) {
        *self = StopLoop::UNKNOWN;
    }
}

impl<'a> Session<'a> {
    pub(crate) fn new(case: &'a Case, oracle: &'a Oracle<'a>) -> Self {
        Session {
            case,
            oracle,
            stop: StopLoop::FRESH,
            subagents: Subagents::default(),
            running: Running::of(case),
            begun: Begun::default(),
            once: Once::default(),
            pending: Pending::default(),
            prompted: false,
            at_work: false,
            deferred: Deferral::None,
            course: Course::default(),
            permissions: Standing::of(&case.host),
            cwd: Some(&case.host.cwd),
            ended: false,
            skills_over: false,
            retitled: false,
            only_prepares: false,
            watched: Some(Vec::new()),
            environment: Environment::default(),
        }
    }

    /// What becomes of a firing is not determined.
    pub(crate) fn lose(&mut self, firing: &'a Firing) {
        self.stop.is_lost();
        self.at_work = false;
        match firing.event {
            Event::SubagentStop => {
                self.subagents.may_go_on(agent_id(firing));
                self.running.stops(firing, false);
            }
            Event::SubagentStart => self.begun.begins(agent_id(firing), Vec::new(), false),
            Event::Stop => self.subagents.continuations += 1,
            // An isolated session may work in the new worktree.
            Event::WorktreeCreate => self.cwd = None,
            Event::PermissionRequest => self.permissions.lose(),
            Event::UserPromptSubmit => self.pending.prompted(false),
            Event::PostModelSwitch => self.pending.forget(),
            Event::SessionStart | Event::CwdChanged | Event::FileChanged => self.watched = None,
            _ => {}
        }
    }

    /// Whether a task is completed because a teammate's turn ends, and not by `TaskUpdate`.
    pub(crate) fn turn_ends(&self) -> bool {
        self.case.host.facts.contains(&Fact::TurnEnds)
    }

    /// The directory in which the session began, where it is certain that it never left it.
    pub(crate) fn home(&self) -> Option<&'a str> {
        self.cwd.filter(|cwd| *cwd == self.case.host.cwd)
    }

    /// A command has gone to another directory. From where and to where the case says once more.
    fn moves(&mut self, firing: &'a Firing) {
        let path = |field: &str| firing.input.get(field).and_then(Value::as_str);
        let follows = path("old_cwd").is_none_or(|old| self.cwd.is_none_or(|cwd| cwd == old));
        self.cwd = path("new_cwd").filter(|new| follows && is_plain_absolute(new));
    }

    /// Something happens between events.
    pub(crate) fn happens(&mut self, what: Happening) {
        self.environment.happens(what);
        self.running.happens(what);
        if what != Happening::ModelRequest {
            self.subagents.work_on();
        }
        match what {
            Happening::NewPrompt => (self.at_work, self.only_prepares) = (true, false),
            // A turn may begin without a prompt.
            Happening::NewTurn | Happening::Cleared | Happening::Resumed | Happening::SessionEnds => {
                self.at_work = false
            }
            Happening::ModelRequest | Happening::ToolCall | Happening::Compacted => {}
        }
        match (what, self.deferred) {
            (Happening::NewPrompt, _) => self.prompted = true,
            // Whether the prompt is still being worked on then is not said.
            (Happening::Cleared | Happening::SessionEnds, _) => self.prompted = false,
            (Happening::Resumed, deferred) => {
                self.prompted = false;
                if let Deferral::PutOff(call) = deferred {
                    self.deferred = Deferral::Resumed(call);
                }
            }
            _ => {}
        }
        if matches!(what, Happening::Cleared | Happening::Resumed | Happening::SessionEnds) {
            self.ended |= what == Happening::SessionEnds;
            self.skills_over |= what != Happening::SessionEnds;
        }
        match what {
            // The count starts again; whether the agent still goes on "because of a stop hook" is not said.
            Happening::ToolCall => {
                self.stop.count = Some(0);
                if self.stop.active == Some(true) {
                    self.stop.active = None;
                }
            }
            Happening::NewPrompt | Happening::NewTurn => {
                self.stop = StopLoop::FRESH;
                self.course.turn_begins();
            }
            Happening::Cleared | Happening::Resumed | Happening::Compacted | Happening::SessionEnds => {
                self.stop = StopLoop::UNKNOWN;
                match what {
                    Happening::Compacted => self.begun.compacted(),
                    // A copy of what a subagent was given may be gone.
                    _ => self.begun.forget(),
                }
                // Nor is it said where the session goes on, and what it still watches.
                self.cwd = self.home();
                self.permissions.begin();
                // In which mode it is taken up depends on how, and on what was in force before.
                if what == Happening::Resumed {
                    self.permissions.lose_mode();
                }
                self.watched = self.watched.take().filter(Vec::is_empty);
            }
            Happening::ModelRequest => {}
        }
    }

    /// An event has fired, and its hooks may have left something behind.
    pub(crate) fn has_fired(&mut self, firing: &Firing) {
        let may_title = matches!(firing.event, Event::SessionStart | Event::UserPromptSubmit);
        let mut results = self.case.results.values().chain(firing.results.values());
        // The call may run now, of the main agent or of another.
        if matches!(firing.event, Event::PreToolUse | Event::PermissionRequest) && leaves_plan_mode(firing) {
            self.permissions.lose_mode();
        }
        self.retitled |= may_title && results.any(|result| result.out.lossy().contains("\"sessionTitle\""));
    }

    /// Whether a session may have this title already: then nothing need be told of it.
    pub(crate) fn may_be_titled(&self, firing: &Firing, title: &Value) -> bool {
        self.retitled || firing.input.get("session_title") == Some(title)
    }

    /// An event fires, which tells of what happened before it.
    pub(crate) fn fires(&mut self, firing: &'a Firing) {
        let event = firing.event;
        self.running.fires(firing);
        // As it ends, it still has them.
        self.skills_over |= self.ended;
        if event == Event::Setup {
            self.only_prepares = firing.input.get("trigger").is_none_or(|trigger| trigger != "maintenance");
        }
        if event != Event::SubagentStop {
            self.subagents.work_on();
        }
        let is_done = matches!(event, Event::PostToolUse | Event::PostToolUseFailure | Event::PostToolBatch);
        if is_done && leaves_plan_mode(firing) {
            self.permissions.lose_mode();
        }
        match event {
            // Whether the count of the main agent's continuations starts again is not said.
            _ if self.stop != StopLoop::FRESH && is_of_a_subagent(firing) => self.stop.is_lost(),
            Event::PreToolUse | Event::PostToolUse | Event::PostToolUseFailure | Event::PostToolBatch => {
                self.happens(Happening::ToolCall)
            }
            Event::UserPromptSubmit => self.happens(Happening::NewPrompt),
            // Where it is blocked, nothing says what became of a turn that it might have interrupted.
            Event::PreCompact | Event::PostCompact => self.is_compacted(),
            // A server that asks is at work on a tool call, so that the count starts again; but when is not said.
            Event::Elicitation | Event::ElicitationResult if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // That its prompt is one like those that are submitted is not said.
            Event::UserPromptExpansion if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // A call that does not come to run may be none that counts.
            Event::PermissionRequest | Event::PermissionDenied if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // A subagent may be the call of a tool, or at work in the background.
            Event::SubagentStop | Event::SubagentStart if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // A tool was called, by the main agent or another.
            Event::TaskCreated | Event::TaskCompleted if self.stop != StopLoop::FRESH => self.stop.is_lost(),
            // The teammate's turn is over; whose `Stop` may follow, and after what, is not said.
            Event::TaskCompleted if self.turn_ends() => self.stop.is_lost(),
            Event::TeammateIdle => self.stop.is_lost(),
            // The turn is over, and a `Stop` before the next prompt is not a course of events that the contract tells of.
            Event::StopFailure => {
                self.at_work = false;
                self.stop.is_lost();
            }
            Event::SessionStart => self.begins(firing),
            Event::SessionEnd => self.happens(Happening::SessionEnds),
            // The session is left or deleted, and where the runtime works by then is not said.
            Event::WorktreeRemove => {
                self.cwd = None;
                self.skills_over = true;
                self.happens(Happening::SessionEnds);
            }
            // It comes before anything else, so what came before it was another session.
            Event::Setup if self.prompted || self.stop != StopLoop::FRESH => self.happens(Happening::Cleared),
            Event::CwdChanged => {
                // A command of the shell is the call of a tool; when it was made is not said.
                if self.stop != StopLoop::FRESH {
                    self.stop.is_lost();
                }
                self.moves(firing);
            }
            _ => {}
        }
    }

    /// The session begins, or is taken up again.
    fn begins(&mut self, firing: &Firing) {
        let fresh = self.stop == StopLoop::FRESH && !self.prompted;
        match firing.input.get("source").and_then(Value::as_str) {
            Some("startup") if fresh => {}
            Some("resume") => self.happens(Happening::Resumed),
            Some("compact") => self.is_compacted(),
            _ => self.happens(Happening::Cleared),
        }
    }

    /// The main conversation is compacted. Whether those of subagents are, too, is not said.
    fn is_compacted(&mut self) {
        self.begun.may_be_compacted();
        self.happens(Happening::Compacted);
    }

    /// How many continuations in a row are allowed; `None` where it is not determined.
    pub(crate) fn stop_cap(&self) -> Option<u32> {
        match self.raised_cap() {
            Ok(raised) => Some(raised.unwrap_or(CAP)),
            Err(_) => self.oracle.is(reading!("A-108", "ignored")).then_some(CAP),
        }
    }

    /// Whether a stop hook can surely make a subagent go on. That its loop has a limit is not said, and so may be; then what
    /// all stop hooks did may count, and the variable may be read as it is for the main agent.
    pub(crate) fn subagent_may_go_on(&self) -> bool {
        self.subagents.continuations < CAP && self.raised_cap().is_ok()
    }

    /// The limit on continuations in place of the ordinary one; an error where the variable says something without a meaning.
    fn raised_cap(&self) -> Result<Option<u32>, Meaningless> {
        let Some(raised) = self.case.host.env.get("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP") else {
            return Ok(None);
        };
        match raised.parse::<u32>() {
            Ok(n) if n > CAP && *raised == n.to_string() => Ok(Some(n)),
            _ => Err(Meaningless),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Deferral, Session, StopLoop};
    use crate::oracle::Oracle;
    use hookproof_contract::{Case, Firing, Readings, Revision};
    use serde_json::{Value, json};

    fn firing(event: &str, input: Value) -> Firing {
        serde_json::from_value(json!({"event": event, "input": input})).expect("a firing")
    }

    /// What a look at a session says, that began in a host and fired events.
    fn after<T>(
        host: Value,
        events: &[Firing],
        look: impl FnOnce(&mut Session<'_>) -> T,
        start: fn(&mut Session<'_>),
    ) -> T {
        let case: Case = serde_json::from_value(json!({"host": host, "settings": [], "steps": []})).expect("a case");
        let declared = Readings::default();
        let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
        let mut session = Session::new(&case, &oracle);
        start(&mut session);
        events.iter().for_each(|firing| session.fires(firing));
        look(&mut session)
    }

    fn stop(events: &[Firing], start: fn(&mut Session<'_>)) -> StopLoop {
        after(json!({}), events, |session| session.stop, start)
    }

    #[test]
    fn where_the_count_of_continuations_may_have_begun_anew_it_is_not_determined() {
        for event in [
            "PreCompact",
            "PostCompact",
            "Elicitation",
            "ElicitationResult",
            "UserPromptExpansion",
            "PermissionRequest",
            "PermissionDenied",
            "SubagentStart",
            "SubagentStop",
            "TaskCreated",
            "TaskCompleted",
            "TeammateIdle",
            "StopFailure",
            "SessionStart",
            "SessionEnd",
            "WorktreeRemove",
            "Setup",
            "CwdChanged",
        ] {
            let left = stop(&[firing(event, json!({}))], |session| session.stop.goes_on(false));
            assert_eq!(left, StopLoop::UNKNOWN, "{event}");
        }
        let left = stop(&[firing("Notification", json!({}))], |session| session.stop.goes_on(false));
        assert_eq!((left.count, left.active), (Some(1), Some(true)), "a notification is no work");
        let ended = stop(&[], |session| session.stop.ends());
        assert_eq!(ended, StopLoop::UNKNOWN, "no second stop is told of in one turn");
    }

    #[test]
    fn in_a_turn_that_no_stop_hook_prolonged_there_is_nothing_to_lose() {
        for event in [
            "Elicitation",
            "ElicitationResult",
            "UserPromptExpansion",
            "PermissionRequest",
            "PermissionDenied",
            "SubagentStart",
            "SubagentStop",
            "TaskCreated",
            "TaskCompleted",
            "Setup",
            "CwdChanged",
        ] {
            assert_eq!(stop(&[firing(event, json!({}))], |_| ()), StopLoop::FRESH, "{event}");
        }
        let completed = [firing("TaskCompleted", json!({}))];
        let of_a_teammate = after(json!({"facts": ["turn_ends"]}), &completed, |session| session.stop, |_| ());
        assert_eq!(of_a_teammate, StopLoop::UNKNOWN, "the turn of a teammate is over");
    }

    #[test]
    fn a_session_that_begins_tells_what_came_before() {
        let begins = |source: &str| [firing("SessionStart", json!({"source": source}))];
        let prompted = |events: &[Firing]| {
            after(json!({}), events, |session| (session.prompted, session.stop), |session| session.prompted = true)
        };
        assert_eq!(stop(&begins("startup"), |_| ()), StopLoop::FRESH);
        assert_eq!(prompted(&begins("startup")), (false, StopLoop::UNKNOWN), "another session began");
        assert_eq!(prompted(&begins("compact")), (true, StopLoop::UNKNOWN), "the prompt is still being worked on");
        assert_eq!(prompted(&begins("resume")), (false, StopLoop::UNKNOWN));
        assert_eq!(prompted(&[firing("Setup", json!({}))]), (false, StopLoop::UNKNOWN), "it comes before all else");
        let call = firing("PreToolUse", json!({}));
        for (source, comes_again) in [("resume", true), ("clear", false)] {
            let case: Case = serde_json::from_value(json!({"settings": [], "steps": []})).expect("a case");
            let declared = Readings::default();
            let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
            let begins = begins(source);
            let mut session = Session::new(&case, &oracle);
            session.deferred = Deferral::PutOff(&call);
            session.fires(&begins[0]);
            assert_eq!(matches!(session.deferred, Deferral::Resumed(_)), comes_again, "{source}");
        }
    }

    #[test]
    fn a_session_still_has_its_skills_as_it_ends_and_not_after() {
        let over = |events: &[Firing]| after(json!({}), events, |session| session.skills_over, |_| ());
        assert!(!over(&[firing("SessionEnd", json!({}))]));
        assert!(over(&[firing("SessionEnd", json!({})), firing("Stop", json!({}))]));
        assert!(!over(&[firing("Stop", json!({}))]));
        assert!(over(&[firing("SessionStart", json!({"source": "clear"}))]), "it may be another session");
    }

    #[test]
    fn what_becomes_of_a_firing_that_is_lost_is_not_determined() {
        let lost = |event: &str, input: Value, look: fn(&mut Session<'_>) -> bool| {
            let case: Case = serde_json::from_value(json!({"settings": [], "steps": []})).expect("a case");
            let declared = Readings::default();
            let oracle = Oracle::new(Revision::NEWEST, &declared, Vec::new());
            let firing = firing(event, input);
            let mut session = Session::new(&case, &oracle);
            session.lose(&firing);
            assert_eq!(session.stop, StopLoop::UNKNOWN, "{event}");
            look(&mut session)
        };
        let agent = json!({"agent_id": "a"});
        assert!(lost("SubagentStart", agent.clone(), |s| s.begun.has(Some("a"), "x").is_none()));
        assert!(lost("SubagentStop", agent, |s| s.subagents.active(Some("a")).is_none()));
        assert!(lost("Stop", json!({}), |s| s.subagents.active(Some("a")).is_none()), "a stop hook may have counted");
        assert!(lost("WorktreeCreate", json!({}), |s| s.home().is_none()));
        for event in ["SessionStart", "CwdChanged", "FileChanged"] {
            assert!(lost(event, json!({}), |s| s.watched.is_none()), "{event}");
        }
        assert!(lost("PreToolUse", json!({}), |s| s.home().is_some() && s.watched.is_some()));
    }

    #[test]
    fn another_limit_on_continuations_counts_where_it_raises_the_ordinary_one() {
        for (value, cap) in [("20", Some(20)), ("9", Some(9)), ("8", None), ("3", None), ("020", None), ("many", None)]
        {
            let host = json!({"env": {"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": value}});
            let raised = after(host, &[], |session| session.raised_cap().ok().flatten(), |_| ());
            assert_eq!(raised, cap, "{value}");
        }
    }
}
