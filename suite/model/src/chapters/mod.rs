//! The chapters: what the contract demands when an event fires. One file for each event's own chapter, and one for each of the
//! chapters that all events share.

mod asked;
mod background;
mod blocking;
mod config_change;
mod contest;
mod cwd_changed;
mod directory_added;
mod elicitation;
mod elicitation_result;
mod envelope;
mod evaluators;
mod fields;
mod file_changed;
pub(crate) mod given;
mod instructions_loaded;
mod message_display;
mod notices;
mod notification;
mod permission_denied;
pub(crate) mod permission_request;
mod post_compact;
mod post_model_switch;
mod post_tool_batch;
mod post_tool_use;
mod post_tool_use_failure;
mod pre_compact;
mod pre_model_switch;
pub(crate) mod pre_tool_use;
mod prompt;
mod prompt_expansion;
mod sent;
mod session_end;
mod session_start;
mod setup;
mod stop;
mod stop_failure;
mod subagent_start;
mod subagent_stop;
mod task_completed;
mod task_created;
mod teammate_idle;
mod teams;
mod unblockable;
mod watch;
mod worktree;
mod worktree_remove;

use crate::{
    claims::Claims,
    oracle::Oracle,
    select::{Refused, Selected},
    session::{self, Session, StopLoop},
    sieve::select,
    table::{self, DecisionModel, Row},
    voice::{self, Ended, Voice, Word},
};
use hookproof_contract::{Audience, Event, Fate, Firing, Must, Place, RuleId, Say, Surface, Text, reading, rule};
use serde_json::Value;

/// An occurrence of an event, with the handlers that ran.
pub(crate) struct Scene<'s, 'a> {
    pub(crate) session: &'s mut Session<'a>,
    pub(crate) row: &'static Row,
    pub(crate) firing: &'a Firing,
    pub(crate) voices: Vec<Voice<'a>>,
    /// Those that run in the background, where they have no say.
    pub(crate) background: Vec<Voice<'a>>,
    /// Whether handlers were refused of which somebody may be told.
    pub(crate) refused: Refused,
    /// The rule by which just these handlers ran.
    pub(crate) selected_by: RuleId,
}

