//! PermissionRequest (chapter *permissions*): somebody is about to be asked whether a call may run, and hooks may answer instead.

mod answer;
pub(crate) mod updates;

use super::{
    Scene,
    envelope::{self, one_of},
    pre_tool_use::permission::{Bearing, bearing, is_whole, needs_an_answer},
    unblockable::{self, Stopping},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use answer::{Allow, Answer, Deny, Wrong, answer, may_answer, wrong};
use hookproof_contract::{
    Agent, Audience, Claim, Fact, Fate, Manner, Must, Place, RuleId, Slot, Surface, bare, reading, rule,
};
use serde_json::{Value, json};
use std::borrow::Cow;
use updates::Changes;

const EXIT_2: RuleId = rule!("EXIT-2-EV-PermissionRequest");

pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
        let decides = voice.object().is_some_and(|o| o.specific.contains_key("decision")) || may_answer(voice);
        if voice.end == Ended::Two && !decides {
            for to in [Audience::User, Audience::Model] {
                claims.keep_from(to, &voice.err, rule!("PERMREQ-OUT-08"));
            }
        }
    }
    let changes = decided(scene, claims);
    scene.session.permissions.change(&scene.voices, changes);
}

/// What a hook says beside its answer. Where that is none, the whole output may count for nothing.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let Some(wrong) = wrong(voice) else { return unblockable::around(scene, voice, claims) };
    let message = voice.object().and_then(|o| o.system_message.as_deref()).filter(|message| !bare(message).is_empty());
    match message.filter(|_| wrong == Wrong::Behavior && voice.succeeded()) {
        Some(_) if scene.oracle().is(reading!("A-39", "no answer")) => unblockable::around(scene, voice, claims),
        Some(message) => claims.keep_from(Audience::User, message, rule!("PERMREQ-OUT-12")),
        None => {}
    }
    envelope::stderr(voice, claims);
}

/// What is certain of the request, and what follows from it for the session.
fn decided(scene: &Scene<'_, '_>, claims: &mut Claims) -> Option<Changes> {
    if scene.voices.iter().any(|v| v.stops() && wrong(v).is_some()) {
        return None;
    }
    // What becomes of the request where the agent stops is not said.
    if unblockable::stopping(scene, rule!("PERMREQ-OUT-09"), claims) != Stopping::Not {
        return None;
    }
    let answers: Vec<(&Voice<'_>, Answer<'_>)> = scene.voices.iter().map(|v| (v, answer(scene, v))).collect();
    let (mut allows, mut denies) = (Vec::new(), Vec::new());
    for (voice, answer) in answers {
        match answer {
            Answer::None => {}
            Answer::Allow(allow) => allows.push((voice, allow)),
            Answer::Deny(deny) => denies.push((voice, deny)),
            Answer::Unknown => return None,
        }
    }
    match (allows.as_slice(), denies.as_slice()) {
        ([], []) => undecided(scene, claims),
        ([], denies) => denied(scene, denies, claims),
        (allows, []) => return allowed(scene, allows, claims),
        // Which of two answers counts is not said.
        _ => {}
    }
    None
}

/// Nobody answers for the user.
fn undecided(scene: &Scene<'_, '_>, claims: &mut Claims) {
    let quiet = rule!("CONFIG-NEST-03");
    let rule = match scene.own_silence() {
        _ if scene.voices.iter().any(|v| v.end == Ended::Two) => EXIT_2,
        Some(rule) if rule == quiet && scene.firing.otherwise == Fate::Prevented => rule!("PERMREQ-02"),
        // Whatever a hook prints, nothing else answers.
        Some(rule) if rule != rule!("SCHEMA-TYPE-05") => rule,
        _ => rule!("PERMREQ-OUT-09"),
    };
    claims.fate(scene.firing.otherwise, rule, &[]);
    // What goes with an answer has no effect where it was not in one, or came too late.
    if let Some(rule) = scene.unused().filter(|rule| [rule!("SCHEMA-TYPE-05"), rule!("TIMEOUT-02")].contains(rule)) {
        for slot in [Slot::ToolInput, Slot::Permissions] {
            claims.set(slot, Must::Absent, rule, &[]);
        }
    }
}

/// The rule by which an answer counts: where a host is asked at the same time, that of the first answer.
fn answers_by(scene: &Scene<'_, '_>, voice: &Voice<'_>) -> RuleId {
    let host = &scene.session.case.host;
    let beside_a_host = host.permission_host && matches!(host.surface, Surface::Print | Surface::Sdk);
    if beside_a_host { rule!("PERMREQ-03") } else { by(voice, rule!("PERMREQ-OUT-01")) }
}

/// The rule of a field of an answer. The one about fields beside exit 2 says nothing of this event.
fn by(voice: &Voice<'_>, field: RuleId) -> RuleId {
    if voice.end == Ended::Two { field } else { voice.by(field) }
}

