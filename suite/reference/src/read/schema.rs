//! The schema of output objects: which fields there are on each event, and what becomes of flaws (chapter *schema*).

use super::{Action, Consent, Output, Ruling, TopDecision};
use crate::{
    Scene, permissions,
    postures::{Decisions, Flawed, Null},
};
use hookproof_contract::Event;
use serde_json::{Map, Value};

/// The fields of the top level.
pub(crate) const FIELDS: [&str; 8] = [
    "continue",
    "stopReason",
    "suppressOutput",
    "systemMessage",
    "terminalSequence",
    "decision",
    "reason",
    "hookSpecificOutput",
];

/// Reads an object into an output. The error names the field that is wrong, and repeats no value.
pub(crate) fn validate(scene: &Scene<'_>, fields: Map<String, Value>) -> Result<Output, String> {
    let mut object = Object { scene, fields, taken: 0, dropped: Vec::new() };
    let mut output = Output {
        stop: object.bool("continue")? == Some(false),
        stop_reason: object.text("stopReason")?,
        system_message: object.text("systemMessage")?,
        terminal_sequence: object.text("terminalSequence")?,
        decision: decision(&mut object)?,
        reason: object.text("reason")?,
        ..Output::default()
    };
    object.bool("suppressOutput")?;
    if let Some(specific) = object.object("hookSpecificOutput")? {
        specific_output(scene, specific, &mut output)?;
    }
    output.unknown.extend(object.fields.into_iter().map(|(key, _)| key));
    output.dropped.append(&mut object.dropped);
    if output.decision == Some(TopDecision::Block) {
        reconsider(scene, &mut output)?;
    }
    Ok(output)
}

/// What is open of a block by top-level `decision`.
fn reconsider(scene: &Scene<'_>, output: &mut Output) -> Result<(), String> {
    match scene.event() {
        Event::Stop | Event::SubagentStop if output.reason.is_none() => match scene.stance.reasonless_block {
            Flawed::Fails => return Err("`reason` is required with `decision`".to_owned()),
            Flawed::Ignored => output.decision = None,
            Flawed::Accepted => {}
        },
        // What an evaluator objects is heard there in any case, and does not come this way.
        Event::PostToolUseFailure if scene.stance.failure_takes_no_reason => output.decision = None,
        _ => {}
    }
    Ok(())
}

fn decision(object: &mut Object<'_>) -> Result<Option<TopDecision>, String> {
    let Some(value) = object.text("decision")? else { return Ok(None) };
    let may_approve =
        object.scene.stance.decisions != Decisions::BlockOnly || object.scene.event() == Event::PreToolUse;
    match value.as_str() {
        "block" => Ok(Some(TopDecision::Block)),
        "approve" if may_approve => Ok(Some(TopDecision::Approve)),
        _ if object.scene.stance.decisions == Decisions::Any => Ok(None),
        _ => Err("`decision` has a value that it cannot have".to_owned()),
    }
}

