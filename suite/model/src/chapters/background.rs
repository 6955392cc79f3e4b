//! Hooks in the background (chapter *background*): nobody waits for them, so they decide nothing, and what they have to say reaches
//! the model with the next prompt.

use super::Scene;
use crate::{
    claims::Claims,
    select::{self, Background, Handler, HandlerKind},
    session::Session,
    spill,
    table::DecisionModel,
    voice::{Ended, Voice},
};
use hookproof_contract::{
    Agent, Audience, Case, Event, Fate, Firing, Must, RuleId, Say, Slot, Source, Surface, Text, bare, read, reading,
    rule,
};
use serde_json::{Map, Value};

/// Fields that decide nothing, and of which it is not said whether they do what they do when they come late.
const UNDECIDED: [&str; 6] = [
    "\"sessionTitle\"",
    "\"watchPaths\"",
    "\"initialUserMessage\"",
    "\"reloadSkills\"",
    "\"displayContent\"",
    "\"retry\"",
];

/// The fields of which the type is known, and what it is: a text, or `true` and `false`.
const TYPED: [(&str, bool); 6] = [
    ("systemMessage", true),
    ("stopReason", true),
    ("reason", true),
    ("terminalSequence", true),
    ("continue", false),
    ("suppressOutput", false),
];

/// Whether nobody can say what is left of an event beside such hooks.
pub(super) fn is_unclear(scene: &Scene<'_, '_>) -> bool {
    // There, that a hook returns nothing is an answer as well.
    let by_end = matches!(scene.row.event, Event::WorktreeCreate | Event::WorktreeRemove);
    let stops = matches!(
        scene.row.event,
        Event::Stop | Event::SubagentStop | Event::StopFailure | Event::TeammateIdle | Event::PostToolBatch
    );
    // An agent that is woken as soon as it has stopped may be said to go on.
    let wakes = |voice: &Voice<'_>| stops && voice.background() == Some(Background::Wakes) && voice.end == Ended::Two;
    let speaks_elsewhere = |voice: &Voice<'_>| scene.voices.iter().any(|other| other.name == voice.name);
    let undecided = |voice: &Voice<'_>| UNDECIDED.iter().any(|field| voice.out.contains(field));
    scene.background.iter().any(|v| by_end || wakes(v) || speaks_elsewhere(v) || undecided(v))
}

/// The rule by which such a hook decides nothing, where it says or does anything.
pub(super) fn silence(scene: &Scene<'_, '_>) -> Option<RuleId> {
    scene.background.iter().find_map(|voice| match (voice.background()?, voice.end) {
        (_, Ended::Zero) if voice.out.is_empty() => None,
        (Background::Wakes, _) => Some(rule!("ASYNC-10")),
        (Background::Stays, Ended::Zero) => Some(rule!("ASYNC-04")),
        (Background::Stays, _) => Some(rule!("ASYNC-01")),
    })
}

/// All claims, and what is left for later.
pub(super) fn claims(scene: &mut Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.background {
        let mut later = claims.apart();
        note(scene, voice, claims, &mut later);
        if voice.background() == Some(Background::Stays) {
            without_effect(scene, voice, claims);
            if texts(scene, voice, claims, &mut later) {
                scene.session.pending.add_of_background(scene.firing, later);
            }
        }
    }
    if scene.background.iter().any(|voice| voice.background() == Some(Background::Wakes)) {
        // It may make the agent go on, with more to read, whenever it ends.
        scene.session.stop.is_lost();
        scene.session.pending.forget();
    }
}

/// The object that a hook printed, where nothing else is certain to be read.
fn said(voice: &Voice<'_>) -> Option<Map<String, Value>> {
    let text = voice.out.trim_matches([' ', '\t', '\r', '\n']);
    match read::value(text).ok()? {
        Value::Object(object) if !object.contains_key("async") => Some(object),
        _ => None,
    }
}