fn denied(scene: &Scene<'_, '_>, denies: &[(&Voice<'_>, Deny<'_>)], claims: &mut Claims) {
    claims.fate(Fate::Prevented, answers_by(scene, denies[0].0), &[rule!("DECISION-PERMREQ-01")]);
    let told = denies.iter().filter_map(|(_, deny)| deny.message).filter(|message| !bare(message).is_empty());
    let told: Vec<&str> = told.collect();
    // Which of several refusals the model is told of is not said; one without a message may be it. Nor is whether an agent that is
    // stopped still reads it.
    if told.len() == denies.len() && !denies.iter().any(|(_, deny)| deny.interrupts) {
        one_of(Audience::Model, &told, Manner::Refusal, by(denies[0].0, rule!("PERMREQ-OUT-06")), scene, claims);
    }
    if denies.iter().all(|(_, deny)| deny.interrupts) {
        // Whether that is the end of the turn or of all work is not said.
        let ends = [Agent::Stops, Agent::EndsTurn].map(|agent| Value::from(agent.name()));
        claims.claim(Place::Agent, Must::BeOneOf(ends.to_vec()), rule!("PERMREQ-OUT-07"), &[]);
    }
}

fn allowed(scene: &Scene<'_, '_>, allows: &[(&Voice<'_>, Allow<'_>)], claims: &mut Claims) -> Option<Changes> {
    let own = scene.firing.input.get("tool_input").unwrap_or(&Value::Null);
    let (fate, rule) = granted(scene, allows, own)?;
    claims.fate(fate, rule, &[rule!("DECISION-PERMREQ-01")]);
    // Which of several replacements counts is not said.
    let [(voice, allow)] = allows else { return None };
    if let Some(input) = allow.input
        && fate != Fate::Prevented
        && input != own
    {
        claims.set(Slot::ToolInput, Must::Be(input.clone()), by(voice, rule!("PERMREQ-OUT-03")), &[]);
    }
    // What stands beside the decision object is a key that nobody knows there.
    let strays = voice.object().map_or(&[][..], |output| &output.stray);
    for (key, slot, given) in [
        ("updatedInput", Slot::ToolInput, allow.input.is_some()),
        ("updatedPermissions", Slot::Permissions, allow.updates.is_some()),
    ] {
        if !given && strays.iter().any(|(stray, _)| stray == key) {
            claims.set(slot, Must::Absent, rule!("SCHEMA-TYPE-05"), &[]);
        }
    }
    if fate != Fate::Proceeds {
        return None;
    }
    let changes = updates::changes(scene.session, allow.updates?)?;
    changed(&changes, claims);
    Some(changes)
}

/// What a grant comes to: rules that deny or ask have their say, of the input with which the call would run.
fn granted(scene: &Scene<'_, '_>, allows: &[(&Voice<'_>, Allow<'_>)], own: &Value) -> Option<(Fate, RuleId)> {
    let host = &scene.session.case.host;
    // Whether a call that wants a person goes on without, and what a mode makes of the answer, is not said.
    let wants_a_person = needs_an_answer(scene.tool())
        || [Fact::RequiresInteraction, Fact::NoModeApproves].iter().any(|fact| host.facts.contains(fact));
    let mode = scene.session.permissions.mode?;
    if wants_a_person
        || !matches!(mode, "default" | "manual" | "acceptEdits")
        || !scene.session.permissions.is_untouched(scene.tool())
    {
        return None;
    }
    // Whether the answer is one to the rule that asks is not said.
    if bearing(&host.permissions, scene.tool(), own)? != Bearing::None {
        return None;
    }
    let inputs: Vec<&Value> = allows.iter().map(|(_, allow)| allow.input.unwrap_or(own)).collect();
    // Whether rules are looked at before or after the entries of the same answer are applied is not said.
    let mut entries = allows.iter().filter_map(|(_, allow)| allow.updates).flatten();
    let tried = || inputs.iter().copied().chain([own]);
    if entries.any(|entry| tried().any(|input| updates::may_bear(entry, &host.permissions, scene.tool(), input))) {
        return None;
    }
    let bearings: Vec<Bearing> =
        inputs.iter().map(|input| bearing(&host.permissions, scene.tool(), input)).collect::<Option<_>>()?;
    let again = rule!("PERMREQ-OUT-04");
    let may_be_none = |input: &Value| input != own && !is_whole(scene.tool(), input);
    if bearings.first() != Some(&Bearing::Deny) && allows.iter().filter_map(|(_, a)| a.input).any(may_be_none) {
        return None;
    }
    match bearings.first()? {
        first if bearings.iter().any(|other| other != first) => None,
        Bearing::None => Some((Fate::Proceeds, answers_by(scene, allows[0].0))),
        Bearing::Deny => Some((Fate::Prevented, again)),
        Bearing::Ask => (host.surface == Surface::Terminal).then_some((Fate::Asked, again)),
    }
}

/// What the session has of it from now on.
fn changed(changes: &Changes, claims: &mut Claims) {
    match &changes.applied {
        Some(applied) if applied.is_empty() => claims.set(Slot::Permissions, Must::Absent, changes.by, &[]),
        Some(applied) => {
            claims.set(Slot::Permissions, Must::Be(json!(applied)), changes.by, &[rule!("PERMREQ-OUT-05")])
        }
        None => {}
    }
    match &changes.mode {
        Some(Some((mode, rule))) => claims.set(Slot::PermissionMode, Must::Be(Value::from(*mode)), *rule, &[]),
        Some(None) if changes.refused => {
            claims.set(Slot::PermissionMode, Must::Absent, changes.by, &[]);
        }
        _ => {}
    }
    for (i, entry) in changes.applied.iter().flatten().enumerate() {
        for (field, rule) in updates::parts(entry) {
            let at = Claim::new(Place::Set(Slot::Permissions), Must::Be(entry[field].clone()), rule);
            claims.make(Claim { path: Some(Cow::Owned(format!("/{i}/{field}"))), ..at });
        }
    }
}
