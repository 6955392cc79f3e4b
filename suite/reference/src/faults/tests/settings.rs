//! Cases in which settings, and the fields of handlers, decide who runs and who is waited for.

use super::{edit, layers, of, specific, stop};
use serde_json::{Value, json};

pub(super) fn cases() -> Vec<Value> {
    sources().into_iter().chain(fields()).chain(conditions()).chain(background()).collect()
}

/// Where settings come from, and what they may turn off.
fn sources() -> Vec<Value> {
    let with = |from: &[Value], settings: &[(usize, &str, Value)]| {
        settings.iter().fold(layers(from), |case, (layer, key, value)| {
            edit(case, &format!("/settings/{layer}/settings/{key}"), value.clone())
        })
    };
    let (managed, user, project) = (json!("managed"), json!("user"), json!("project"));
    let plugins = [managed.clone(), json!({"plugin": "p"}), user.clone()];
    let only = (0, "allowManagedHooksOnly", json!(true));
    let forced = |layer: usize| (layer, "enabledPlugins", json!({"p": true}));
    let url = "allowedHttpHookUrls";
    let calls = |from: &Value, lists: &[(usize, &str, Value)]| {
        let servers = json!([{"type": "http", "url": "http://a"}, {"type": "http", "url": "http://b"}]);
        edit(with(&[from.clone(), project.clone()], lists), "/settings/0/settings/hooks/Stop/0/hooks", servers)
    };
    let mine = || layers(std::slice::from_ref(&user));
    vec![
        with(&plugins, &[only.clone(), forced(0)]),
        with(&plugins, &[only, forced(2)]),
        calls(&managed, &[(1, url, json!(["http://a"]))]),
        calls(&user, &[(0, url, json!(["http://b"])), (1, url, json!(["http://a"]))]),
        edit(mine(), "/host", json!({"trusted": false})),
        edit(mine(), "/host", json!({"trusted": false, "surface": "print"})),
        with(&[user.clone(), json!("flag")], &[(1, "disableAllHooks", json!(true))]),
        with(std::slice::from_ref(&managed), &[(0, "disableAllHooks", json!(true))]),
    ]
}

/// What a handler says of itself.
fn fields() -> Vec<Value> {
    let hooks = "/settings/0/settings/hooks/Stop/0/hooks";
    let first = "/settings/0/settings/hooks/Stop/0/hooks/0";
    let once = |from: Value, end: Value| {
        let case = edit(stop(2, json!({"end": end})), "/settings/0/from", from);
        edit(case, &format!("{first}/once"), json!(true))
    };
    let skill = || json!({"skill": "s"});
    let shells = ["bash", "powershell"];
    let two_shells = shells.map(|shell| json!({"type": "command", "command": "a", "args": [], "shell": shell}));
    let wanting = json!([{"type": "command", "command": "send ${user_config.url}"}]);
    vec![
        edit(layers(&[json!({"plugin": "p"}), json!("user")]), hooks, wanting),
        edit(stop(1, json!({})), hooks, json!(two_shells)),
        once(skill(), json!({"exit": 0})),
        once(skill(), json!({"exit": 1})),
        once(skill(), json!("timed_out")),
        once(json!("user"), json!({"exit": 0})),
    ]
}

/// Conditions, on the first of two handlers.
fn conditions() -> Vec<Value> {
    let call = |rule: &str, tool: &str, input: Value| {
        let input = json!({"tool_name": tool, "tool_input": input});
        let case = of("PreToolUse", json!({}), input, json!({"a": {}, "b": {}}));
        edit(case, "/settings/0/settings/hooks/PreToolUse/0/hooks/0/if", json!(rule))
    };
    let bash = |rule: &str, command: &str| call(rule, "Bash", json!({"command": command}));
    let file = |rule: &str, path: &str| call(rule, "Edit", json!({"file_path": path}));
    vec![
        edit(stop(1, json!({})), "/settings/0/settings/hooks/Stop/0/hooks/0/if", json!("Bash")),
        call("Bash(rm *)", "PowerShell", json!({"command": "rm x"})),
        bash("Bash(git *)", "npm test && git push"),
        bash("Bash(git *)", "FOO=bar git push"),
        bash("Bash(rm *)", "echo $(rm -rf /)"),
        bash("Bash(rm *)", "echo $(date)"),
        bash("Bash(git push *)", "echo $(date)"),
        bash("Bash(rm *)", "echo 'x"),
        file("Edit(src/**)", "lib/src/a"),
        file("Edit(**/src/**)", "lib/b/src/a"),
    ]
}

/// Handlers in the background.
fn background() -> Vec<Value> {
    let late = |mut case: Value, event: &str| {
        let handlers = &mut case["settings"][0]["settings"]["hooks"][event][0]["hooks"];
        handlers.as_array_mut().expect("handlers").iter_mut().for_each(|handler| handler["async"] = json!(true));
        let step = case["steps"][0].clone();
        let request = json!({"happen": "model_request"});
        case["steps"] = json!([step, request, {"happen": "new_prompt"}, request]);
        case
    };
    let done = |results: Value| late(of("PostToolUse", json!({}), super::bash(), results), "PostToolUse");
    let context = |text: &str| specific("PostToolUse", json!({"additionalContext": text}));
    let block = json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"});
    let prompt = |name: &str| of("UserPromptSubmit", json!({}), json!({"prompt": "PROMPT-1"}), json!({name: block}));
    vec![
        late(prompt("a"), "UserPromptSubmit"),
        late(prompt("http://u"), "UserPromptSubmit"),
        done(json!({"a": context("CTX-1"), "b": context("CTX-2")})),
        done(
            json!({"a": specific("PostToolUse", json!({"additionalContext": "CTX-1", "classifierContext": "NOTE-1"}))}),
        ),
        done(json!({"a": {"out": "{\"continue\":5,\"systemMessage\":\"MSG-1\"}"}})),
    ]
}