/// Its note for the classifier comes too late for that, and is for nobody else.
fn note(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims, later: &mut Claims) {
    let Some(object) = said(voice).filter(|_| voice.end == Ended::Zero) else { return };
    let note = object.get("hookSpecificOutput").and_then(|inner| inner.get("classifierContext")?.as_str());
    if let Some(note) = note.filter(|_| scene.row.event == Event::PostToolUse) {
        for claims in [claims, later] {
            claims.keep_from(Audience::Classifier, note, rule!("CLASSIF-06"));
            claims.keep_from(Audience::Model, note, rule!("POSTTOOL-OUT-04"));
        }
    }
}

/// Whatever it asks for does not happen, and nobody is told why it should. What happens is said only where nobody else asks for
/// anything.
fn without_effect(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let Some(object) = said(voice).filter(|_| voice.end == Ended::Zero) else { return };
    let inner = |field: &str| object.get("hookSpecificOutput").and_then(|inner| inner.get(field));
    let by = rule!("ASYNC-04");
    let message = inner("decision").and_then(|decision| decision.get("message"));
    let reasons = [object.get("reason"), object.get("stopReason"), inner("permissionDecisionReason"), message];
    for reason in reasons.into_iter().flatten().filter_map(Value::as_str) {
        claims.keep_from(Audience::Model, reason, by);
        claims.keep_from(Audience::User, reason, by);
    }
    let quiet = scene.voices.iter().all(|v| v.end == Ended::Zero && v.object().is_none());
    if !quiet {
        return;
    }
    let asks = object.get("continue").is_some_and(|go_on| *go_on != true) || object.contains_key("decision");
    let of_calls = matches!(scene.row.event, Event::PreToolUse | Event::PostToolUse | Event::PostToolBatch);
    if asks && of_calls && scene.firing.otherwise != Fate::Prevented {
        claims.agent(Agent::GoesOn, by, &[]);
    }
    for (event, field, slot) in [
        (Event::PreToolUse, "updatedInput", Slot::ToolInput),
        (Event::PostToolUse, "updatedToolOutput", Slot::ToolOutput),
        (Event::Elicitation, "action", Slot::McpReply),
    ] {
        if scene.row.event == event && inner(field).is_some() {
            claims.set(slot, Must::Absent, by, &[]);
        }
    }
}

/// What it has to say is not shown, and reaches the model with the next prompt; whether there is any.
fn texts(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims, later: &mut Claims) -> bool {
    if voice.end != Ended::Zero || !is_of_the_main_agent(scene) {
        return false;
    }
    let goes_on = !scene.is_over() && scene.session.case.host.surface != Surface::Print;
    let Some(object) = said(voice) else {
        return plain(scene, voice, later) && goes_on;
    };
    let Some(wrong) = wrong_types(scene, &object) else { return false };
    let rule = if wrong.is_empty() { rule!("ASYNC-05") } else { rule!("ASYNC-06") };
    let of = |map: &Map<String, Value>, field: &str| map.get(field).and_then(Value::as_str).map(str::to_owned);
    let inner = object.get("hookSpecificOutput").and_then(Value::as_object);
    let texts = [of(&object, "systemMessage"), inner.and_then(|inner| of(inner, "additionalContext"))];
    for text in texts.into_iter().flatten().filter(|text| !bare(text).is_empty() && spill::is_short(text)) {
        claims.keep_from(Audience::User, &text, rule!("ASYNC-05"));
        later.keep_from(Audience::User, &text, rule!("ASYNC-05"));
        later.say(Audience::Model, Say { parts: vec![Text::from(bare(&text))], ..Say::default() }, rule, &[]);
    }
    for text in &wrong {
        claims.keep_from(Audience::Model, text, rule);
        later.keep_from(Audience::Model, text, rule);
    }
    goes_on
}

/// What it printed that is surely no JSON, on an event that makes that context of other hooks: whether it arrives is open.
fn plain(scene: &Scene<'_, '_>, voice: &Voice<'_>, later: &mut Claims) -> bool {
    let text = bare(&voice.out);
    if !scene.row.plain_is_context || text.is_empty() || text.starts_with(['{', '[', '"']) || !spill::is_short(text) {
        return false;
    }
    match scene.oracle().is(reading!("A-142", "not delivered")) {
        true => later.keep_from(Audience::Model, text, rule!("ASYNC-05")),
        false => {
            later.say(Audience::Model, Say { parts: vec![Text::from(text)], ..Say::default() }, rule!("ASYNC-05"), &[])
        }
    }
    true
}

