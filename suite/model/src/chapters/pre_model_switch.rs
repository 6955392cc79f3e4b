//! PreModelSwitch (chapter *model-switch*): somebody asks for another model, and hooks may refuse it or have the user confirm it.

use super::{
    Scene,
    blocking::{self, Block, JsonBlock},
    envelope::{self, one_of},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Audience, Fact, Fate, Manner, RuleId, Surface, bare, rule};
use serde_json::Value;

/// What one hook wants done with the switch, from the strongest to the weakest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wish {
    Refuse,
    Ask,
    Allow,
    Nothing,
}

/// One hook's wish, with what goes with it.
struct Opinion<'v> {
    voice: &'v Voice<'v>,
    /// Nothing where its output says two things of which it is not said which counts.
    wish: Option<Wish>,
    rule: RuleId,
    /// What the user is told of it, and by which rule.
    reason: Option<(&'v str, RuleId)>,
    /// Stderr that is not the message, since JSON gave the reason.
    displaced: Option<&'v str>,
}

const BLOCKING: blocking::Rules = blocking::Rules {
    exit_2: rule!("EXIT-2-EV-PreModelSwitch"),
    stderr: rule!("EXIT-2-EV-PreModelSwitch"),
    beside_json: rule!("EXIT-2-06"),
    json: rule!("PREMODEL-OUT-01"),
    reason: rule!("PREMODEL-OUT-06"),
};

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let opinions: Vec<Opinion<'_>> = scene.voices.iter().map(|voice| opinion(scene, voice)).collect();
    fate(scene, &opinions, claims);
    if !scene.is_stopped() {
        refusal(scene, &opinions, claims);
        question(scene, &opinions, claims);
    }
    for opinion in &opinions {
        let Some(output) = opinion.voice.object() else { continue };
        let contexts = output.stray.iter().filter(|(key, _)| key == "additionalContext");
        for context in contexts.filter_map(|(_, text)| text.as_deref()) {
            claims.keep_from(Audience::Model, context, rule!("PREMODEL-OUT-02"));
        }
        envelope::warning_by(rule!("PREMODEL-OUT-07"), scene, opinion.voice, output, claims);
        if let Some(reason) = output.text("permissionDecisionReason")
            && opinion.wish == Some(Wish::Allow)
        {
            for to in [Audience::User, Audience::Model] {
                claims.keep_from(to, reason, rule!("PREMODEL-OUT-06D"));
            }
        }
    }
}

fn opinion<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'v>) -> Opinion<'v> {
    let output = voice.object();
    let decision = output.and_then(|o| o.text("permissionDecision"));
    let says = |rule: RuleId, wish: Wish| Opinion { voice, wish: Some(wish), rule, reason: None, displaced: None };
    if voice.end == Ended::TimedOut {
        return says(rule!("TIMEOUT-04"), Wish::Refuse);
    }
    let denial = output.and_then(|o| o.text("permissionDecisionReason")).filter(|_| decision == Some("deny"));
    let top = output.filter(|o| o.blocks()).and_then(|o| o.reason.as_deref());
    if voice.end == Ended::Two {
        let json = match (voice.blocks(), decision) {
            // Which of two reasons is the message is not said.
            (true, Some("deny")) if top != denial => return says(BLOCKING.exit_2, Wish::Refuse),
            (true, _) => Some(JsonBlock { reason: top, rule: None }),
            (false, Some("deny")) => Some(JsonBlock { reason: denial, rule: None }),
            _ => None,
        };
        if let Some(Block { rule, message, displaced }) =
            blocking::block(voice, json.as_ref(), &BLOCKING, scene.oracle())
        {
            return Opinion { voice, wish: Some(Wish::Refuse), rule, reason: message, displaced };
        }
    }
    match (voice.blocks(), decision) {
        (_, Some("deny")) => {
            let reason = denial.filter(|r| !bare(r).is_empty()).map(|r| (r, voice.by(rule!("PREMODEL-OUT-06"))));
            Opinion { reason, ..says(voice.by(rule!("PREMODEL-OUT-04")), Wish::Refuse) }
        }
        (true, None) => says(voice.by(rule!("PREMODEL-OUT-01")), Wish::Refuse),
        (true, Some(_)) => Opinion { wish: None, ..says(rule!("PREMODEL-OUT-01"), Wish::Nothing) },
        (false, Some("ask")) => {
            let reason = output.and_then(|o| o.text("permissionDecisionReason")).filter(|r| !bare(r).is_empty());
            let reason = reason.map(|r| (r, voice.by(rule!("PREMODEL-OUT-06C"))));
            Opinion { reason, ..says(voice.by(rule!("PREMODEL-OUT-05")), Wish::Ask) }
        }
        (false, Some("allow")) => says(voice.by(rule!("PREMODEL-OUT-03")), Wish::Allow),
        (false, _) => says(rule!("PREMODEL-NODECISION"), Wish::Nothing),
    }
}

