//! What hooks gave the model to read that arrives with a later request (chapters *workspace*, *model-switch* and *background*).

use crate::{
    claims::{Claims, MOST_TOKENS},
    models,
    voice::{Voice, Word},
};
use hookproof_contract::{Audience, Case, Claim, Event, Firing, Happening, Must, canary, rule};
use serde_json::Value;

/// The texts that have not arrived yet.
#[derive(Default)]
pub(crate) struct Pending<'a> {
    waiting: Vec<Later<'a>>,
    /// All that hooks ever wrote of which some may arrive, even where nobody can say any more when.
    written: Vec<String>,
}

/// What one occurrence gave to the model.
struct Later<'a> {
    of: &'a Firing,
    /// What is demanded of the request with which it arrives.
    claims: Vec<Claim>,
    /// The context that its hooks gave, and all that they wrote.
    context: Vec<String>,
    written: Vec<String>,
    /// Whether the next request is the one.
    due: bool,
    /// Whether another switch came in between, so that none of it arrives.
    superseded: bool,
    /// Whether it comes of a hook in the background, and so no sooner than with the next prompt, whatever the turn does meanwhile.
    background: bool,
}

impl<'a> Pending<'a> {
    /// Something was said that arrives with the next request, or, after a directory was added, with the next turn's first.
    pub(crate) fn add(&mut self, of: &'a Firing, voices: &[Voice<'_>], claims: Claims) {
        let plain = |voice: &Voice<'_>| matches!(voice.word, Word::Plain(_)).then(|| voice.out.clone().into_owned());
        let of_voice = |voice: &Voice<'_>| voice.context().map(str::to_owned).or_else(|| plain(voice));
        let context = voices.iter().filter_map(of_voice).collect();
        let written: Vec<String> = voices.iter().map(|voice| voice.out.clone().into_owned()).collect();
        let due = of.event == Event::PostModelSwitch;
        let claims = claims.into_made();
        self.written.extend_from_slice(&written);
        self.waiting.push(Later { of, claims, context, written, due, superseded: false, background: false });
    }

    /// A hook in the background said something, which arrives after the next prompt.
    pub(crate) fn add_of_background(&mut self, of: &'a Firing, claims: Claims) {
        let claims = claims.into_made();
        let (context, written) = (Vec::new(), Vec::new());
        self.waiting.push(Later { of, claims, context, written, due: false, superseded: false, background: true });
    }

    /// A prompt was submitted: it goes to the model, or perhaps not.
    pub(crate) fn prompted(&mut self, goes_through: bool) {
        self.waiting.retain(|later| goes_through || !later.background);
        self.waiting.iter_mut().filter(|later| later.background).for_each(|later| later.due = true);
    }

    /// Nobody can say any more what arrives.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// An event fires. Most of them tell that requests were made meanwhile, and what arrived with these a case does not say.
    pub(crate) fn fires(&mut self, case: &Case, firing: &Firing) {
        match firing.event {
            Event::PreModelSwitch | Event::DirectoryAdded | Event::CwdChanged | Event::FileChanged => {}
            Event::PostModelSwitch => self.supersede(case, firing),
            // It may be blocked, and then no turn begins.
            Event::UserPromptSubmit => {
                self.waiting.retain(|later| later.of.event == Event::PostModelSwitch || later.background && !later.due)
            }
            Event::UserPromptExpansion => self.waiting.retain(|later| later.of.event == Event::PostModelSwitch),
            _ => self.waiting.retain(|later| later.background && !later.due && is_of_the_turn(firing.event)),
        }
    }

    /// Something happens, and perhaps texts arrive.
    pub(crate) fn happens(&mut self, what: Happening, claims: &mut Claims) {
        self.keep(claims);
        match what {
            Happening::NewPrompt => self.waiting.iter_mut().for_each(|later| later.due = true),
            Happening::ModelRequest => self.arrive(claims),
            // The request that called the tool may have been the one.
            Happening::ToolCall => self.waiting.retain(|later| !later.due),
            _ => self.forget(),
        }
    }

    /// What a hook in the background may not tell it does not tell at any time, unless another wrote the same.
    fn keep(&self, claims: &mut Claims) {
        let elsewhere = |part: &str| self.written.iter().any(|text| text.contains(part));
        for claim in self.waiting.iter().filter(|later| later.background).flat_map(|later| &later.claims) {
            if let Must::NotSay(say) = &claim.must
                && !say.parts.iter().any(|part| elsewhere(&part.lossy()))
            {
                claims.make(claim.clone());
            }
        }
    }

    fn arrive(&mut self, claims: &mut Claims) {
        let (due, waiting): (Vec<Later<'_>>, Vec<Later<'_>>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|later| later.due);
        self.waiting = waiting;
        let (gone, there): (Vec<Later<'_>>, Vec<Later<'_>>) = due.into_iter().partition(|later| later.superseded);
        let is_there = |token: &str| there.iter().flat_map(|later| &later.written).any(|text| text.contains(token));
        for text in gone.iter().flat_map(|later| &later.context) {
            // What hooks wrote once more may well arrive.
            for token in canary::canaries(text.as_bytes()).take(MOST_TOKENS).filter(|token| !is_there(token)) {
                claims.not_say(Audience::Model, token, rule!("POSTMODEL-OUT-03"), &[]);
            }
        }
        for later in there {
            let kept = |claim: &Claim| later.background && matches!(claim.must, Must::NotSay(_));
            for claim in later.claims.into_iter().filter(|claim| !kept(claim)) {
                // That what is said of the last of several switches arrives has a rule of its own.
                let last = !gone.is_empty() && claim.rule == rule!("POSTMODEL-OUT-01");
                let rule = if last { rule!("POSTMODEL-OUT-03") } else { claim.rule };
                claims.make(Claim { rule, ..claim });
            }
        }
    }

    /// Of several switches before a request only what was said of the last model arrives.
    fn supersede(&mut self, case: &Case, firing: &Firing) {
        let switched = |later: &Later<'_>| later.of.event == Event::PostModelSwitch;
        // Whether the same model twice is one destination is not said.
        self.waiting.retain(|later| !switched(later) || is_another(case, later.of, firing));
        self.waiting.iter_mut().filter(|later| switched(later)).for_each(|later| later.superseded = true);
    }
}

/// Whether an event leaves the session and its turn as they are, so that what waits for the next prompt waits still.
fn is_of_the_turn(event: Event) -> bool {
    matches!(
        event,
        Event::PreToolUse
            | Event::PermissionRequest
            | Event::PermissionDenied
            | Event::PostToolUse
            | Event::PostToolUseFailure
            | Event::PostToolBatch
            | Event::Stop
            | Event::Notification
            | Event::MessageDisplay
    )
}

/// Whether two switches surely went to different models.
fn is_another(case: &Case, one: &Firing, other: &Firing) -> bool {
    let model = |firing: &Firing| {
        let id = firing.input.get("to_model").and_then(Value::as_str)?;
        models::canonical(&case.host, id).map(str::to_owned)
    };
    matches!((model(one), model(other)), (Some(one), Some(other)) if one != other)
}
