//! What is claimed, and what is not, of trust, of the settings that keep hooks from running, of `if` and of `once`.

use super::{bash, claims, commands, fire, hooks, silent};
use serde_json::{Value, json};

fn layer(from: Value, settings: Value) -> Value {
    json!({"from": from, "settings": settings})
}

/// A layer with one handler of no matcher.
fn of(from: Value, event: &str, handler: Value) -> Value {
    layer(from, json!({"hooks": {event: [{"hooks": [handler]}]}}))
}

fn command(name: &str) -> Value {
    json!({"type": "command", "command": name})
}

fn server() -> Value {
    json!({"type": "http", "url": "http://hooks.test/guard"})
}

fn with(mut handler: Value, field: &str, value: Value) -> Value {
    handler[field] = value;
    handler
}

fn case(layers: Value) -> Value {
    json!({"settings": layers, "steps": [fire("PreToolUse", bash())]})
}

#[test]
fn trust_is_asked_where_a_dialog_could_be_shown() {
    let on = |surface: &str, from: &str| {
        let layers = json!([of(json!(from), "PreToolUse", command("g"))]);
        json!({"host": {"surface": surface, "trusted": false}, "settings": layers, "steps": [fire("PreToolUse", bash())]})
    };
    for from in ["user", "project", "local"] {
        claims(from, r#"ran {"run_exactly":[]} CONFIG-TRUST-03"#, on("terminal", from));
        claims(from, r#"fate {"be":"proceeds"} CONFIG-TRUST-03"#, on("terminal", from));
        claims(from, r#"ran {"run_exactly":["g"]} CONFIG-TRUST-04"#, on("print", from));
    }
    for from in ["managed", "flag"] {
        silent("that is no settings file of a folder", "", on("terminal", from));
    }
    silent("whether that is interactive", "", on("background", "user"));
    let plugin = json!([of(json!({"plugin": "tools"}), "PreToolUse", command("g"))]);
    let mut untrusted = case(plugin);
    untrusted["host"] = json!({"trusted": false});
    silent("nothing is said of plugins", "", untrusted);
}

#[test]
fn of_managed_hooks_only_is_said_what_goes_and_not_of_all_what_stays() {
    let only = |more: Value| {
        let mut settings = json!({"allowManagedHooksOnly": true});
        settings.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        layer(json!("managed"), settings)
    };
    let plugin = || of(json!({"plugin": "tools"}), "PreToolUse", command("g"));
    let gone = r#"ran {"run_exactly":[]} CONFIG-MANAGED-01"#;
    let there = r#"ran {"run_exactly":["g"]} CONFIG-MANAGED-01"#;
    for from in ["user", "project", "local"] {
        claims(from, gone, case(json!([of(json!(from), "PreToolUse", command("g")), only(json!({}))])));
    }
    claims("a plugin", gone, case(json!([plugin(), only(json!({}))])));
    claims("it is forced on", there, case(json!([plugin(), only(json!({"enabledPlugins": {"tools": true}}))])));
    claims("another is", gone, case(json!([plugin(), only(json!({"enabledPlugins": {"other": true}}))])));
    for stays in [true, false] {
        let settings = json!({"enabledPlugins": {"tools": true}, "disableCommandPluginSources": stays});
        claims("no command installed it", there, case(json!([plugin(), only(settings)])));
    }
    let by_user = layer(json!("user"), json!({"enabledPlugins": {"tools": true}}));
    claims("the user turned it on", gone, case(json!([plugin(), only(json!({})), by_user])));
    for from in [json!("flag"), json!({"skill": "deploy"})] {
        silent("nothing is said of these", "", case(json!([of(from, "PreToolUse", command("g")), only(json!({}))])));
    }
    let elsewhere = layer(json!("user"), json!({"allowManagedHooksOnly": true}));
    silent("what it means there", "", case(json!([of(json!("project"), "PreToolUse", command("g")), elsewhere])));
    silent(
        "it is no switch",
        "",
        case(json!([plugin(), layer(json!("managed"), json!({"allowManagedHooksOnly": 1}))])),
    );
    let off = layer(json!("user"), json!({"disableAllHooks": true}));
    let forced = layer(json!("managed"), json!({"enabledPlugins": {"tools": true}}));
    silent("it may count as managed", "", case(json!([plugin(), off, forced])));
    let broken = layer(json!("user"), json!({"disableAllHooks": true, "hooks": {"PreToolUse": 5}}));
    silent(
        "the file may count for nothing",
        "",
        case(json!([of(json!("project"), "PreToolUse", command("g")), broken])),
    );
}

#[test]
fn other_files_take_no_managed_hook_away() {
    let managed = || of(json!("managed"), "PreToolUse", command("g"));
    let emptied = |from: &str| layer(json!(from), json!({"hooks": {"PreToolUse": []}}));
    for from in ["user", "project", "local"] {
        claims(from, r#"ran {"run_exactly":["g"]} CONFIG-LOC-11"#, case(json!([managed(), emptied(from)])));
    }
    let other = of(json!("project"), "PreToolUse", command("g"));
    claims(
        "of others that says nothing",
        r#"ran {"run_exactly":["g"]} CONFIG-NEST-02"#,
        case(json!([other, emptied("user")])),
    );
}

#[test]
fn a_url_is_called_where_it_stands_in_a_list_and_not_where_no_entry_could_mean_it() {
    let listed = |from: &str, urls: Value| layer(json!(from), json!({"allowedHttpHookUrls": urls}));
    let of_server = || of(json!("managed"), "PreToolUse", server());
    let case = |more: Value| {
        let mut layers = vec![of_server()];
        layers.extend(more.as_array().expect("a list").clone());
        case(Value::from(layers))
    };
    let (url, other) = ("http://hooks.test/guard", "http://hooks.test/audit");
    let called = r#"ran {"run_exactly":["http://hooks.test/guard"]} CONFIG-HTTPALLOW-01"#;
    let refused = r#"ran {"run_exactly":[]} CONFIG-HTTPALLOW-01"#;
    claims("it is there", called, case(json!([listed("user", json!([other, url]))])));
    claims(
        "it is in one of them",
        called,
        case(json!([listed("user", json!([other])), listed("managed", json!([url]))])),
    );
    claims("it is not", refused, case(json!([listed("project", json!([other]))])));
    claims(
        "it is not",
        r#"fate {"be":"proceeds"} CONFIG-HTTPALLOW-01"#,
        case(json!([listed("project", json!([other]))])),
    );
    claims("nothing is", refused, case(json!([listed("user", json!([]))])));
    for pattern in ["http://hooks.test/*", "*", "http://hooks.test", "hooks.test", "HTTP://hooks.test/guard", ""] {
        silent("how patterns are written", "", case(json!([listed("user", json!([pattern]))])));
    }
    silent("it is no list", "", case(json!([listed("user", json!(url))])));
    let create = |urls: Value| {
        let layers = json!([of(json!("user"), "WorktreeCreate", server()), listed("managed", urls)]);
        json!({"settings": layers, "steps": [fire("WorktreeCreate", json!({"name": "otter"}))]})
    };
    claims("it is not called", refused, create(json!([])));
    silent("whether it has failed then", "fate", create(json!([])));
    let beside = json!([of(json!("user"), "Stop", server()), commands("Stop", &["g"]), listed("managed", json!([]))]);
    let plain = json!({"settings": beside, "results": {"g": {"out": "OUT-1"}}, "steps": [fire("Stop", json!({}))]});
    silent("somebody may be told", r#"said/user {"not_say":{"parts":["hook error"]"#, plain);
}

#[test]
fn a_plugins_command_with_a_place_for_an_option_is_not_launched() {
    let name = "run ${user_config.key}";
    let plugin = |handler: Value| case(json!([of(json!({"plugin": "tools"}), "PreToolUse", handler)]));
    claims("a shell would run it", r#"ran {"run_exactly":[]} CONFIG-EXEC-09"#, plugin(command(name)));
    silent("how the error counts", "fate", plugin(command(name)));
    silent("how the error counts", "said", plugin(command(name)));
    let with_arguments = with(command(name), "args", json!([]));
    claims("no shell", r#"ran {"run_exactly":["run ${user_config.key}"]} CONFIG-NEST-02"#, plugin(with_arguments));
    claims("no option", r#"ran {"run_exactly":["run ${KEY}"]} CONFIG-NEST-02"#, plugin(command("run ${KEY}")));
}

#[test]
fn a_shell_is_left_aside_beside_arguments() {
    for other in [command("g"), with(command("g"), "shell", json!("powershell"))] {
        silent("its shell is that of the system", "given/shell", case(json!([of(json!("user"), "PreToolUse", other)])));
    }
    let bare = with(command("g"), "shell", json!("bash"));
    claims(
        "named",
        r#"given/shell {"be":"bash"} CONFIG-CMD-02"#,
        case(json!([of(json!("user"), "PreToolUse", bare.clone())])),
    );
    let both = with(bare, "args", json!(["-v"]));
    claims("both", r#"given/shell "absent" CONFIG-CMD-03"#, case(json!([of(json!("user"), "PreToolUse", both)])));
}

#[test]
fn a_condition_counts_for_tools_alone_and_for_its_own_handler_alone() {
    let rm = || with(command("g"), "if", json!("Bash(rm *)"));
    let stop = |layers: Value| json!({"settings": layers, "steps": [fire("Stop", json!({}))]});
    claims("never there", r#"ran {"run_exactly":[]} MATCH-IF-02"#, stop(json!([of(json!("user"), "Stop", rm())])));
    claims(
        "`ls` is not `rm`",
        r#"ran {"run_exactly":[]} MATCH-IF-01"#,
        case(json!([of(json!("user"), "PreToolUse", rm())])),
    );
    let removal = json!({"settings": [of(json!("user"), "WorktreeRemove", rm())],
        "steps": [fire("WorktreeRemove", json!({"worktree_path": "/work/trees/otter"}))]});
    silent("whether git removes it then", "fate", removal);
    let beside = hooks("PreToolUse", json!({"hooks": [rm(), command("h")]}));
    claims("the other runs", r#"ran {"run_exactly":["h"]} MATCH-IF-07"#, case(json!([beside])));
    for text in ["Bash", "Bash(ls)", "Bash(ls", "", "Bash(ls *) || Edit"] {
        let handler = with(command("g"), "if", json!(text));
        silent(text, "", case(json!([of(json!("user"), "PreToolUse", handler)])));
    }
    let copies = json!([of(json!("user"), "PreToolUse", rm()), of(json!("project"), "PreToolUse", command("g"))]);
    silent("the one that does not run may be the copy that is kept", "", case(copies));
}

#[test]
fn what_runs_once_is_gone_after_a_success_and_only_in_a_skill() {
    let once = |from: Value, result: Value| {
        let layers = json!([of(from, "PreToolUse", with(command("g"), "once", json!(true)))]);
        let mut twice = fire("PreToolUse", bash());
        twice["fire"]["times"] = json!(2);
        json!({"settings": layers, "results": {"g": result}, "steps": [twice]})
    };
    let skill = || json!({"skill": "deploy"});
    let gone = r#"1-1 ran {"run_exactly":[]} CONFIG-ONCE-01"#;
    let again = r#"1-1 ran {"run_exactly":["g"]} CONFIG-ONCE-02"#;
    claims("it succeeds", gone, once(skill(), json!({})));
    claims("it adds context", gone, once(skill(), json!({"out": "{\"systemMessage\":\"MSG-1\"}"})));
    for result in [json!({"end": {"exit": 1}}), json!({"end": {"exit": 2}, "err": "E-1"}), json!({"end": "timed_out"})]
    {
        claims("it does not", again, once(skill(), result));
    }
    let late = json!({"end": {"exit": 1}, "out": "{\"systemMessage\":\"MSG-1\"}"});
    silent("whether that is a success", "1-1 ran", once(skill(), late));
    silent(
        "a block may be one",
        "1-1 ran",
        once(skill(), json!({"out": "{\"decision\":\"block\",\"reason\":\"WHY-1\"}"})),
    );
    for from in [json!("user"), json!({"plugin": "tools"})] {
        claims("it is no skill", r#"1-1 ran {"run_exactly":["g"]} CONFIG-ONCE-03"#, once(from, json!({})));
    }
    let mut by_subagent = once(skill(), json!({}));
    by_subagent["steps"] = json!([fire("PreToolUse", bash()), fire("PreToolUse", bash())]);
    by_subagent["steps"][0]["fire"]["input"]["agent_id"] = json!("a-1");
    silent("whether it ran for a subagent", "", by_subagent.clone());
    for from in ["flag", "user"] {
        by_subagent["settings"] = json!([of(json!(from), "PreToolUse", command("g"))]);
        let ran = r#"0-0 ran {"run_exactly":["g"]} CONFIG-LOC-12"#;
        claims("a settings file is for all", ran, by_subagent.clone());
    }
    let mut cleared = once(skill(), json!({}));
    cleared["steps"] = json!([fire("PreToolUse", bash()), {"happen": "cleared"}, fire("PreToolUse", bash())]);
    silent("the session may be another", "2-2", cleared);
    let ended = |event: &str| {
        let mut layer = of(skill(), event, command("g"));
        layer["settings"]["hooks"]["SessionEnd"] = json!([{"hooks": [command("g")]}]);
        json!({"settings": [layer], "steps": [fire("SessionEnd", json!({})), fire(event, bash())]})
    };
    claims("as it ends", r#"0-0 ran {"run_exactly":["g"]} CONFIG-NEST-02"#, ended("PreToolUse"));
    silent("what follows is of another", "1-1 ran", ended("PreToolUse"));
}
