//! What hooks gave the model to read that arrives with a later request (chapters *workspace* and *model-switch*).

use crate::{
    claims::{Claims, MOST_TOKENS},
    models,
};
use hookproof_contract::{Audience, Case, Claim, Event, Firing, Happening, canary, rule};
use serde_json::Value;

/// The texts that have not arrived yet.
#[derive(Default)]
pub(crate) struct Pending<'a> {
    waiting: Vec<Later<'a>>,
}

/// What one occurrence gave to the model.
struct Later<'a> {
    of: &'a Firing,
    /// What is demanded of the request with which it arrives.
    claims: Vec<Claim>,
    /// The texts, should they not have to arrive after all.
    texts: Vec<String>,
    /// Whether the next request is the one.
    due: bool,
}

impl<'a> Pending<'a> {
    /// Something was said that arrives with the next request, or, after a directory was added, with the next turn's first.
    pub(crate) fn add(&mut self, of: &'a Firing, claims: Claims, texts: Vec<String>) {
        let due = of.event == Event::PostModelSwitch;
        self.waiting.push(Later { of, claims: claims.into_made(), texts, due });
    }

    /// An event fires. Most of them tell that requests were made meanwhile, and what arrived with these a case does not say.
    pub(crate) fn fires(&mut self, case: &Case, firing: &'a Firing, claims: &Claims) {
        match firing.event {
            Event::PreModelSwitch | Event::DirectoryAdded | Event::CwdChanged | Event::FileChanged => {}
            Event::PostModelSwitch => self.supersede(case, firing, claims),
            // It may be blocked, and then no turn begins.
            Event::UserPromptSubmit | Event::UserPromptExpansion => {
                self.waiting.retain(|later| later.of.event == Event::PostModelSwitch);
            }
            _ => self.waiting.clear(),
        }
    }

    /// Something happens, and perhaps texts arrive.
    pub(crate) fn happens(&mut self, what: Happening, claims: &mut Claims) {
        match what {
            Happening::NewPrompt => self.waiting.iter_mut().for_each(|later| later.due = true),
            Happening::ModelRequest => {
                let (due, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|later| later.due);
                self.waiting = waiting;
                let due: Vec<Later<'_>> = due;
                due.into_iter().flat_map(|later| later.claims).for_each(|claim| claims.make(claim));
            }
            // The request that called the tool may have been the one.
            Happening::ToolCall => self.waiting.retain(|later| !later.due),
            _ => self.waiting.clear(),
        }
    }

    /// Of several switches before a request only what was said of the last model arrives.
    fn supersede(&mut self, case: &Case, firing: &Firing, claims: &Claims) {
        let switched = |later: &Later<'_>| later.of.event == Event::PostModelSwitch;
        // Whether the same model twice is one destination is not said.
        self.waiting.retain(|later| !switched(later) || is_another(case, later.of, firing));
        for later in self.waiting.iter_mut().filter(|later| switched(later)) {
            let mut no_more = claims.apart();
            for canary in later.texts.iter().flat_map(|text| canary::canaries(text.as_bytes()).take(MOST_TOKENS)) {
                no_more.not_say(Audience::Model, canary, rule!("POSTMODEL-OUT-03"), &[]);
            }
            later.claims = no_more.into_made();
        }
    }
}

/// Whether two switches surely went to different models.
fn is_another(case: &Case, one: &Firing, other: &Firing) -> bool {
    let model = |firing: &Firing| {
        let id = firing.input.get("to_model").and_then(Value::as_str)?;
        models::canonical(&case.host, id).map(str::to_owned)
    };
    matches!((model(one), model(other)), (Some(one), Some(other)) if one != other)
}