/// Handlers of other types are none of these, whatever becomes of a mark that says so: what they return waits for no prompt.
pub(super) fn of_other_types<'a>(session: &mut Session<'a>, firing: &'a Firing, claims: &Claims) {
    if matches!(firing.event, Event::DirectoryAdded | Event::PostModelSwitch) {
        // What hooks say there comes with the next turn or request, whoever says it.
        return;
    }
    let mut later = claims.apart();
    for handler in handlers(session.case, |event| event == firing.event.name()) {
        if handler.kind == HandlerKind::Command || handler.spec.get("async") != Some(&Value::Bool(true)) {
            continue;
        }
        if handlers(session.case, |event| event != firing.event.name()).any(|other| other.name == handler.name) {
            // What it says for another event may come with any request after it.
            continue;
        }
        let out = session.case.result(firing, handler.name).map(|result| result.out.lossy()).unwrap_or_default();
        let Ok(Value::Object(object)) = read::value(&out) else { continue };
        let context = object.get("hookSpecificOutput").and_then(|inner| inner.get("additionalContext"));
        for text in [object.get("systemMessage"), context].into_iter().flatten().filter_map(Value::as_str) {
            later.keep_from(Audience::Model, text, rule!("ASYNC-02"));
        }
    }
    session.pending.add_of_background(firing, later);
}

/// The handlers that stand under events of these names, whatever file they are in.
fn handlers(case: &Case, is: impl Fn(&str) -> bool) -> impl Iterator<Item = Handler<'_>> {
    let events = case.settings.iter().filter_map(|layer| layer.settings.get("hooks")?.as_object()).flatten();
    let groups = events.filter(move |(event, _)| is(event)).filter_map(|(_, groups)| groups.as_array()).flatten();
    let specs = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
    specs.filter_map(|spec| select::handler(spec, &Source::User, 0))
}

/// Whether it is clear which model is meant, and that it will have another turn: elsewhere what hooks say has a way of its own.
fn is_of_the_main_agent(scene: &Scene<'_, '_>) -> bool {
    let of_another = matches!(scene.row.event, Event::SubagentStart | Event::SubagentStop | Event::SessionEnd);
    scene.row.model == DecisionModel::Standard && !of_another
}

/// The fields that are left out since they are of the wrong type, as texts; nothing where it is not certain that the rest counts:
/// null, values that nobody knows, the name of another event.
fn wrong_types(scene: &Scene<'_, '_>, object: &Map<String, Value>) -> Option<Vec<String>> {
    let mut wrong = Vec::new();
    let mut check = |value: &Value, is_text: bool| match value {
        Value::Null => None,
        value if value.is_string() == is_text && (is_text || value.is_boolean()) => Some(()),
        value => {
            wrong.push(value.to_string());
            Some(())
        }
    };
    for (key, value) in object {
        match key.as_str() {
            "decision" if value == "block" => {}
            "hookSpecificOutput" => {
                let inner = value.as_object()?;
                if inner.get("hookEventName")?.as_str()? != scene.row.event.name() {
                    return None;
                }
                for (field, value) in inner {
                    let known = scene.row.fields.iter().any(|(name, _)| name == field);
                    match field.as_str() {
                        "hookEventName" => {}
                        "additionalContext" if known => check(value, true)?,
                        "permissionDecision" if matches!(value.as_str(), Some("allow" | "deny" | "ask")) => {}
                        "permissionDecisionReason" | "classifierContext" if known => check(value, true)?,
                        "updatedInput" if known && value.is_object() => {}
                        _ => return None,
                    }
                }
            }
            key => check(value, TYPED.iter().find(|(name, _)| *name == key)?.1)?,
        }
    }
    Some(wrong)
}
