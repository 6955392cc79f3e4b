//! Elicitation (chapter *elicitation*): a hook may answer an MCP server in the user's place.

use super::{Scene, blocking::exit_2_rule, contest, envelope};
use crate::{
    claims::Claims,
    select::HandlerKind,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{
    Agent, Audience, Claim, Fate, Must, Place, Revision, RuleId, Say, Slot, Text, canary, reading, rule,
};
use serde_json::{Value, json};
use std::borrow::Cow;

/// From 2.1.105 and before this revision, a top-level `decision` had no effect.
pub(super) const DECISION_SINCE: Revision = Revision(2, 1, 284);

/// What one hook answers.
struct Reply<'v> {
    action: &'v str,
    content: Option<&'v Value>,
    rule: RuleId,
    voice: &'v Voice<'v>,
}

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    let replies: Vec<Reply<'_>> = scene.voices.iter().filter_map(|v| reply(scene, v)).collect();
    let declines: Vec<&Reply<'_>> = replies.iter().filter(|r| r.action == "decline").collect();
    let contested = replies.iter().any(|r| r.action != "decline");
    match (declines.as_slice(), replies.as_slice()) {
        ([], []) => undecided(scene, claims),
        ([], [only]) => answered(scene, only, only.rule, claims),
        ([], several) => one_of_several(scene, several, claims),
        ([decline, ..], _) if contested => {
            // A top-level block has not always been a decline, so that it wins is said by the rule that is gated.
            let by_block = [rule!("ELICIT-DECL-02"), rule!("ELICIT-DECL-05")];
            let gated = declines.iter().all(|d| by_block.contains(&d.rule));
            answered(scene, decline, if gated { decline.rule } else { rule!("PREC-ELICIT-01") }, claims);
        }
        ([decline, ..], _) => answered(scene, decline, decline.rule, claims),
    }
}

fn reply<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'v>) -> Option<Reply<'v>> {
    let decline = |rule: RuleId| Reply { action: "decline", content: None, rule, voice };
    if voice.end == Ended::Two {
        let ignored = voice.object().is_some_and(|o| !o.specific.is_empty());
        let own = if ignored { rule!("EXIT-2-04") } else { rule!("EXIT-2-EV-Elicitation") };
        return Some(decline(exit_2_rule(&voice.word, own)));
    }
    let output = voice.object()?;
    let action = output.text("action");
    let blocks = output.blocks();
    let decision_counts = scene.oracle().revision >= DECISION_SINCE;
    if (action.is_some() || blocks)
        && matches!(voice.end, Ended::Other(_))
        && scene.oracle().is(reading!("A-59", "the JSON is ignored"))
    {
        return None;
    }
    if blocks && decision_counts {
        let rule = if action.is_some() { rule!("ELICIT-DECL-05") } else { rule!("ELICIT-DECL-02") };
        return Some(decline(rule));
    }
    let action = action?;
    let old = blocks.then_some(rule!("ELICIT-DECL-04"));
    let url = scene.firing.input.get("mode").and_then(Value::as_str) == Some("url");
    let own = match action {
        "accept" if url => rule!("ELICIT-OUT-06"),
        "accept" => rule!("ELICIT-OUT-01"),
        "decline" => rule!("ELICIT-OUT-02"),
        _ => rule!("ELICIT-OUT-03"),
    };
    let rule = old.or(voice.carrier()).unwrap_or(own);
    Some(Reply { action, content: output.specific.get("content"), rule, voice })
}

