//! The last step: what the decision does to the session, and what is seen of it.

mod config_change;
mod elicitation;
mod elicitation_result;
mod instructions_loaded;
mod message_display;
mod notification;
mod post_compact;
mod post_tool_batch;
mod post_tool_use;
mod post_tool_use_failure;
mod pre_compact;
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
mod worktree_create;
mod worktree_remove;

use crate::{
    Scene,
    merge::{Decision, Remark, Verdict},
    session::Session,
    spill,
};
use hookproof_contract::{Agent, Fate, Outcome};

/// Applies a decision.
pub(crate) fn apply<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    let Decision { said, context, stop, ends_turn, verdict } = decision;
    let mut effect = Effect { scene, session, outcome: Outcome::default(), stop, ends_turn };
    effect.say_all(said);
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
        Verdict::Nothing => {}
    }
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

    fn say_all(&mut self, remarks: Vec<Remark>) {
        for remark in remarks {
            self.say(remark);
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
