//! Whether a call that was refused may be made again (PermissionDenied; chapter *permissions*).

use super::{Answered, Remark};
use crate::Scene;
use hookproof_contract::Audience;

/// How the reason begins where the classifier came to no verdict.
const NO_VERDICT: &str = concat!("Auto mode could not evaluate this action", " and is blocking it for safety");

/// What hooks make of a refusal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refusal {
    /// What the model is told, if it may make the call again.
    pub(crate) retry: Option<Remark>,
}

/// One hook is enough, unless nobody has judged the call: then the model knows already what it can do.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Refusal {
    let judged = !scene.input_text("reason").unwrap_or_default().starts_with(NO_VERDICT);
    let allows = |(_, answer): &Answered<'_>| judged && answer.output().is_some_and(|output| output.retry);
    let retry = answers.into_iter().find(allows);
    let text = "A hook lets you make this call again.";
    Refusal { retry: retry.map(|(handler, _)| Remark::new(Audience::Model, None, &handler.name, text)) }
}
