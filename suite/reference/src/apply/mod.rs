//! The last step: what the decision does to the session, and what is seen of it.

mod config_change;
mod directory_added;
mod elicitation;
mod elicitation_result;
mod instructions_loaded;
mod message_display;
mod notification;
mod permission_denied;
mod permission_request;
mod post_compact;
mod post_model_switch;
mod post_tool_batch;
mod post_tool_use;
mod post_tool_use_failure;
mod pre_compact;
mod pre_model_switch;
mod pre_tool_use;
mod session_end;
mod session_start;
mod setup;
mod stop;
mod stop_failure;
mod subagent_start;
mod task_completed;
mod task_created;
mod teammate_idle;
mod user_prompt_expansion;
mod user_prompt_submit;
mod watched;
mod worktree_create;
mod worktree_remove;

use crate::{
    Scene,
    merge::{Decision, Later, Remark, Verdict, hook_name},
    select,
    session::Session,
    spill,
};
use hookproof_contract::{Agent, Audience, Fate, Manner, Name, Outcome, Said};

/// Applies a decision.
pub(crate) fn apply<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let Decision { said, context, stop, ends_turn, later, exports, verdict } = decision;
    session.environment.changes(scene.event(), exports);
    let mut effect = Effect { scene, session, outcome: Outcome::default(), stop, ends_turn };
    effect.say_all(said);
    effect.report_refused();
    effect.outcome.said.extend(select::passed_over(scene, effect.session));
    match verdict {
        Verdict::Call(call) => pre_tool_use::apply(&mut effect, call, context),
        Verdict::Finished(finished) => post_tool_use::apply(&mut effect, finished, context),
        Verdict::Prompt(prompt) => user_prompt_submit::apply(&mut effect, prompt, context),
        Verdict::Stopping(stopping) => stop::apply(&mut effect, stopping),
        Verdict::Dialog(reply) => elicitation::apply(&mut effect, reply),
        Verdict::Worktree(worktree) => worktree_create::apply(&mut effect, worktree),
        Verdict::Compaction(compaction) => pre_compact::apply(&mut effect, compaction),
        Verdict::Creation(creation) => task_created::apply(&mut effect, creation),
        Verdict::Idling(objections) => teammate_idle::apply(&mut effect, objections),
        Verdict::Completion(objections) => task_completed::apply(&mut effect, objections),
        Verdict::Failure(failure) => post_tool_use_failure::apply(&mut effect, failure, context),
        Verdict::Expansion(expansion) => user_prompt_expansion::apply(&mut effect, expansion, context),
        Verdict::Change(change) => config_change::apply(&mut effect, change),
        Verdict::Batch(batch) => post_tool_batch::apply(&mut effect, batch, context),
        Verdict::Briefing => subagent_start::apply(&mut effect, context),
        Verdict::Compacted(said) => post_compact::apply(&mut effect, said),
        Verdict::TurnFailed => stop_failure::apply(&mut effect),
        Verdict::Response(reply) => elicitation_result::apply(&mut effect, reply),
        Verdict::Start(start) => session_start::apply(&mut effect, start, context),
        Verdict::SetUp => setup::apply(&mut effect),
        Verdict::Notified => notification::apply(&mut effect),
        Verdict::Display(text) => message_display::apply(&mut effect, text),
        Verdict::Instructed => instructions_loaded::apply(&mut effect),
        Verdict::Removal(removal) => worktree_remove::apply(&mut effect, removal),
        Verdict::Ended(said) => session_end::apply(&mut effect, said),
        Verdict::Watched(watched) => watched::apply(&mut effect, watched),
        Verdict::Addition(addition) => directory_added::apply(&mut effect, addition),
        Verdict::Switch(switch) => pre_model_switch::apply(&mut effect, switch),
        Verdict::Refusal(refusal) => permission_denied::apply(&mut effect, refusal),
        Verdict::Request(request) => permission_request::apply(&mut effect, request),
        Verdict::Switched => post_model_switch::apply(&mut effect, context),
        Verdict::Nothing => {}
    }
    effect.keep(later);
    effect.outcome
}

/// An outcome while it is made.
struct Effect<'s, 'a> {
    scene: &'s Scene<'a>,
    session: &'s mut Session,
    outcome: Outcome,
    /// Somebody asks that the agent do no more work.
    stop: bool,
    /// An evaluator objects, and the turn is over.
    ends_turn: bool,
}

impl Effect<'_, '_> {
    fn say(&mut self, remark: Remark) {
        let said = spill::deliver(self.scene.stance, self.session, remark);
        self.outcome.said.push(said);
    }

    /// Remarks as they will arrive, but not yet.
    fn deliver_all(&mut self, remarks: Vec<Remark>) -> Vec<Said> {
        remarks.into_iter().map(|remark| spill::deliver(self.scene.stance, self.session, remark)).collect()
    }

    /// Keeps what the model hears of commands in the background (ASYNC-05, ASYNC-10).
    fn keep(&mut self, later: Later) {
        let mut news = self.deliver_all(later.news);
        self.session.kept.for_turn.append(&mut news);
        let mut reminders = self.deliver_all(later.reminders);
        self.session.kept.for_request.append(&mut reminders);
    }

    fn say_all(&mut self, remarks: Vec<Remark>) {
        for remark in remarks {
            self.say(remark);
        }
    }

    /// Reports the handlers that were not even started (CONFIG-EXEC-09).
    fn report_refused(&mut self) {
        for text in select::refused(self.scene, self.session) {
            let name = Name::from(text);
            let problem = "was not started: a shell must not read a plugin's settings as part of a command";
            for (to, how) in [(Audience::User, Some(Manner::Notice)), (Audience::Debug, None)] {
                self.say(Remark::new(to, how, &name, format!("{} {problem}", hook_name(self.scene, &name))));
            }
        }
    }

    /// Reports the fate; it goes without saying where hooks changed nothing.
    fn fate(&mut self, fate: Fate) {
        self.outcome.fate = (fate != self.scene.firing.otherwise).then_some(fate);
    }

    fn agent(&mut self, agent: Agent) {
        self.outcome.agent = Some(agent);
    }

    /// The agent stops, or its turn ends, if somebody asks for it.
    fn stop_if_asked(&mut self) {
        if self.stop {
            self.agent(Agent::Stops);
        } else if self.ends_turn {
            self.agent(Agent::EndsTurn);
        }
    }
}
