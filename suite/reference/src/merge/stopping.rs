//! Whether the agent may stop (Stop and SubagentStop; chapters *stop* and *agents*).

use super::{Answered, Remark, contest, hook_name, top_message};
use crate::{Scene, postures::Space, read::trim, spill::Limit};
use hookproof_contract::{Audience, Manner};

/// What stop hooks decide.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stopping {
    /// The agent is to go on.
    pub(crate) goes_on: bool,
    /// A hook exited 2.
    pub(crate) exits_two: bool,
    /// What is said if it does go on.
    pub(crate) said: Vec<Remark>,
}

/// One block, or one feedback, is enough to go on.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Stopping {
    let mut stopping = Stopping::default();
    let mut blocks = Vec::new();
    for (handler, mut answer) in answers {
        if answer.blocks() {
            stopping.goes_on = true;
            stopping.exits_two |= answer.exits_two();
            let text = top_message(scene, &mut answer).unwrap_or_default();
            let told = Remark::new(Audience::Model, Manner::Feedback, &handler.name, text).limited(Limit::Open);
            let notice = Remark { to: Audience::User, how: Some(Manner::Notice), ..told.clone() };
            let notice = notice.led_by(format!("{} hook error: ", hook_name(scene, &handler.name)));
            blocks.extend([notice, told].map(|remark| (handler.place, remark)));
        }
        let is_blank = |text: &str| trim(text, Space::Ecmascript).is_empty() && !scene.stance.blank_context_goes_on;
        let context = answer.output_mut().and_then(|output| output.context.take());
        if let Some(text) = context.filter(|text| !is_blank(text)) {
            stopping.goes_on = true;
            let told = super::context(scene, &handler.name, text);
            let shown = Remark { to: Audience::User, how: Some(Manner::Feedback), ..told.clone() };
            stopping.said.push(shown.led_by(format!("{} hook feedback: ", scene.event())));
            stopping.said.push(told);
        }
    }
    stopping.said.append(&mut contest::remarks(scene.stance, blocks));
    stopping
}