/// `hookSpecificOutput`, which must say the event that it is for.
fn specific_output(scene: &Scene<'_>, fields: Map<String, Value>, output: &mut Output) -> Result<(), String> {
    let mut object = Object { scene, fields, taken: 0, dropped: Vec::new() };
    let (flaw, message) = match object.text("hookEventName")? {
        Some(name) if is_own_name(scene, &name) => (Flawed::Accepted, ""),
        Some(_) => (scene.stance.other_name, "`hookEventName` is the name of another event"),
        None => (scene.stance.missing_name, "`hookSpecificOutput` has no `hookEventName`"),
    };
    match flaw {
        Flawed::Fails => return Err(message.to_owned()),
        Flawed::Ignored => return Ok(()),
        Flawed::Accepted => object.taken = 0,
    }
    match scene.event() {
        Event::PreToolUse => {
            output.ruling = object.listed("permissionDecision", ruling)?;
            output.ruling_reason = object.text("permissionDecisionReason")?;
            output.updated_input = object.object("updatedInput")?;
            output.context = object.text("additionalContext")?;
        }
        Event::PostToolUse => {
            output.context = object.text("additionalContext")?;
            output.tool_output = object.any("updatedToolOutput")?;
            output.mcp_output = object.any("updatedMCPToolOutput")?;
            if scene.since(236) {
                output.note = object.text("classifierContext")?;
            }
        }
        Event::UserPromptSubmit => {
            output.context = object.text("additionalContext")?;
            output.title = object.text("sessionTitle")?;
            output.hides_prompt = object.bool("suppressOriginalPrompt")? == Some(true);
        }
        Event::SessionStart => {
            output.context = object.text("additionalContext")?;
            output.first_prompt = object.text("initialUserMessage")?;
            output.title = object.text("sessionTitle")?;
            output.watch_paths = object.texts("watchPaths")?;
            output.reloads_skills = object.bool("reloadSkills")? == Some(true);
        }
        Event::Setup
        | Event::Stop
        | Event::SubagentStop
        | Event::SubagentStart
        | Event::PostToolUseFailure
        | Event::PostToolBatch
        | Event::UserPromptExpansion
        | Event::PostModelSwitch => {
            output.context = object.text("additionalContext")?;
        }
        Event::Elicitation | Event::ElicitationResult => {
            output.action = object.listed("action", action)?;
            output.content = object.object("content")?;
        }
        Event::MessageDisplay => output.display = object.text("displayContent")?,
        Event::PreModelSwitch => {
            output.ruling = object.listed("permissionDecision", switch_ruling)?;
            output.ruling_reason = object.text("permissionDecisionReason")?;
        }
        Event::PermissionRequest => {
            if let Some(fields) = object.object("decision")? {
                output.consent = consent(scene, fields, output)?;
            }
        }
        Event::PermissionDenied => output.retry = object.bool("retry")? == Some(true),
        Event::CwdChanged | Event::FileChanged => output.watch_paths = object.texts("watchPaths")?,
        Event::WorktreeCreate => output.path = object.text("worktreePath")?,
        _ => {}
    }
    output.own_fields = object.taken;
    output.dropped.append(&mut object.dropped);
    output.unknown.extend(object.fields.into_iter().map(|(key, _)| format!("hookSpecificOutput.{key}")));
    Ok(())
}

/// Whether this is the name of the event. Whether a `Stop` that a subagent declares may go by that name as well is open.
fn is_own_name(scene: &Scene<'_>, name: &str) -> bool {
    name == scene.event().name() || (scene.stance.takes_declared_name && name == scene.declared.name())
}

/// The answer to a permission request; whether there must be one is open. The fields of the other behavior are like any that
/// the schema does not know.
fn consent(scene: &Scene<'_>, fields: Map<String, Value>, output: &mut Output) -> Result<Option<Consent>, String> {
    let mut object = Object { scene, fields, taken: 0, dropped: Vec::new() };
    let consent = match object.text("behavior")?.as_deref() {
        Some("allow") => Some(Consent::Given {
            input: object.object("updatedInput")?,
            updates: object.updates("updatedPermissions")?.unwrap_or_default(),
        }),
        Some("deny") => Some(Consent::Refused {
            message: object.text("message")?,
            interrupts: object.bool("interrupt")? == Some(true),
        }),
        _ if scene.stance.takes_vague_consent => None,
        _ => return Err("`behavior` in `decision` must be `allow` or `deny`".to_owned()),
    };
    output.unknown.extend(object.fields.into_iter().map(|(key, _)| format!("hookSpecificOutput.decision.{key}")));
    Ok(consent)
}

fn ruling(value: &str) -> Option<Ruling> {
    match value {
        "allow" => Some(Ruling::Allow),
        "deny" => Some(Ruling::Deny),
        "ask" => Some(Ruling::Ask),
        "defer" => Some(Ruling::Defer),
        _ => None,
    }
}

/// Nothing can be put off where the model is switched.
fn switch_ruling(value: &str) -> Option<Ruling> {
    ruling(value).filter(|ruling| *ruling != Ruling::Defer)
}

fn action(value: &str) -> Option<Action> {
    match value {
        "accept" => Some(Action::Accept),
        "decline" => Some(Action::Decline),
        "cancel" => Some(Action::Cancel),
        _ => None,
    }
}

