//! PreToolUse (chapters *tools* and *defer*, and the precedence of decisions).

mod fate;
pub(crate) mod permission;
mod told;

use super::{
    Scene,
    blocking::{self, JsonBlock},
    evaluators::{self, Effect},
};
use crate::{claims::Claims, read::schema::Decision, select::HandlerKind, session::Deferral, voice::Voice};
use hookproof_contract::{Firing, RuleId, Surface, bare, reading, rule};
use permission::{Bearing, bearing};
use serde_json::Value;

/// What one hook wants done with the call, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    Deny,
    Defer,
    Ask,
    Allow,
    Nothing,
}

/// One hook's wish, with what goes with it.
struct Opinion<'v> {
    voice: &'v Voice<'v>,
    wish: Wish,
    /// By which rule the wish counts.
    rule: RuleId,
    /// The reason, and the rule by which it is the message.
    reason: Option<(&'v str, RuleId)>,
    /// Stderr that is not the message, since JSON gave the reason.
    displaced: Option<&'v str>,
    input: Option<&'v Value>,
    /// A `defer` that is not honoured here, by this rule.
    unheeded: Option<RuleId>,
}

impl Opinion<'_> {
    /// Whether it is an evaluator's objection, of which is not said that it is a decision among others.
    fn is_only_judged(&self) -> bool {
        let of_an_evaluator = matches!(self.voice.handler.kind, HandlerKind::Prompt | HandlerKind::Agent);
        of_an_evaluator && self.rule != rule!("PROMPT-RESP-13")
    }
}

/// The rules for blocking a call.
const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-PreToolUse"),
    stderr: rule!("PRETOOL-OUT-08"),
    beside_json: rule!("EXIT-2-06"),
    json: rule!("PRETOOL-OUT-04"),
    reason: rule!("PRETOOL-REASON-03"),
};

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    let deferred = on_the_call(scene, claims);
    scene.session.deferred = if deferred { Deferral::PutOff(scene.firing) } else { Deferral::None };
}

/// Makes the claims, and says whether the call was put off.
fn on_the_call(scene: &Scene<'_, '_>, claims: &mut Claims) -> bool {
    let opinions: Vec<Opinion<'_>> = scene.voices.iter().map(|voice| opinion(scene, voice)).collect();
    let wish = opinions.iter().map(|o| o.wish).min().unwrap_or(Wish::Nothing);
    let call = Call { scene, opinions, wish };
    let fate = call.fate(claims);
    call.input(fate, claims);
    call.reasons(claims);
    call.context(fate, claims);
    wish == Wish::Defer
}

fn opinion<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'v>) -> Opinion<'v> {
    if let Some(judged) = judged(scene, voice) {
        return judged;
    }
    let output = voice.object();
    let new = output.and_then(|o| o.text("permissionDecision"));
    let old = output.and_then(|o| o.decision);
    let legacy = old.is_some() && (new.is_none() || scene.oracle().is(reading!("A-75", "decision")));
    let wish = match (legacy, old, new) {
        (true, Some(Decision::Block), _) | (false, _, Some("deny")) => Wish::Deny,
        (true, Some(Decision::Approve), _) | (false, _, Some("allow")) => Wish::Allow,
        (false, _, Some("ask")) => Wish::Ask,
        (false, _, Some("defer")) => Wish::Defer,
        _ => Wish::Nothing,
    };
    let reason = output.and_then(|o| if legacy { o.reason.as_deref() } else { o.text("permissionDecisionReason") });
    let reason = reason.filter(|r| !bare(r).is_empty());
    let json = JsonBlock { reason, rule: legacy.then_some(rule!("PRETOOL-LEGACY-01")) };
    let input = output.and_then(|o| o.specific.get("updatedInput"));
    if let Some(block) = blocking::block(voice, (wish == Wish::Deny).then_some(&json), &BLOCKING, scene.oracle()) {
        let (rule, reason, displaced) = (block.rule, block.message, block.displaced);
        return Opinion { voice, wish: Wish::Deny, rule, reason, displaced, input, unheeded: None };
    }
    let (own, of_reason) = match wish {
        _ if legacy => (rule!("PRETOOL-LEGACY-01"), rule!("PRETOOL-LEGACY-01")),
        Wish::Allow => (rule!("PRETOOL-OUT-01"), rule!("PRETOOL-REASON-04")),
        Wish::Ask => (rule!("PRETOOL-OUT-05"), rule!("PRETOOL-REASON-01")),
        _ => (rule!("PRETOOL-OUT-06"), rule!("PRETOOL-REASON-04")),
    };
    let rule = voice.by(own);
    let unheeded = (wish == Wish::Defer).then(|| defer_is_unheeded(scene)).flatten();
    let wish = if unheeded.is_some() { Wish::Nothing } else { wish };
    Opinion { voice, wish, rule, reason: reason.map(|r| (r, of_reason)), displaced: None, input, unheeded }
}