/// One answer goes to the server, and no dialog appears.
fn answered(scene: &Scene<'_, '_>, reply: &Reply<'_>, rule: RuleId, claims: &mut Claims) {
    claims.fate(Fate::Prevented, rule, &[rule!("ELICIT-OUT-09")]);
    let action = Must::Be(Value::from(reply.action));
    let at = |path: &'static str, must: Must, claims: &mut Claims| {
        claims.make(Claim { path: Some(Cow::Borrowed(path)), ..Claim::new(Place::Set(Slot::McpReply), must, rule) });
    };
    let form = scene.firing.input.get("mode").and_then(Value::as_str) != Some("url");
    match (reply.action, reply.content) {
        // Values are those of a form's fields: whether the server gets any for a URL is not said.
        ("accept", Some(content)) if form => {
            claims.set(Slot::McpReply, Must::Be(json!({"action": "accept", "content": content})), rule, &[]);
        }
        ("decline" | "cancel", content) => {
            at("/action", action, claims);
            // Whose values go with what several answer alike is not said.
            let others =
                scene.voices.iter().filter(|v| v.name != reply.voice.name).filter_map(|v| self::reply(scene, v));
            let rivals: Vec<Reply<'_>> = others.filter(|other| other.action == reply.action).collect();
            let gives = |other: &Reply<'_>| other.content.is_some();
            if content.is_none() && !rivals.iter().any(gives) || scene.oracle().is(reading!("A-189", "dropped")) {
                at("/content", Must::Absent, claims);
            } else if let Some(content) = content.filter(|_| rivals.is_empty()) {
                at("/content", Must::Be(content.clone()), claims);
            }
        }
        _ => at("/action", action, claims),
    }
    // The text shows the line for a form that a command answered.
    let shown = |v: &Voice<'_>| v.handler.kind == HandlerKind::Command && form && reply.content.is_some();
    if reply.action == "accept" && scene.voices.len() == 1 && scene.voices.iter().all(shown) {
        let content = reply.content.map(Value::to_string).unwrap_or_default();
        let canary = canary::canaries(content.as_bytes()).next();
        let parts = std::iter::once("Elicitation resolved by hook:").chain(canary).map(Text::from).collect();
        claims.say(Audience::Debug, Say { parts, ..Say::default() }, rule!("ELICIT-DEBUG-01"), &[]);
    }
}

/// Which of several answers goes to the server is open, unless one declines.
fn one_of_several(scene: &Scene<'_, '_>, replies: &[Reply<'_>], claims: &mut Claims) {
    claims.fate(Fate::Prevented, rule!("ELICIT-OUT-09"), &[]);
    let mut actions: Vec<Value> = replies.iter().map(|r| Value::from(r.action)).collect();
    actions.dedup();
    claims.make(Claim {
        path: Some(Cow::Borrowed("/action")),
        ..Claim::new(Place::Set(Slot::McpReply), Must::BeOneOf(actions), rule!("ELICIT-OUT-09"))
    });
    let given: Vec<_> = replies.iter().map(|reply| (reply.voice, (reply.action, reply.content))).collect();
    if let Some((_, answer)) = contest::winner(scene, contest::ANSWERS, &given)
        && let Some(reply) = replies.iter().find(|reply| (reply.action, reply.content) == *answer)
    {
        answered(scene, reply, rule!("ELICIT-OUT-09"), claims);
    }
}

/// No hook answers: the dialog opens.
fn undecided(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let old = scene.voices.iter().any(Voice::blocks);
    let quiet = scene.voices.iter().all(|v| v.end == Ended::Zero && v.word == Word::Silent);
    let rule = match () {
        () if old => Some(rule!("ELICIT-DECL-04")),
        () if quiet && !scene.voices.is_empty() => Some(rule!("ELICIT-OUT-04")),
        () => scene.own_silence(),
    };
    let Some(rule) = rule else { return };
    claims.fate(scene.firing.otherwise, rule, &[]);
    claims.set(Slot::McpReply, Must::Absent, rule, &[]);
}

/// Reasons, messages and `continue` are discarded; stderr and the reason are shown to nobody.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    let declines = reply(scene, voice).is_some_and(|r| r.action == "decline");
    let hidden = |text: &str, rule: RuleId, claims: &mut Claims| {
        claims.keep_from(Audience::User, text, rule);
        claims.keep_from(Audience::Server, text, rule);
    };
    if voice.end == Ended::Two {
        hidden(&voice.err, rule!("ELICIT-DECL-03"), claims);
    }
    let Some(output) = voice.object() else { return };
    if let Some(reason) = output.reason.as_deref() {
        hidden(reason, if declines { rule!("ELICIT-DECL-03") } else { rule!("ELICIT-OUT-07") }, claims);
        claims.keep_from(Audience::Model, reason, rule!("ELICIT-OUT-07"));
    }
    for text in [&output.system_message, &output.stop_reason].into_iter().flatten() {
        claims.keep_from(Audience::User, text, rule!("ELICIT-OUT-07"));
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, rule!("ELICIT-OUT-07"), &[rule!("JSON-DISCARD-01")]);
    }
    envelope::terminal_sequence(scene, voice, output, claims);
}