/// Makes the claims of a firing and moves the session on.
///
/// # Errors
///
/// Says what the model does not cover.
pub(crate) fn fire<'a>(session: &mut Session<'a>, firing: &'a Firing, claims: &mut Claims) -> Result<(), String> {
    let Some(row) = table::row(firing.event) else {
        return Err(format!("the model does not cover {} yet", firing.event));
    };
    let (before, prompted) = (session.stop, session.prompted);
    claims.shown = is_shown(session.case.host.surface, firing);
    session.fires(firing);
    session.pending.fires(session.case, firing);
    if !table::is_there(firing.event, session.oracle.revision) {
        session.lose(firing);
        return Ok(());
    }
    session.environment.fires(firing, session.oracle.revision);
    session.environment.claims(firing, session.case, claims);
    let selection = match select(session, row, firing)? {
        Selected::Handlers(selection) => selection,
        Selected::Unknown => {
            // Open points: nothing is claimed.
            session.once.lose();
            session.environment.may_run(firing, session.case);
            session.lose(firing);
            background::of_other_types(session, firing, claims);
            return Ok(());
        }
    };
    let heard = selection.handlers.into_iter().map(|h| voice::hear(h, row, session.case, firing, session.oracle));
    let voices = heard.collect::<Result<Vec<Voice<'a>>, String>>()?;
    let names = voices.iter().map(|v| v.name.clone()).collect();
    claims.claim(Place::Ran, Must::RunExactly(names), selection.rule, &[]);
    for voice in &voices {
        session.once.ran(session.case, voice);
        session.environment.ran(voice, firing, session.case);
    }
    if selection.out_of_reach {
        not_called(firing.event, claims);
    }
    session.course.ran(firing.event, &voices);
    let (background, voices) = voices.into_iter().partition(|voice| voice.background().is_some());
    let refused = selection.refused;
    let mut scene = Scene { session, row, firing, voices, background, refused, selected_by: selection.rule };
    given::claims(&scene, &selection.contested, claims);
    if scene.is_unclear() || background::is_unclear(&scene) || scene.is_beyond_a_subagent() {
        scene.session.lose(firing);
        return Ok(());
    }
    let stops_for_nothing = |v: &Voice<'_>| scene.ignores_result(v) && v.stops();
    if scene.voices.iter().any(|v| v.word == Word::Free || stops_for_nothing(v)) {
        scene.session.lose(firing);
        return Ok(());
    }
    match firing.event {
        Event::PreToolUse => pre_tool_use::claims(&mut scene, claims),
        Event::PermissionRequest => permission_request::claims(&mut scene, claims),
        Event::PermissionDenied => permission_denied::claims(&scene, claims),
        Event::PostToolUse => post_tool_use::claims(&scene, claims),
        Event::UserPromptSubmit => {
            let blocked = prompt::claims(&scene, claims);
            let goes_through = !blocked && !scene.is_over() && firing.otherwise == Fate::Proceeds;
            scene.session.pending.prompted(goes_through);
            scene.session.at_work = goes_through;
            if !goes_through {
                // Whether such a prompt begins a turn is not said; it makes no difference before the first continuation.
                scene.session.prompted = prompted;
                scene.session.stop = before;
                if before != StopLoop::FRESH {
                    scene.session.stop.is_lost();
                }
            }
        }
        Event::Stop => {
            stop::claims(&mut scene, claims);
            // Unless a hook surely made it go on, the turn may be over, and the prompt with it.
            scene.session.at_work &= scene.session.stop.active == Some(true);
        }
        Event::SubagentStop => subagent_stop::claims(&mut scene, claims),
        Event::TaskCreated => task_created::claims(&scene, claims),
        Event::TaskCompleted => task_completed::claims(&scene, claims),
        Event::TeammateIdle => teammate_idle::claims(&scene, claims),
        Event::Elicitation => elicitation::claims(&scene, claims),
        Event::WorktreeCreate => {
            worktree::claims(&scene, claims);
            // An isolated session works in the new worktree.
            scene.session.cwd = None;
        }
        Event::PreCompact => pre_compact::claims(&scene, claims),
        Event::PostToolUseFailure => post_tool_use_failure::claims(&scene, claims),
        Event::PostToolBatch => post_tool_batch::claims(&mut scene, claims),
        Event::ConfigChange => config_change::claims(&scene, claims),
        Event::CwdChanged => cwd_changed::claims(&mut scene, claims),
        Event::DirectoryAdded => directory_added::claims(&mut scene, claims),
        Event::FileChanged => file_changed::claims(&mut scene, claims),
        Event::UserPromptExpansion => prompt_expansion::claims(&scene, claims),
        Event::SubagentStart => subagent_start::claims(&mut scene, claims),
        Event::PostCompact => post_compact::claims(&scene, claims),
        Event::PreModelSwitch => pre_model_switch::claims(&scene, claims),
        Event::PostModelSwitch => post_model_switch::claims(&mut scene, claims),
        Event::StopFailure => stop_failure::claims(&scene, claims),
        Event::ElicitationResult => elicitation_result::claims(&scene, claims),
        Event::Notification => notification::claims(&scene, claims),
        Event::InstructionsLoaded => instructions_loaded::claims(&scene, claims),
        Event::SessionEnd => session_end::claims(&scene, claims),
        Event::Setup => setup::claims(&scene, claims),
        Event::MessageDisplay => message_display::claims(&scene, claims),
        Event::WorktreeRemove => worktree_remove::claims(&scene, claims),
        Event::SessionStart => session_start::claims(&mut scene, claims),
    }
    evaluators::claims(&scene, claims);
    notices::claims(&scene, claims);
    if selection.passed_over {
        notices::of_those_passed_over(&scene, claims);
    }
    background::claims(&mut scene, claims);
    if scene.is_over() {
        scene.session.at_work = false;
    }
    if scene.is_cut_short() && firing.event != Event::UserPromptSubmit {
        // Whether the agent stops in the ordinary way then is not said.
        scene.session.stop.is_lost();
    }
    // Last, since of two claims that demand the same the event's own comes first.
    if row.model == DecisionModel::Standard {
        envelope::claims(&scene, claims);
    }
    Ok(())
}

/// The debug log tells that a tool is not called.
fn not_called(event: Event, claims: &mut Claims) {
    let line = format!("mcp_tool hooks are not available for the '{event}' hook event (no MCP client context)");
    claims.say(Audience::Debug, Say { parts: vec![Text::from(line)], ..Say::default() }, rule!("MCPHOOK-11"), &[]);
}

/// Whether a person can see what is shown because of an event: elsewhere, what is meant for the user may go to a caller, or nowhere.
fn is_shown(surface: Surface, firing: &Firing) -> bool {
    match (firing.event, surface) {
        // Nor that of a subagent, in which such notices may lie.
        _ if session::is_of_a_subagent(firing) => false,
        // An agent of the runtime's own works in the background; nothing says that its transcript is there to be seen.
        (Event::SubagentStop, Surface::Terminal) => firing.input.get("agent_type") != Some(&Value::from("")),
        // Somebody deletes the session, and looks on.
        (Event::WorktreeRemove, Surface::Background) => true,
        _ => surface == Surface::Terminal,
    }
}

