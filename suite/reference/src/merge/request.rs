//! Whether a call that needs permission gets it from a hook (PermissionRequest; chapter *tools*).

use super::{Answered, Remark, contest};
use crate::{Scene, permissions::Update, read::Consent, spill::Limit};
use hookproof_contract::{Audience, Manner};
use serde_json::{Map, Value};

/// What hooks answer to a permission request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// Whether permission is given; nobody may have answered.
    pub(crate) granted: Option<bool>,
    /// The input that replaces the model's.
    pub(crate) input: Option<Map<String, Value>>,
    /// What changes about permissions, in order.
    pub(crate) updates: Vec<Update>,
    /// What the model hears of a refusal.
    pub(crate) refusals: Vec<Remark>,
    /// The agent is to stop.
    pub(crate) interrupts: bool,
}

/// One refusal is enough, and what others grant goes with it; beyond that, the input is that of the hook that ended last, and
/// the updates of all come together. Exit codes have no say, unless exit 2 takes back what the same hook grants.
pub(super) fn merge(scene: &Scene<'_>, answers: Vec<Answered<'_>>) -> Request {
    let mut request = Request::default();
    let mut refusals = Vec::new();
    for (handler, mut answer) in answers {
        let grants_nothing = answer.exits_two() && scene.stance.exit_two_grants_nothing;
        match answer.output_mut().and_then(|output| output.consent.take()) {
            Some(Consent::Given { .. }) if grants_nothing => {}
            Some(Consent::Given { input, mut updates }) => {
                request.granted = request.granted.or(Some(true));
                request.input = input.or(request.input);
                request.updates.append(&mut updates);
            }
            Some(Consent::Refused { message, interrupts }) => {
                request.granted = Some(false);
                request.interrupts |= interrupts;
                let told = message.filter(|message| !message.is_empty());
                let told = told.map(|text| Remark::new(Audience::Model, Manner::Refusal, &handler.name, text));
                refusals.extend(told.map(|told| (handler.place, told.limited(Limit::Open))));
            }
            None => {}
        }
    }
    request.refusals = contest::remarks(scene.stance, refusals);
    if request.granted == Some(false) {
        (request.input, request.updates) = (None, Vec::new());
    }
    request
}