/// What becomes of the switch, where that is certain.
fn fate(scene: &Scene<'_, '_>, opinions: &[Opinion<'_>], claims: &mut Claims) {
    let refusing: Vec<&Opinion<'_>> = opinions.iter().filter(|o| o.wish == Some(Wish::Refuse)).collect();
    if scene.is_stopped() {
        // Beside `continue: false`, which overrules decisions, only what is no decision of JSON is certain.
        let by_end = refusing.iter().find(|o| matches!(o.voice.end, Ended::Two | Ended::TimedOut));
        if let Some(opinion) = by_end {
            let rule = if opinion.voice.end == Ended::Two { rule!("EXIT-GEN-04") } else { opinion.rule };
            claims.fate(Fate::Prevented, rule, &[]);
        }
        return;
    }
    if let Some(first) = refusing.first() {
        let by_end = refusing.iter().find(|o| matches!(o.voice.end, Ended::Two | Ended::TimedOut));
        let contested = opinions.iter().any(|o| matches!(o.wish, Some(Wish::Ask | Wish::Allow)));
        let rule = match by_end {
            Some(opinion) => opinion.rule,
            // The order is one of decisions in `permissionDecision`.
            None if contested && !first.voice.blocks() => rule!("PREC-PREMODEL-01"),
            None => first.rule,
        };
        return claims.fate(Fate::Prevented, rule, &[]);
    }
    let Some(wishes) = opinions.iter().map(|o| o.wish).collect::<Option<Vec<Wish>>>() else { return };
    let wish = wishes.iter().min().copied().unwrap_or(Wish::Nothing);
    let contested = wishes.contains(&Wish::Allow) && wish == Wish::Ask;
    let own = opinions.iter().find(|o| o.wish == Some(wish)).map(|o| o.rule);
    let rule = |own: RuleId| if contested { rule!("PREC-PREMODEL-01") } else { own };
    match (wish, own) {
        (Wish::Ask, Some(own)) => match can_confirm(scene) {
            Some(true) => claims.fate(Fate::Asked, rule(own), &[]),
            Some(false) => claims.fate(Fate::Prevented, rule!("PREMODEL-OUT-05B"), &[]),
            None => {}
        },
        (Wish::Allow, Some(own)) => claims.fate(Fate::Proceeds, own, &[]),
        _ => claims.fate(scene.firing.otherwise, undecided(scene), &[]),
    }
}

/// The rule by which the switch takes its ordinary course.
fn undecided(scene: &Scene<'_, '_>) -> RuleId {
    let quiet = rule!("CONFIG-NEST-03");
    match scene.silence() {
        // That silence is no consent is said of this confirmation in particular.
        rule if rule == quiet && scene.firing.otherwise == Fate::Asked => rule!("PREMODEL-NODECISION"),
        rule if [rule!("SCHEMA-01"), rule!("SCHEMA-TYPE-05")].contains(&rule) && scene.voices.iter().any(defers) => {
            rule!("PREMODEL-OUT-02")
        }
        rule => rule,
    }
}

/// Whether a hook answers as on a tool call, with what this event does not accept.
fn defers(voice: &Voice<'_>) -> bool {
    let output: Option<Value> = serde_json::from_str(&voice.out).ok();
    output.is_some_and(|output| {
        let specific = &output["hookSpecificOutput"];
        let of_this_event = specific["hookEventName"] == "PreModelSwitch";
        let unknown = ["updatedInput", "additionalContext"].iter().any(|field| specific.get(field).is_some());
        of_this_event && (specific["permissionDecision"] == "defer" || unknown)
    })
}

/// Whether the user can be asked to confirm. A background session may have somebody who looks on, or nobody.
fn can_confirm(scene: &Scene<'_, '_>) -> Option<bool> {
    let host = &scene.session.case.host;
    match (host.surface, host.facts.contains(&Fact::ModelCommand)) {
        (Surface::Terminal, by_command) => Some(by_command),
        (Surface::Background, true) => None,
        _ => Some(false),
    }
}

/// Why the switch was refused.
fn refusal(scene: &Scene<'_, '_>, opinions: &[Opinion<'_>], claims: &mut Claims) {
    let refusing: Vec<&Opinion<'_>> = opinions.iter().filter(|o| o.wish == Some(Wish::Refuse)).collect();
    let told: Vec<(&str, RuleId)> = refusing.iter().filter_map(|o| o.reason).collect();
    if let [Opinion { displaced: Some(stderr), .. }] = refusing.as_slice() {
        claims.keep_from(Audience::User, stderr, rule!("EXIT-2-05"));
    }
    // Which of several refusals is shown is not said; one without a reason may be it.
    let Some((_, rule)) = told.first().filter(|_| told.len() == refusing.len()) else { return };
    let texts: Vec<&str> = told.iter().map(|(text, _)| *text).collect();
    let asked_for = scene.session.case.host.facts.contains(&Fact::SetModel);
    let by_json = refusing.iter().all(|o| o.voice.end != Ended::Two);
    match asked_for {
        false => one_of(Audience::User, &texts, Manner::Block, *rule, scene, claims),
        // That stderr is the error of the request as well is not said.
        true if by_json => one_of(Audience::Caller, &texts, Manner::Block, rule!("PREMODEL-OUT-06B"), scene, claims),
        true => {}
    }
}

/// What the user is asked.
fn question(scene: &Scene<'_, '_>, opinions: &[Opinion<'_>], claims: &mut Claims) {
    let decided = opinions.iter().all(|o| o.wish.is_some_and(|wish| wish != Wish::Refuse));
    if !decided || can_confirm(scene) != Some(true) {
        return;
    }
    let asking: Vec<&Opinion<'_>> = opinions.iter().filter(|o| o.wish == Some(Wish::Ask)).collect();
    let told: Vec<(&str, RuleId)> = asking.iter().filter_map(|o| o.reason).collect();
    if let Some((_, rule)) = told.first().filter(|_| told.len() == asking.len()) {
        let texts: Vec<&str> = told.iter().map(|(text, _)| *text).collect();
        one_of(Audience::User, &texts, Manner::Prompt, *rule, scene, claims);
    }
}