/// An object whose known fields are taken out one by one, so that the unknown ones remain.
struct Object<'s> {
    scene: &'s Scene<'s>,
    fields: Map<String, Value>,
    /// How many had a value.
    taken: usize,
    /// Those that were left out since they had the wrong type.
    dropped: Vec<String>,
}

impl Object<'_> {
    /// A field of any type.
    fn any(&mut self, key: &str) -> Result<Option<Value>, String> {
        let value = self.fields.remove(key);
        match (&value, self.scene.stance.null_anything) {
            (Some(Value::Null), Null::WrongType) if !self.scene.stance.drops_wrong_types => {
                return Err(format!("`{key}` must be a value"));
            }
            (Some(Value::Null), Null::WrongType | Null::Absent) => return Ok(None),
            _ => {}
        }
        self.taken += usize::from(value.is_some());
        Ok(value)
    }

    fn text(&mut self, key: &str) -> Result<Option<String>, String> {
        self.typed(key, "a string", |value| if let Value::String(text) = value { Some(text) } else { None })
    }

    fn bool(&mut self, key: &str) -> Result<Option<bool>, String> {
        self.typed(key, "a boolean", |value| value.as_bool())
    }

    fn object(&mut self, key: &str) -> Result<Option<Map<String, Value>>, String> {
        self.typed(key, "an object", |value| if let Value::Object(fields) = value { Some(fields) } else { None })
    }

    fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, String> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        self.typed(key, "an array of strings", |value| value.as_array()?.iter().map(text).collect())
    }

    fn updates(&mut self, key: &str) -> Result<Option<Vec<permissions::Update>>, String> {
        let read = |value: Value| value.as_array()?.iter().cloned().map(permissions::update).collect();
        self.typed(key, "an array of permission updates", read)
    }

    /// A string that must be one of those that are listed.
    fn listed<T>(&mut self, key: &str, meaning: fn(&str) -> Option<T>) -> Result<Option<T>, String> {
        let Some(value) = self.text(key)? else { return Ok(None) };
        match meaning(&value) {
            None if !self.scene.stance.ignores_unlisted => Err(format!("`{key}` has a value that it cannot have")),
            found => Ok(found),
        }
    }

    fn typed<T>(&mut self, key: &str, kind: &str, read: impl Fn(Value) -> Option<T>) -> Result<Option<T>, String> {
        let Some(value) = self.fields.remove(key) else { return Ok(None) };
        if value.is_null() && self.scene.stance.null_is_absent {
            return Ok(None);
        }
        match read(value) {
            None if !self.scene.stance.drops_wrong_types => Err(format!("`{key}` must be {kind}")),
            found => {
                self.taken += usize::from(found.is_some());
                self.dropped.extend(found.is_none().then(|| key.to_owned()));
                Ok(found)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{said, stage_read};
    use hookproof_contract::{Audience, Fate, Reading, reading};
    use serde_json::{Value, json};

    fn play(event: &str, out: Value, readings: &[Reading]) -> hookproof_contract::Outcome {
        let case = json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
                          "results": {"a": {"out": out.to_string()}},
                          "steps": [{"fire": {"event": event, "input": {"tool_name": "Bash", "tool_input": {}}}}]});
        stage_read(case, readings).remove(0)
    }

    fn fails(event: &str, out: Value, readings: &[Reading]) -> bool {
        said(&play(event, out, readings), Audience::User).iter().any(|text| text.contains("hook error"))
    }

    fn deny(name: &str) -> Value {
        json!({"hookSpecificOutput": {"hookEventName": name, "permissionDecision": "deny"}})
    }

    #[test]
    fn a_field_of_the_wrong_type_fails_the_object_or_is_dropped() {
        let dropped = [reading!("A-31", "the field is dropped")];
        for field in [
            "stopReason",
            "systemMessage",
            "terminalSequence",
            "reason",
            "continue",
            "suppressOutput",
            "decision",
            "hookSpecificOutput",
        ] {
            assert!(fails("PreToolUse", json!({field: 5}), &[]), "{field}");
            assert!(!fails("PreToolUse", json!({field: 5}), &dropped), "{field}");
        }
    }

    #[test]
    fn null_is_a_wrong_type_or_nothing() {
        assert!(fails("PreToolUse", json!({"reason": null}), &[]));
        assert!(!fails("PreToolUse", json!({"reason": null}), &[reading!("A-32", "as if left out")]));
    }

    #[test]
    fn decisions_have_few_values() {
        for event in ["PreToolUse", "PostToolUse"] {
            assert!(!fails(event, json!({"decision": "approve"}), &[]));
            assert!(fails(event, json!({"decision": "allow"}), &[]));
            assert!(!fails(event, json!({"decision": "allow"}), &[reading!("A-33", "any")]));
        }
        let block_only = [reading!("A-33", "block only")];
        assert!(fails("PostToolUse", json!({"decision": "approve"}), &block_only));
        assert!(!fails("PreToolUse", json!({"decision": "approve"}), &block_only));
    }

    #[test]
    fn specific_output_says_its_event() {
        assert_eq!(play("PreToolUse", deny("PreToolUse"), &[]).fate, Some(Fate::Prevented));
        assert!(fails("PreToolUse", deny("PostToolUse"), &[]));
        let nameless = json!({"hookSpecificOutput": {"permissionDecision": "deny"}});
        assert!(fails("PreToolUse", nameless.clone(), &[]));
        let accepted = [reading!("A-34", "missing accepted, other ignored")];
        assert_eq!(play("PreToolUse", nameless.clone(), &accepted).fate, Some(Fate::Prevented));
        assert!(!fails("PreToolUse", deny("PostToolUse"), &accepted));
        let ignored = [reading!("A-34", "ignored")];
        assert!(play("PreToolUse", nameless, &ignored).fate.is_none());
    }

    #[test]
    fn whether_a_subagents_own_stop_hook_may_call_itself_so_is_open() {
        let goes_on = |from: Value, declared: &str, name: &str, readings: &[Reading]| {
            let out = json!({"hookSpecificOutput": {"hookEventName": name, "additionalContext": "CTX-1"}});
            let hooks = json!({declared: [{"hooks": [{"type": "command", "command": "a"}]}]});
            let case = json!({"settings": [{"from": from, "settings": {"hooks": hooks}}], "results": {"a": {"out": out.to_string()}},
                              "steps": [{"fire": {"event": "SubagentStop", "input": {"agent_id": "a1", "agent_type": "reviewer"}}}]});
            stage_read(case, readings).remove(0).fate == Some(Fate::Prevented)
        };
        let own = || json!({"agent": "reviewer"});
        let as_well = [reading!("A-36", "Stop as well")];
        for readings in [&[][..], &as_well[..]] {
            assert!(goes_on(own(), "Stop", "SubagentStop", readings));
            assert_eq!(goes_on(own(), "Stop", "Stop", readings), !readings.is_empty());
            assert!(!goes_on(own(), "Stop", "PreToolUse", readings));
            assert!(!goes_on(own(), "SubagentStop", "Stop", readings));
            assert!(!goes_on(json!("user"), "SubagentStop", "Stop", readings));
        }
    }

    #[test]
    fn a_value_that_is_not_listed_fails_or_is_ignored() {
        let out = json!({"systemMessage": "MSG-1", "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "block"}});
        assert!(fails("PreToolUse", out.clone(), &[]));
        let heard = said(&play("PreToolUse", out, &[reading!("A-38", "ignored")]), Audience::User);
        assert!(heard.iter().any(|text| text.contains("MSG-1")));
    }

    #[test]
    fn unknown_and_misplaced_keys_are_noted_and_do_nothing() {
        let outcome = play("PreToolUse", json!({"permissionDecision": "deny", "additionalContext": "CTX-1"}), &[]);
        assert!(
            outcome.fate.is_none()
                && said(&outcome, Audience::User).is_empty()
                && said(&outcome, Audience::Model).is_empty()
        );
        assert!(said(&outcome, Audience::Debug).iter().any(|text| text.contains("permissionDecision")));
    }

    #[test]
    fn a_stop_block_without_a_reason_is_open() {
        let out = json!({"decision": "block"});
        assert_eq!(play("Stop", out.clone(), &[]).fate, Some(Fate::Prevented));
        assert!(fails("Stop", out.clone(), &[reading!("A-37", "fails")]));
        assert!(play("Stop", out, &[reading!("A-37", "ignored")]).fate.is_none());
    }
}