/// The opinion of an evaluator that objects.
fn judged<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'v>) -> Option<Opinion<'v>> {
    let (effect, by) = evaluators::effect(scene, voice)?;
    let amounts_to_deny = effect == Effect::GoesOn && by == rule!("PROMPT-RESP-03");
    let rule = if amounts_to_deny { rule!("PROMPT-RESP-13") } else { by };
    let reason = evaluators::reason(voice).map(|reason| (reason, by));
    Some(Opinion { voice, wish: Wish::Deny, rule, reason, displaced: None, input: None, unheeded: None })
}

/// Why a `defer` is not honoured, if it is not.
fn defer_is_unheeded(scene: &Scene<'_, '_>) -> Option<RuleId> {
    let host = &scene.session.case.host;
    match host.surface {
        Surface::Terminal => Some(rule!("DEFER-02")),
        _ if host.tool_calls_in_turn > 1 => Some(rule!("DEFER-11")),
        _ => None,
    }
}

/// A tool call with all opinions on it.
struct Call<'s, 'v> {
    scene: &'s Scene<'s, 'v>,
    opinions: Vec<Opinion<'s>>,
    wish: Wish,
}

impl<'s> Call<'s, '_> {
    fn tool(&self) -> &str {
        self.scene.tool()
    }

    /// The opinions that won.
    fn winners(&self) -> impl Iterator<Item = &Opinion<'s>> {
        self.opinions.iter().filter(|o| o.wish == self.wish)
    }

    /// The rule by which the winning wish won.
    fn winning_rule(&self) -> RuleId {
        let contested = self.opinions.iter().any(|o| o.wish != self.wish && o.wish != Wish::Nothing);
        let first = self.winners().next().map_or(rule!("CONFIG-NEST-03"), |o| o.rule);
        // Of a refusal that ends the turn it is not said that it is such a decision.
        if contested && !self.scene.is_cut_short() { rule!("PREC-PRETOOL-01") } else { first }
    }

    /// The inputs that hooks made and that may count, with who made them.
    fn proposals(&self) -> Vec<(&'s Voice<'s>, &'s Value)> {
        let oracle = self.scene.oracle();
        let mut proposed = Vec::new();
        for opinion in &self.opinions {
            let Some(input) = opinion.input else { continue };
            let applies = match opinion.wish {
                _ if opinion.unheeded.is_some() => false,
                Wish::Defer => false,
                Wish::Nothing => oracle.is(reading!("A-74", "applies")),
                wish if wish == self.wish => true,
                _ => oracle.is(reading!("A-73", "applies")),
            };
            if applies {
                proposed.push((opinion.voice, input));
            }
        }
        proposed
    }

    /// The inputs with which the call may go on: what the model made, or what hooks made of it.
    fn inputs(&self) -> Vec<&Value> {
        let mut proposed: Vec<&Value> = Vec::new();
        for (_, input) in self.proposals() {
            if !proposed.contains(&input) {
                proposed.push(input);
            }
        }
        if proposed.is_empty() {
            proposed.push(self.own_input());
        }
        proposed
    }

    /// How the host's permission rules bear on every possible input; nothing where the inputs differ in it or may be none, or the
    /// rules and the mode are others by now.
    fn permission(&self, inputs: &[&Value]) -> Option<Bearing> {
        if self.scene.session.permissions.changed {
            return None;
        }
        let permissions = &self.scene.session.case.host.permissions;
        let mut bearings = inputs.iter().map(|input| bearing(permissions, self.tool(), input));
        let first = bearings.next().unwrap_or(Some(Bearing::None))?;
        let is_fit = |input: &&Value| *input == self.own_input() || permission::is_whole(self.tool(), input);
        if first != Bearing::Deny && !inputs.iter().all(is_fit) {
            return None;
        }
        bearings.all(|b| b == Some(first)).then_some(first)
    }

    /// Whether the call goes on with an input that the model did not make.
    fn is_rewritten(&self, inputs: &[&Value]) -> bool {
        !inputs.contains(&self.own_input())
    }

    /// Whether it was put off before, and the session was resumed.
    fn comes_again(&self) -> bool {
        let same = |call: &Firing, field: &str| call.input.get(field) == self.scene.firing.input.get(field);
        let call = |call: &Firing| same(call, "tool_name") && same(call, "tool_use_id");
        matches!(self.scene.session.deferred, Deferral::Resumed(before) if call(before))
    }

    /// Whether the tool cannot run before the user has given an answer.
    fn needs_an_answer(&self) -> bool {
        permission::needs_an_answer(self.tool())
    }

    fn own_input(&self) -> &Value {
        self.scene.firing.input.get("tool_input").unwrap_or(&Value::Null)
    }

    /// How permission rules bear on the call as the model made it.
    fn own_bearing(&self) -> Option<Bearing> {
        bearing(&self.scene.session.case.host.permissions, self.tool(), self.own_input())
    }
}
