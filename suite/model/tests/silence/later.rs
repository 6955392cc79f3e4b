//! What is claimed, and what is not, of what a session remembers: which hooks ran that run once, and what the model is yet to hear.

use super::{bash, claims, commands, fire, prints, says, silent};
use serde_json::{Value, json};

fn once(name: &str) -> Value {
    json!({"type": "command", "command": name, "once": true})
}

fn group(matcher: &str, handler: Value) -> Value {
    json!({"matcher": matcher, "hooks": [handler]})
}

/// A skill with these groups for an event.
fn skill(event: &str, groups: Value) -> Value {
    json!({"from": {"skill": "deploy"}, "settings": {"hooks": {event: groups}}})
}

fn call(tool: &str) -> Value {
    fire("PreToolUse", json!({"tool_name": tool, "tool_input": {}, "tool_use_id": "t"}))
}

#[test]
fn what_ran_once_is_known_by_its_name() {
    let layer = || skill("PreToolUse", json!([group("Bash", once("g")), group("Edit", once("h"))]));
    let other = json!({"settings": [layer()], "steps": [call("Bash"), call("Edit")]});
    claims("another has not run", r#"1-1 ran {"run_exactly":["h"]} MATCH-PAT-02"#, other);
    let failed = json!({"settings": [layer()], "results": {"h": {"end": {"exit": 1}}},
                        "steps": [call("Bash"), call("Edit"), call("Bash")]});
    claims("nor does its failure bring this one back", r#"2-2 ran {"run_exactly":[]} CONFIG-ONCE-01"#, failed);
    let twice = skill("PreToolUse", json!([group("Bash", once("g")), group("Edit", once("g"))]));
    let twice = json!({"settings": [twice], "steps": [call("Bash"), call("Edit")]});
    silent("whether one that stands twice is done for both", "1-1 ran", twice);
}

#[test]
fn whether_a_run_was_one_and_a_success_is_not_always_certain() {
    let case = |event: &str, handler: Value, result: Value, steps: Value| {
        let name = if handler["type"] == "prompt" { "Judge $ARGUMENTS" } else { "g" };
        json!({"settings": [skill(event, json!([{"hooks": [handler]}]))], "results": {name: result}, "steps": steps})
    };
    let mut handler = once("g");
    handler["if"] = json!("Bash(ls)");
    let unread = json!({"tool_name": "Bash", "tool_input": {"command": "for i in a; do ls; done"}, "tool_use_id": "t"});
    let steps = json!([fire("PreToolUse", unread), fire("PreToolUse", bash())]);
    silent("it may have run", "1-1 ran", case("PreToolUse", handler, json!({}), steps));
    let twice = || json!([call("Bash"), call("Bash")]);
    let mut handler = once("g");
    handler["async"] = json!(true);
    silent("it may run still", "1-1 ran", case("PreToolUse", handler, json!({}), twice()));
    let prompt = json!({"type": "prompt", "prompt": "Judge $ARGUMENTS", "once": true});
    let consents = json!({"end": "answered", "out": "{\"ok\":true}"});
    let judged = case("PreToolUse", prompt, consents, twice());
    claims("consent is a success", r#"1-1 ran {"run_exactly":[]} CONFIG-ONCE-01"#, judged);
}

fn happens(what: &str) -> Value {
    json!({"happen": what})
}

/// A model that a hook comments.
fn switched(steps: Value) -> Value {
    let context = says(json!({"hookEventName": "PostModelSwitch", "additionalContext": "CTX-1"}));
    let models = json!({"opus": "claude-opus-5", "sonnet": "claude-sonnet-5"});
    json!({"host": {"models": models}, "settings": [commands("PostModelSwitch", &["g"])], "results": {"g": context}, "steps": steps})
}

fn to(model: &str) -> Value {
    fire("PostModelSwitch", json!({"from_model": "claude-haiku-4", "to_model": model, "source": "command"}))
}

/// A command in the background that gives context when a tool is called.
fn waiting(steps: Value) -> Value {
    let context = says(json!({"hookEventName": "PreToolUse", "additionalContext": "CTX-1"}));
    let group = json!({"hooks": [{"type": "command", "command": "g", "async": true}]});
    let layer = json!({"from": "user", "settings": {"hooks": {"PreToolUse": [group]}}});
    json!({"settings": [layer], "results": {"g": context}, "steps": steps})
}

/// A directory of which a hook tells.
fn added(steps: Value) -> Value {
    let message = prints(json!({"systemMessage": "MSG-1"}));
    json!({"settings": [commands("DirectoryAdded", &["g"])], "results": {"g": message}, "steps": steps})
}

fn directory() -> Value {
    fire("DirectoryAdded", json!({"directory": "/w", "source": "slash_command"}))
}

fn prompt() -> Value {
    fire("UserPromptSubmit", json!({"prompt": "P-1"}))
}

fn expansion() -> Value {
    fire("UserPromptExpansion", json!({"command_name": "deploy", "prompt": "/deploy"}))
}

/// With a hook that blocks the prompt.
fn blocked(mut case: Value) -> Value {
    case["settings"].as_array_mut().expect("layers").push(commands("UserPromptSubmit", &["guard"]));
    case["results"]["guard"] = json!({"end": {"exit": 2}, "err": "ERR-1"});
    case
}

const SWITCHED: &str =
    r#"2-2 said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}} POSTMODEL-OUT-01"#;

#[test]
fn what_is_said_of_a_switch_waits_for_a_request() {
    let request = || happens("model_request");
    claims("a blocked prompt makes none", SWITCHED, blocked(switched(json!([to("opus"), prompt(), request()]))));
    claims("nor does a command", SWITCHED, switched(json!([to("opus"), expansion(), request()])));
    silent("a call was asked for", "2-2 said/model", switched(json!([to("opus"), call("Bash"), request()])));
    let mut again = to("claude-opus-5");
    again["fire"]["results"] =
        json!({"g": says(json!({"hookEventName": "PostModelSwitch", "additionalContext": "CTX-2"}))});
    let same = switched(json!([to("opus"), again, request()]));
    silent("the same model twice may be one", "2-2 said/model {\"not_say\"", same);
}

#[test]
fn what_comes_of_the_background_waits_for_a_prompt_and_its_request() {
    let (new, request) = (|| happens("new_prompt"), || happens("model_request"));
    let arrives = r#"3-3 said/model {"say":{"parts":["CTX-1"]}} ASYNC-05"#;
    let called = waiting(json!([call("Bash"), happens("tool_call"), new(), request()]));
    claims("a call is no prompt", arrives, called);
    for (why, steps) in [
        ("it was blocked", json!([call("Bash"), prompt(), happens("model_request"), request()])),
        ("a request was made for the first", json!([call("Bash"), new(), prompt(), request()])),
        ("a call was asked for", json!([call("Bash"), new(), fire("Notification", json!({})), request()])),
        (
            "what is compacted may be gone",
            json!([call("Bash"), fire("PreCompact", json!({"trigger": "auto"})), new(), request()]),
        ),
    ] {
        silent(why, "2-2 said/model {\"say\"", blocked(waiting(steps.clone())));
        silent(why, "3-3 said/model {\"say\"", blocked(waiting(steps)));
    }
}

#[test]
fn a_directory_is_told_of_when_the_next_turn_begins() {
    let (new, request) = (|| happens("new_prompt"), || happens("model_request"));
    let arrives = r#"3-3 said/model {"say":{"how":"context","lies":"in_text","parts":["MSG-1"]}} DIRADD-OUT-02"#;
    claims("a call begins none", arrives, added(json!([directory(), happens("tool_call"), new(), request()])));
    let prompted = added(json!([directory(), prompt(), request(), new(), request()]));
    for step in ["2-2", "4-4"] {
        silent("the prompt may have begun one", &format!("{step} said/model {{\"say\""), prompted.clone());
    }
    silent("so may a command", "3-3 said/model", added(json!([directory(), expansion(), new(), request()])));
}

#[test]
fn what_hooks_said_of_which_nobody_knows_whether_they_ran_may_have_arrived() {
    let copies = |event: &str, matcher: &str| {
        let layer = |from: &str, more: Value| {
            let mut handler = json!({"type": "command", "command": "unclear"});
            handler.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            json!({"from": from, "settings": {"hooks": {event: [{"matcher": matcher, "hooks": [handler]}]}}})
        };
        [layer("user", json!({"async": true})), layer("project", json!({}))]
    };
    let with = |mut case: Value, more: [Value; 2]| {
        case["settings"].as_array_mut().expect("layers").extend(more);
        case
    };
    let steps = json!([call("Bash"), prompt(), happens("new_prompt"), happens("model_request")]);
    let case = with(waiting(steps), copies("UserPromptSubmit", ""));
    silent("with the first prompt", "3-3 said/model {\"say\"", case);
    let case = with(
        switched(json!([to("opus"), to("sonnet"), happens("model_request")])),
        copies("PostModelSwitch", "claude-sonnet-5"),
    );
    silent("one that nobody knows of may repeat it", "2-2 said/model", case);
}