impl<'a> Scene<'_, 'a> {
    /// The oracle of this world.
    pub(crate) fn oracle(&self) -> &'a Oracle<'a> {
        self.session.oracle
    }

    /// The tool that the event is about.
    pub(crate) fn tool(&self) -> &'a str {
        self.firing.input.get("tool_name").and_then(Value::as_str).unwrap_or_default()
    }

    /// Which subagent or teammate the event is about.
    pub(crate) fn agent_id(&self) -> Option<&'a str> {
        session::agent_id(self.firing)
    }

    /// The rule by which nothing was decided, where no handler decided anything: that of the handler that was nearest to it.
    pub(crate) fn silence(&self) -> RuleId {
        let mut rules = self.voices.iter().map(|v| v.silence(self.row));
        let quiet = rule!("CONFIG-NEST-03");
        match self.voices.is_empty() && self.background.is_empty() {
            true => self.selected_by,
            false => background::silence(self).or_else(|| rules.find(|r| *r != quiet)).unwrap_or(quiet),
        }
    }

    /// Whether a handler was refused, and what follows from that is not said: on an event that a failure decides, whether that is one,
    /// and of a handler that cannot be launched, how the error counts.
    fn is_unclear(&self) -> bool {
        let by_failure = matches!(self.firing.event, Event::WorktreeCreate | Event::WorktreeRemove);
        match self.refused {
            Refused::Nothing => false,
            Refused::Call => by_failure,
            Refused::Launch => true,
        }
    }

    /// Whether a subagent makes the call, and what is said of the main agent's need not hold: where somebody is to be asked, where a
    /// hook stops an agent altogether, puts the call off or says something later, and of a permission as such.
    fn is_beyond_a_subagent(&self) -> bool {
        let is_plain = |voice: &Voice<'_>| {
            let decides = voice.object().and_then(|output| output.text("permissionDecision"));
            voice.gets_input() && !voice.stops() && !matches!(decides, Some("ask" | "defer"))
        };
        let of_a_permission = matches!(self.row.event, Event::PermissionRequest | Event::PermissionDenied);
        let is_asked = self.firing.otherwise == Fate::Asked;
        session::is_of_a_subagent(self.firing)
            && (of_a_permission || is_asked || !self.background.is_empty() || !self.voices.iter().all(is_plain))
    }

    /// The same rule, where it says anything of this event. Many speak of the standard events only.
    pub(crate) fn own_silence(&self) -> Option<RuleId> {
        // What no parser takes, and what is not valid, is an error by the standard model only; elsewhere nothing is said of it.
        let is_wrong = |v: &Voice<'_>| match v.word {
            Word::Unparsable(_) => v.end != Ended::Two,
            Word::Invalid => matches!(v.end, Ended::Zero | Ended::Other(_)),
            _ => false,
        };
        if self.voices.iter().any(is_wrong) && self.row.model != DecisionModel::Standard {
            return None;
        }
        Some(self.silence()).filter(|rule| rule.rule().speaks_of(self.row.event))
    }

    /// The rule by which nothing that hooks printed is used, where no handler said anything that the event knows.
    pub(crate) fn unused(&self) -> Option<RuleId> {
        let cancelled = self.voices.iter().any(|v| v.end == Ended::TimedOut);
        if cancelled { Some(rule!("TIMEOUT-02")) } else { self.own_silence() }
    }

    /// Whether the whole result of a hook is ignored: an interactive `defer` (chapter *defer*), which no event but PreToolUse accepts.
    pub(crate) fn ignores_result(&self, voice: &Voice<'_>) -> bool {
        let defers = voice.object().and_then(|o| o.text("permissionDecision")) == Some("defer");
        defers && self.session.case.host.surface == Surface::Terminal
    }

    /// Whether what is in a hook's valid JSON counts, on an event of which it is not said whether it is of the standard decision model
    /// (open point A-01). To be asked where there is something in it. Exit code 2 is another matter.
    pub(crate) fn counts(&self, voice: &Voice<'_>) -> bool {
        match voice.end {
            Ended::Other(_) => self.oracle().is(reading!("A-01", "counts")),
            _ => voice.succeeded(),
        }
    }

    /// Whether an evaluator ends the turn, or may.
    pub(crate) fn is_cut_short(&self) -> bool {
        evaluators::cuts_short(self)
    }

    /// Whether there need be no further request, which could carry anything to the model.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stopped() || self.is_cut_short()
    }

    /// Whether a handler asked the agent to stop altogether, on an event that honours it.
    pub(crate) fn is_stopped(&self) -> bool {
        self.voices.iter().any(Voice::stops)
    }
}
