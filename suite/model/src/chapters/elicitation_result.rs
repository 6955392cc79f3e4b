//! ElicitationResult (chapter *elicitation*): a hook may change or block what the user answered to an MCP server.

use super::{Scene, blocking::exit_2_rule, elicitation::DECISION_SINCE, envelope};
use crate::{
    claims::Claims,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{Agent, Audience, Claim, Fate, Must, Place, RuleId, Slot, reading, rule};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// What one hook puts in place of the user's answer.
struct Reply<'v> {
    action: &'v str,
    content: Option<&'v Value>,
    rule: RuleId,
    /// It declines by blocking, and not by an action.
    blocks: bool,
}

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    let replies: Vec<Reply<'_>> = scene.voices.iter().filter_map(|v| reply(scene, v)).collect();
    match replies.as_slice() {
        [] => undecided(scene, claims),
        // Which of several answers counts is said of Elicitation alone, and what a refusal among them comes to as well.
        [first, others @ ..]
            if others.iter().all(|other| other.action == first.action && other.content == first.content) =>
        {
            answered(scene, first, claims);
        }
        _ => {}
    }
}

fn reply<'v>(scene: &Scene<'_, '_>, voice: &'v Voice<'_>) -> Option<Reply<'v>> {
    let decline = |rule: RuleId| Reply { action: "decline", content: None, rule, blocks: true };
    if voice.end == Ended::Two {
        let ignored = voice.object().is_some_and(|o| !o.specific.is_empty());
        let own = if ignored { rule!("EXIT-2-04") } else { rule!("EXIT-2-EV-ElicitationResult") };
        return Some(decline(exit_2_rule(&voice.word, own)));
    }
    let output = voice.object()?;
    let action = output.text("action");
    if (action.is_some() || output.blocks())
        && matches!(voice.end, Ended::Other(_))
        && scene.oracle().is(reading!("A-59", "the JSON is ignored"))
    {
        return None;
    }
    if output.blocks() && scene.oracle().revision >= DECISION_SINCE {
        return Some(decline(if action.is_some() { rule!("ELICIT-DECL-05") } else { rule!("ELICIT-DECL-02") }));
    }
    let action = action?;
    let content = output.specific.get("content");
    let own = match (action, content) {
        _ if supersedes(scene, action) => rule!("ELICITRES-03"),
        ("accept", Some(_)) => rule!("ELICITRES-OUT-02"),
        ("decline", _) => rule!("ELICITRES-OUT-03"),
        ("cancel", _) => rule!("ELICITRES-OUT-04"),
        _ => rule!("ELICITRES-03"),
    };
    let own = if output.blocks() { rule!("ELICIT-DECL-04") } else { own };
    let rule = voice.carrier().filter(|_| !output.blocks()).unwrap_or(own);
    Some(Reply { action, content, rule, blocks: false })
}

/// Whether a hook answers otherwise where the user has declined or cancelled.
fn supersedes(scene: &Scene<'_, '_>, action: &str) -> bool {
    let user = asked(scene).get("action").and_then(Value::as_str);
    matches!(user, Some("decline" | "cancel")) && user != Some(action)
}

/// What the user answered.
fn asked<'a>(scene: &Scene<'_, 'a>) -> &'a Map<String, Value> {
    &scene.firing.input
}

/// The hook's answer goes to the server. Where it may be just what the user answered, nobody can tell the two apart.
fn answered(scene: &Scene<'_, '_>, reply: &Reply<'_>, claims: &mut Claims) {
    let users = asked(scene).get("content");
    let same_action = asked(scene).get("action").is_none_or(|action| action == reply.action);
    if let (true, "accept", None, Some(users)) = (same_action, reply.action, reply.content, users) {
        return accepted_as_it_is(scene, users, claims);
    }
    if same_action && (reply.action != "accept" || reply.content == users) {
        return;
    }
    claims.fate(Fate::Prevented, reply.rule, &[]);
    let mut at = |path: &'static str, must: Must, rule: RuleId| {
        claims.make(Claim { path: Some(Cow::Borrowed(path)), ..Claim::new(Place::Set(Slot::McpReply), must, rule) });
    };
    match (reply.action, reply.content, users) {
        ("accept", Some(content), _) => {
            let whole = Must::Be(json!({"action": "accept", "content": content}));
            claims.set(Slot::McpReply, whole, reply.rule, &[]);
            return;
        }
        ("decline", None, _) => {
            let without = match reply.rule {
                _ if reply.blocks => rule!("ELICITRES-BLOCK-VALUES"),
                rule if rule == rule!("ELICITRES-03") => rule!("ELICITRES-OUT-03"),
                rule => rule,
            };
            at("/content", Must::Absent, without);
        }
        ("cancel", None, Some(users)) => at("/content", Must::Be(users.clone()), reply.rule),
        // What content of its own does beside another action than accept is not said.
        _ => {}
    }
    at("/action", Must::Be(Value::from(reply.action)), reply.rule);
}

/// What an accept without values makes of the user's is open.
fn accepted_as_it_is(scene: &Scene<'_, '_>, users: &Value, claims: &mut Claims) {
    let mut at = |path: &'static str, must: Must| {
        let claim = Claim::new(Place::Set(Slot::McpReply), must, rule!("ELICITRES-OUT-09"));
        claims.make(Claim { path: Some(Cow::Borrowed(path)), ..claim });
    };
    if scene.oracle().is(reading!("A-163", "the user's values")) {
        return at("/content", Must::Be(users.clone()));
    }
    at("/action", Must::Be(Value::from("accept")));
    at("/content", Must::Absent);
}

/// No hook says anything of it: the user's answer goes to the server.
fn undecided(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let voices = &scene.voices;
    let old = voices.iter().any(Voice::blocks);
    let bare = voices.iter().any(|v| v.succeeded() && v.object().is_some_and(|o| o.specific.contains_key("content")));
    let quiet = !voices.is_empty() && voices.iter().all(|v| v.end == Ended::Zero && v.word == Word::Silent);
    let rule = match () {
        () if old => Some(rule!("ELICIT-DECL-04")),
        () if bare => Some(rule!("ELICITRES-OUT-05")),
        () if quiet => Some(rule!("ELICITRES-OUT-01")),
        () => scene.own_silence(),
    };
    let Some(rule) = rule else { return };
    claims.fate(scene.firing.otherwise, rule, &[]);
    claims.set(Slot::McpReply, Must::Absent, rule, &[]);
}

/// Reasons, messages and `continue` are discarded. Of stderr it is only said that the user does not see it.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        claims.keep_from(Audience::User, &voice.err, rule!("ELICIT-DECL-03"));
    }
    let Some(output) = voice.object() else { return };
    let own = rule!("ELICITRES-OUT-07");
    if let Some(reason) = output.reason.as_deref() {
        let declines = reply(scene, voice).is_some_and(|r| r.action == "decline");
        claims.keep_from(Audience::User, reason, if declines { rule!("ELICIT-DECL-03") } else { own });
        claims.keep_from(Audience::Server, reason, own);
        claims.keep_from(Audience::Model, reason, own);
    }
    for text in [&output.system_message, &output.stop_reason].into_iter().flatten() {
        claims.keep_from(Audience::User, text, own);
    }
    if output.stops() {
        claims.agent(Agent::GoesOn, own, &[rule!("JSON-DISCARD-01")]);
    }
    envelope::stray(scene, voice, output, claims);
    if !matches!(voice.end, Ended::Other(_)) {
        envelope::terminal_sequence(scene, voice, output, claims);
    }
}
