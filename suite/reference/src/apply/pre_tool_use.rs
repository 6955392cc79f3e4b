//! A tool call that is about to run (chapters *tools*, *permissions* and *defer*).

use super::Effect;
use crate::{
    merge::{Call, Remark},
    permissions::{self, Say},
    read::Ruling,
    spill::Limit,
};
use hookproof_contract::{Agent, Audience, Fact, Fate, Manner, Slot, Surface};
use serde_json::Value;

pub(super) fn apply(effect: &mut Effect<'_, '_>, mut call: Call, context: Vec<Remark>) {
    let stance = effect.scene.stance;
    let input = call.input.take().map(Value::Object);
    let mut fate = fate(effect, &call, input.as_ref());
    if effect.stop && stance.stopping_prevents_call && fate != Fate::Deferred {
        fate = Fate::Prevented;
    }
    effect.fate(fate);
    speak(effect, &call, fate);
    if let Some(input) = input.filter(|_| matches!(fate, Fate::Proceeds | Fate::Asked)) {
        effect.outcome.set.insert(Slot::ToolInput, input);
    }
    if effect.scene.input_text("tool_name") == Some("Bash")
        && let Some(variables) = effect.session.environment.of_commands()
    {
        effect.outcome.set.insert(Slot::Environment, variables);
    }
    // Context goes with the call's result: a deferred call has none yet, and of a denied one that is an open point.
    match call.ruling {
        Some(Ruling::Defer) => {}
        Some(Ruling::Deny) if !stance.blocked_call_has_context => {}
        _ => effect.say_all(context),
    }
    if fate == Fate::Deferred {
        effect.agent(Agent::Stops);
    }
    effect.stop_if_asked();
}

/// What becomes of the call. The permission rules have a say whatever hooks answer, and they look at the final input.
fn fate(effect: &Effect<'_, '_>, call: &Call, input: Option<&Value>) -> Fate {
    let scene = effect.scene;
    let tool = scene.input_text("tool_name").unwrap_or_default();
    let original = scene.firing.input.get("tool_input").unwrap_or(&Value::Null);
    let rules = |input: &Value| permissions::of(scene.host(), &effect.session.rules, tool, input);
    // A deferred call keeps the input that the model wrote.
    let last = input.filter(|_| call.ruling != Some(Ruling::Defer)).unwrap_or(original);
    match (call.ruling, rules(last)) {
        (Some(Ruling::Deny), _) => Fate::Prevented,
        // Without a hook's decision too: another hook may have added the rule.
        (_, Say::Deny) => Fate::Prevented,
        (Some(Ruling::Defer), _) => Fate::Deferred,
        (Some(Ruling::Ask), _) => asked(effect),
        (Some(Ruling::Allow), Say::Ask) => prompted(effect),
        (Some(Ruling::Allow), _) if needs_a_person(effect, call, tool) => prompted(effect),
        (Some(Ruling::Allow), _) => Fate::Proceeds,
        (None, _) if input.is_none() => scene.firing.otherwise,
        (None, Say::Ask) => asked(effect),
        (None, Say::Allow) => Fate::Proceeds,
        (None, Say::Nothing) if rules(original) == Say::Nothing => scene.firing.otherwise,
        // A rule was about the old input and none is about the new one: ask, to be on the safe side.
        (None, Say::Nothing) => asked(effect),
    }
}

/// Whether `allow` is not enough for this call.
fn needs_a_person(effect: &Effect<'_, '_>, call: &Call, tool: &str) -> bool {
    let facts = &effect.scene.host().facts;
    let interaction = facts.contains(&Fact::RequiresInteraction) && effect.scene.since(199);
    let unanswered = matches!(tool, "AskUserQuestion" | "ExitPlanMode") && !call.allows_with_input;
    interaction || facts.contains(&Fact::NoModeApproves) || unanswered
}

/// The ordinary course of a call that needs a prompt.
fn prompted(effect: &Effect<'_, '_>) -> Fate {
    match effect.scene.firing.otherwise {
        Fate::Proceeds => asked(effect),
        other => other,
    }
}

/// The user is asked, or the call is denied where nobody can answer.
fn asked(effect: &Effect<'_, '_>) -> Fate {
    let host = effect.scene.host();
    let alone = matches!(host.surface, Surface::Print | Surface::Sdk) && !host.permission_host;
    if alone { Fate::Prevented } else { Fate::Asked }
}

/// Who is told why.
fn speak(effect: &mut Effect<'_, '_>, call: &Call, fate: Fate) {
    let (to, how) = match (call.ruling, fate) {
        (Some(Ruling::Deny), _) => (Audience::Model, Manner::Refusal),
        (Some(Ruling::Ask), Fate::Asked) => (Audience::User, Manner::Prompt),
        (Some(Ruling::Ask), Fate::Prevented) if asked(effect) == Fate::Prevented => (Audience::Model, Manner::Refusal),
        _ => return,
    };
    for voice in &call.voices {
        let lead = if how == Manner::Prompt { format!("{} ", voice.label) } else { String::new() };
        let text = voice.reason.clone().unwrap_or_default();
        if lead.is_empty() && text.is_empty() {
            continue;
        }
        effect.say(Remark::new(to, how, &voice.by, text).led_by(lead).limited(Limit::Open));
    }
    if how == Manner::Prompt
        && let Some(voice) = call.voices.first()
    {
        effect.outcome.set.insert(Slot::PromptLabel, Value::from(voice.label.as_str()));
    }
}

#[cfg(test)]
mod tests;
