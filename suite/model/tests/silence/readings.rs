//! Where the contract is open, each reading is claimed by itself, and nobody is held to one of them.

use super::{bash, claimed, commands, fire, hooks, one, prints, says};
use hookproof_contract::{Case, Claim, Reading, Readings, Revision};
use serde_json::{Value, json};

/// What is claimed by a reading, a line each.
fn demanded(point: &str, reading: &str, case: &Value) -> Vec<String> {
    let readings: Readings = [Reading::parse(point, reading).expect("a reading")].into_iter().collect();
    let parsed: Case = serde_json::from_value(case.clone()).expect("a case");
    let expectation = hookproof_model::expect(Revision::NEWEST, &readings, &parsed).expect("it is modelled");
    let line = |claim: &Claim| {
        let steps = claim.steps.map_or(String::new(), |[first, last]| format!("{first}-{last} "));
        format!("{steps}{}{} {}", claim.at, claim.path.as_deref().unwrap_or_default(), json!(claim.must))
    };
    expectation.claims.iter().map(line).collect()
}

/// Fails unless a claim is just this by a reading, and unless no claim is without one.
pub(super) fn by(point: &str, reading: &str, line: &str, case: &Value) {
    let demanded = demanded(point, reading, case);
    assert!(demanded.iter().any(|claim| claim == line), "{point}, {reading}: {demanded:#?}");
    let bound = claimed(case.clone());
    assert!(!bound.iter().any(|claim| claim.starts_with(line)), "{point}: {line} is demanded of everybody: {bound:#?}");
}

/// Fails if by a reading there is a claim that begins like this.
pub(super) fn silent_by(point: &str, reading: &str, of: &str, case: &Value) {
    let found: Vec<String> = demanded(point, reading, case).into_iter().filter(|line| line.starts_with(of)).collect();
    assert!(found.is_empty(), "{point}, {reading}: {found:#?}");
}

/// A result with another exit code.
pub(super) fn beside(code: u8, mut result: Value) -> Value {
    result["end"] = json!({"exit": code});
    result
}

fn context(event: &str) -> Value {
    says(json!({"hookEventName": event, "additionalContext": "CTX-1"}))
}

fn start() -> Value {
    json!({"source": "startup"})
}

fn subagent() -> Value {
    json!({"agent_id": "a1", "agent_type": "Explore"})
}

fn idle() -> Value {
    json!({"teammate_name": "ann", "team_name": "t"})
}

pub(super) fn request(output: Value) -> Value {
    let mut case = one("PermissionRequest", json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}), output);
    case["steps"][0]["fire"]["otherwise"] = json!("asked");
    case
}

pub(super) fn decides(decision: Value) -> Value {
    says(json!({"hookEventName": "PermissionRequest", "decision": decision}))
}

/// Two hooks, of which the second ends first.
pub(super) fn two(event: &str, input: Value, first: Value, second: Value) -> Value {
    let (mut first, second) = (first, second);
    first["rank"] = json!(1);
    json!({"settings": [commands(event, &["g", "h"])], "results": {"g": first, "h": second}, "steps": [fire(event, input)]})
}

#[test]
fn json_beside_another_code_counts_or_does_not() {
    for (event, input) in [("SessionStart", start()), ("SubagentStart", subagent())] {
        let case = one(event, input, beside(1, context(event)));
        by("A-01", "counts", r#"said/model {"say":{"how":"context","lies":"in_text","parts":["CTX-1"]}}"#, &case);
        by("A-01", "ignored", r#"said/model {"not_say":{"parts":["CTX-1"]}}"#, &case);
    }
    let warns = one("TeammateIdle", idle(), beside(1, prints(json!({"systemMessage": "MSG-1"}))));
    by("A-01", "ignored", r#"said/user {"not_say":{"parts":["MSG-1"]}}"#, &warns);
    let task = json!({"task_id": "1", "task_subject": "s"});
    let blocks = one("TaskCreated", task, beside(1, prints(json!({"decision": "block", "reason": "WHY-1"}))));
    by("A-01", "counts", r#"fate {"be":"prevented"}"#, &blocks);
    by("A-01", "ignored", r#"fate {"be":"proceeds"}"#, &blocks);
    let denies = request(beside(1, decides(json!({"behavior": "deny"}))));
    by("A-01", "counts", r#"fate {"be":"prevented"}"#, &denies);
    by("A-01", "ignored", r#"fate {"be":"asked"}"#, &denies);
    let moved = json!({"old_cwd": "/work/project", "new_cwd": "/work/other"});
    let watches = says(json!({"hookEventName": "CwdChanged", "watchPaths": ["/a"]}));
    let watches = one("CwdChanged", moved, beside(1, watches));
    by("A-01", "counts", r#"set/watch_paths {"be":["/a"]}"#, &watches);
    by("A-01", "ignored", r#"set/watch_paths "absent""#, &watches);
}

#[test]
fn a_stop_counts_or_does_not_where_hooks_decide_nothing() {
    let stops = || prints(json!({"continue": false, "stopReason": "END-1"}));
    let switch = json!({"from_model": "a", "to_model": "b", "source": "command"});
    for case in [
        one("SessionStart", start(), stops()),
        one("SubagentStart", subagent(), stops()),
        one("PostModelSwitch", switch, stops()),
        request(stops()),
    ] {
        by("A-04", "stops", r#"agent {"be":"stops"}"#, &case);
        by("A-04", "stops", r#"said/user {"say":{"how":"block","lies":"in_text","parts":["END-1"]}}"#, &case);
        by("A-04", "ignored", r#"agent {"be":"goes_on"}"#, &case);
        by("A-04", "ignored", r#"said/user {"not_say":{"parts":["END-1"]}}"#, &case);
    }
    let input = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t", "reason": "[Rule]"});
    let mut denied = one("PermissionDenied", input, prints(json!({"continue": false, "systemMessage": "MSG-1"})));
    denied["host"] = json!({"permission_mode": "auto"});
    denied["steps"][0]["fire"]["otherwise"] = json!("prevented");
    by("A-03", "honoured", r#"agent {"be":"stops"}"#, &denied);
    by("A-03", "dropped", r#"agent {"be":"goes_on"}"#, &denied);
    by("A-03", "dropped", r#"said/user {"not_say":{"parts":["MSG-1"]}}"#, &denied);
}

#[test]
fn a_block_at_the_top_counts_or_does_not_where_the_text_names_none() {
    let blocks = || prints(json!({"decision": "block", "reason": "WHY-1"}));
    let told = r#"said/model {"say":{"how":"feedback","lies":"in_text","parts":["WHY-1"]}}"#;
    let task = json!({"task_id": "1", "task_subject": "s"});
    for case in [one("TeammateIdle", idle(), blocks()), one("TaskCompleted", task, blocks())] {
        by("A-07", "ignored", r#"fate {"be":"proceeds"}"#, &case);
        by("A-07", "ignored", r#"said/model {"not_say":{"parts":["WHY-1"]}}"#, &case);
        by("A-07", "blocks", r#"fate {"be":"prevented"}"#, &case);
        by("A-07", "blocks", told, &case);
    }
    let mut failed = bash();
    failed["error"] = json!("Exit code 1");
    let failed = one("PostToolUseFailure", failed, blocks());
    by("A-06", "feedback", told, &failed);
    by("A-06", "ignored", r#"said/model {"not_say":{"parts":["WHY-1"]}}"#, &failed);
    let compaction = one("PreCompact", json!({"trigger": "manual"}), blocks());
    by("A-170", "shown", r#"said/user {"say":{"parts":["WHY-1"]}}"#, &compaction);
    by("A-170", "not shown", r#"said/user {"not_say":{"parts":["WHY-1"]}}"#, &compaction);
    let change = one("ConfigChange", json!({"source": "user_settings"}), beside(1, blocks()));
    by("A-59", "the JSON decides", r#"fate {"be":"prevented"}"#, &change);
    by("A-59", "the JSON is ignored", r#"fate {"be":"proceeds"}"#, &change);
}

#[test]
fn an_answer_to_a_request_is_read_in_one_way_or_another() {
    let message = json!({"systemMessage": "MSG-1", "hookSpecificOutput":
        {"hookEventName": "PermissionRequest", "decision": {"message": "WHY-1"}}});
    let unclear = request(prints(message));
    by("A-39", "fails", r#"said/user {"not_say":{"parts":["MSG-1"]}}"#, &unclear);
    by("A-39", "no answer", r#"said/user {"say":{"how":"warning","lies":"in_text","parts":["MSG-1"]}}"#, &unclear);
    let invalid = json!({"systemMessage": 5, "hookSpecificOutput":
        {"hookEventName": "PermissionRequest", "decision": {"behavior": "deny"}}});
    silent_by("A-31", "the object fails", "fate", &request(prints(invalid)));
    let grants = request(beside(2, decides(json!({"behavior": "allow"}))));
    by("A-56", "counts", r#"fate {"be":"proceeds"}"#, &grants);
    by("A-56", "ignored", r#"fate {"be":"asked"}"#, &grants);
}

#[test]
fn a_text_on_screen_is_replaced_or_not() {
    let delta = json!({"turn_id": "1", "message_id": "2", "index": 0, "final": true, "delta": "OLD-1"});
    let shows = |text: &str| says(json!({"hookEventName": "MessageDisplay", "displayContent": text}));
    let failed = one("MessageDisplay", delta.clone(), beside(1, shows("NEW-1")));
    by("A-58", "original", r#"set/display "absent""#, &failed);
    by("A-58", "replaced", r#"set/display {"be":"NEW-1"}"#, &failed);
    let empty = one("MessageDisplay", delta.clone(), shows(""));
    by("A-172", "nothing", r#"set/display {"be":""}"#, &empty);
    by("A-172", "original", r#"set/display "absent""#, &empty);
    let several = two("MessageDisplay", delta, shows("NEW-1"), shows("NEW-2"));
    by("A-78", "last to end", r#"set/display {"be":"NEW-1"}"#, &several);
    by("A-78", "last in the settings", r#"set/display {"be":"NEW-2"}"#, &several);
}

#[test]
fn one_of_several_values_counts_by_when_its_hook_ends_or_where_it_stands() {
    let title = |title: &str| says(json!({"hookEventName": "UserPromptSubmit", "sessionTitle": title}));
    let titles = two("UserPromptSubmit", json!({"prompt": "P-1"}), title("ONE-1"), title("TWO-2"));
    let input = |command: &str| {
        says(
            json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": command}}),
        )
    };
    let inputs = two("PreToolUse", bash(), input("ONE-1"), input("TWO-2"));
    let request = json!({"mcp_server_name": "s", "message": "m", "mode": "form"});
    let accept = says(json!({"hookEventName": "Elicitation", "action": "accept", "content": {"a": "ONE-1"}}));
    let answers =
        two("Elicitation", request, accept, says(json!({"hookEventName": "Elicitation", "action": "cancel"})));
    let first_word = |text: &str| says(json!({"hookEventName": "SessionStart", "initialUserMessage": text}));
    let mut words = two("SessionStart", start(), first_word("ONE-1"), first_word("TWO-2"));
    words["host"] = json!({"surface": "print"});
    for (point, case, first, second) in [
        ("A-78", titles, r#"set/session_title {"be":"ONE-1"}"#, r#"set/session_title {"be":"TWO-2"}"#),
        ("A-78", words, r#"set/first_prompt {"be":"ONE-1"}"#, r#"set/first_prompt {"be":"TWO-2"}"#),
        (
            "A-72",
            inputs,
            r#"set/tool_input {"be":{"command":"ONE-1"}}"#,
            r#"set/tool_input {"be":{"command":"TWO-2"}}"#,
        ),
        (
            "A-77",
            answers,
            r#"set/mcp_reply {"be":{"action":"accept","content":{"a":"ONE-1"}}}"#,
            r#"set/mcp_reply/action {"be":"cancel"}"#,
        ),
    ] {
        by(point, "last to end", first, &case);
        by(point, "first to end", second, &case);
        by(point, "last in the settings", second, &case);
        by(point, "first in the settings", first, &case);
    }
}

#[test]
fn all_of_several_reasons_are_told_or_some() {
    let blocks = |code: &str| json!({"end": {"exit": 2}, "err": code});
    let stop = two("Stop", json!({}), blocks("ONE-1"), blocks("TWO-2"));
    for text in ["ONE-1", "TWO-2"] {
        let line = format!(r#"said/model {{"say":{{"how":"feedback","parts":["{text}"]}}}}"#);
        by("A-70", "all", &line, &stop);
    }
    by("A-70", "the first", r#"said/model {"not_say":{"parts":["TWO-2"]}}"#, &stop);
    by("A-70", "the last", r#"said/model {"not_say":{"parts":["ONE-1"]}}"#, &stop);
    // Whose text it is goes by where the hooks stand, an evaluator among them.
    let mut judged = stop;
    judged["settings"][0]["settings"]["hooks"]["Stop"][0]["hooks"][0] = json!({"type": "prompt", "prompt": "g"});
    judged["results"]["g"] = json!({"end": "answered", "out": r#"{"ok":false,"reason":"ONE-1"}"#});
    by("A-70", "the first", r#"said/model {"not_say":{"parts":["TWO-2"]}}"#, &judged);
    by("A-70", "the last", r#"said/model {"not_say":{"parts":["ONE-1"]}}"#, &judged);
}

#[test]
fn a_switch_to_a_model_without_a_name_selects_all_groups_some_or_none() {
    let group =
        |matcher: &str, name: &str| json!({"matcher": matcher, "hooks": [{"type": "command", "command": name}]});
    let groups = json!([group("claude-opus-5", "g"), group("own-model", "h")]);
    let switch = json!({"from_model": "claude-opus-5", "to_model": "own-model", "source": "command"});
    let case = json!({"settings": [{"from": "user", "settings": {"hooks": {"PostModelSwitch": groups}}}],
                      "steps": [fire("PostModelSwitch", switch)]});
    by("A-98", "all", r#"ran {"run_exactly":["g","h"]}"#, &case);
    by("A-98", "by the id", r#"ran {"run_exactly":["h"]}"#, &case);
    by("A-98", "none", r#"ran {"run_exactly":[]}"#, &case);
}

#[test]
fn the_time_for_the_end_of_a_session_is_limited_or_not() {
    let ends = |timeout: Option<u32>, budget: Option<&str>| {
        let mut handler = json!({"type": "command", "command": "g"});
        if let Some(timeout) = timeout {
            handler["timeout"] = json!(timeout);
        }
        let env = budget.map_or(json!({}), |budget| json!({"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": budget}));
        json!({"host": {"env": env}, "settings": [hooks("SessionEnd", json!({"hooks": [handler]}))],
               "steps": [fire("SessionEnd", json!({"reason": "other"}))]})
    };
    by("A-110", "literal", r#"given/timeout {"be":90}"#, &ends(None, Some("90000")));
    by("A-110", "cut", r#"given/timeout {"be":60}"#, &ends(None, Some("90000")));
    by("A-188", "cut", r#"given/timeout {"be":60}"#, &ends(Some(80), None));
    by("A-188", "kept", r#"given/timeout {"be":80}"#, &ends(Some(80), None));
    by("A-188", "cut", r#"given/timeout {"be":5}"#, &ends(Some(8), Some("5000")));
}

#[test]
fn a_hook_in_the_background_has_a_time_or_none_and_its_words_arrive_or_not() {
    let background = |more: Value, result: Value| {
        let mut handler = json!({"type": "command", "command": "g", "timeout": 7});
        handler.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({"settings": [hooks("UserPromptSubmit", json!({"hooks": [handler]}))], "results": {"g": result},
               "steps": [fire("UserPromptSubmit", json!({"prompt": "P-1"})), {"happen": "new_prompt"},
                         {"happen": "model_request"}]})
    };
    let stays = background(json!({"async": true}), json!({"out": "NOTE-1"}));
    by("A-140", "none", r#"0-0 given/timeout "absent""#, &stays);
    by("A-140", "as others", r#"0-0 given/timeout {"be":7}"#, &stays);
    by("A-142", "delivered", r#"2-2 said/model {"say":{"parts":["NOTE-1"]}}"#, &stays);
    by("A-142", "not delivered", r#"1-2 said/model {"not_say":{"parts":["NOTE-1"]}}"#, &stays);
    let handler = json!({"type": "command", "command": "g", "async": true});
    let on_a_call = json!({"settings": [hooks("PreToolUse", json!({"hooks": [handler]}))],
        "results": {"g": {"out": "NOTE-1"}},
        "steps": [fire("PreToolUse", bash()), {"happen": "new_prompt"}, {"happen": "model_request"}]});
    silent_by("A-142", "delivered", "2-2 said", &on_a_call);
    for marks in [json!({"asyncRewake": true}), json!({"async": true, "asyncRewake": true})] {
        let wakes = background(marks, json!({}));
        by("A-141", "as others", r#"0-0 given/timeout {"be":7}"#, &wakes);
        by("A-141", "none", r#"0-0 given/timeout "absent""#, &wakes);
    }
}

#[test]
fn an_error_and_a_handler_that_is_passed_over_are_told_of_or_not() {
    let notice = r#"said/user {"say":{"how":"notice","parts":["hook error"]}}"#;
    let none = r#"said/user {"not_say":{"parts":["hook error"]}}"#;
    for (event, input) in [("SessionStart", start()), ("TeammateIdle", idle())] {
        for result in [json!({"out": "{\"a\": }"}), json!({"end": {"exit": 1}, "err": "ERR-1"})] {
            let case = one(event, input.clone(), result);
            by("A-187", "notice", notice, &case);
            by("A-187", "none", none, &case);
        }
    }
    let handler = json!({"type": "http", "url": "http://u"});
    let case = json!({"settings": [hooks("SessionStart", json!({"hooks": [handler]}))],
                      "steps": [fire("SessionStart", start())]});
    by("A-156", "silently", r#"said/user {"not_say":{"parts":[]}}"#, &case);
    by("A-156", "warned", r#"said/user {"say":{"parts":[]}}"#, &case);
}

#[test]
fn a_hook_that_is_to_run_once_is_done_or_not_after_an_odd_exit() {
    let handler = json!({"type": "command", "command": "g", "once": true});
    let group = json!({"hooks": [handler]});
    let layer = json!({"from": {"skill": "s"}, "settings": {"hooks": {"PostToolUse": [group]}}});
    let mut input = bash();
    input["tool_response"] = json!({});
    let step = fire("PostToolUse", input);
    let case = json!({"settings": [layer], "results": {"g": beside(1, context("PostToolUse"))}, "steps": [step, step]});
    by("A-157", "success", r#"1-1 ran {"run_exactly":[]}"#, &case);
    by("A-157", "failure", r#"1-1 ran {"run_exactly":["g"]}"#, &case);
}

#[test]
fn values_beside_an_action_are_sent_or_not() {
    let of_user = json!({"mcp_server_name": "s", "action": "accept", "content": {"a": "OWN-1"}});
    let accepts =
        one("ElicitationResult", of_user, says(json!({"hookEventName": "ElicitationResult", "action": "accept"})));
    by("A-163", "the user's values", r#"set/mcp_reply/content {"be":{"a":"OWN-1"}}"#, &accepts);
    by("A-163", "no values", r#"set/mcp_reply/content "absent""#, &accepts);
    let request = json!({"mcp_server_name": "s", "message": "m", "mode": "form"});
    for action in ["decline", "cancel"] {
        let answer = says(json!({"hookEventName": "Elicitation", "action": action, "content": {"a": "NEW-1"}}));
        let case = one("Elicitation", request.clone(), answer);
        by("A-189", "dropped", r#"set/mcp_reply/content "absent""#, &case);
        by("A-189", "sent", r#"set/mcp_reply/content {"be":{"a":"NEW-1"}}"#, &case);
    }
}

#[test]
fn what_is_watched_stays_or_goes_when_the_directory_changes() {
    let watches = says(json!({"hookEventName": "SessionStart", "watchPaths": ["/a"]}));
    let both = json!({"SessionStart": [{"hooks": [{"type": "command", "command": "g"}]}],
                      "CwdChanged": [{"hooks": [{"type": "command", "command": "h"}]}]});
    let moved = json!({"old_cwd": "/work/project", "new_cwd": "/work/other"});
    let case = json!({"settings": [{"from": "user", "settings": {"hooks": both}}], "results": {"g": watches},
                      "steps": [fire("SessionStart", start()), fire("CwdChanged", moved)]});
    by("A-168", "kept", r#"1-1 set/watch_paths "absent""#, &case);
    by("A-168", "cleared", r#"1-1 set/watch_paths {"be":[]}"#, &case);
    // To clear a list on which nothing stands is no mistake.
    let mut bare = case;
    bare["results"]["g"] = json!({});
    by("A-168", "kept", r#"1-1 set/watch_paths "absent""#, &bare);
    silent_by("A-168", "cleared", "1-1 set/watch_paths", &bare);
}

#[test]
fn a_subagents_own_stop_has_one_name_or_two() {
    let group = json!({"hooks": [{"type": "command", "command": "g"}]});
    let layer = json!({"from": {"agent": "Explore"}, "settings": {"hooks": {"Stop": [group]}}});
    let case = json!({"settings": [layer], "results": {"g": context("Stop")},
                      "steps": [fire("SubagentStart", subagent()), fire("SubagentStop", subagent())]});
    by("A-36", "SubagentStop", r#"1-1 fate {"be":"proceeds"}"#, &case);
    by("A-36", "Stop as well", r#"1-1 fate {"be":"prevented"}"#, &case);
}

#[test]
fn a_command_that_a_signal_ended_failed_or_nothing_is_known_of_it() {
    let killed = one("PreToolUse", bash(), json!({"end": {"signal": 9}, "err": "ERR-1"}));
    by("A-60", "like another exit code", r#"fate {"be":"proceeds"}"#, &killed);
}

#[test]
fn an_input_without_a_decision_is_the_calls_or_is_not() {
    let other = says(json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "rm"}}));
    let mut case = one("PreToolUse", bash(), other);
    let replaced = r#"set/tool_input {"be":{"command":"rm"}}"#;
    by("A-74", "applies", replaced, &case);
    by("A-74", "ignored", r#"set/tool_input "absent""#, &case);
    // Why it would not run is not known, nor whether it would with the other input.
    case["steps"][0]["fire"]["otherwise"] = json!("prevented");
    silent_by("A-74", "applies", "set/tool_input", &case);
}

#[test]
fn context_that_is_blank_for_some_platforms_only_keeps_nobody_from_stopping_for_certain() {
    let stop = |text: &str| one("Stop", json!({}), says(json!({"hookEventName": "Stop", "additionalContext": text})));
    by("A-180", "yes", r#"fate {"be":"prevented"}"#, &stop(" "));
    by("A-180", "no", r#"fate {"be":"proceeds"}"#, &stop(" "));
    for reading in ["yes", "no"] {
        silent_by("A-180", reading, "fate", &stop("\u{feff}"));
    }
}

#[test]
fn of_a_refusal_in_two_forms_the_values_are_sent_or_not() {
    let request = json!({"mcp_server_name": "s", "message": "m", "mode": "form"});
    let declines = says(json!({"hookEventName": "Elicitation", "action": "decline", "content": {"a": "ONE-1"}}));
    let blocks = json!({"end": {"exit": 2}, "err": "ERR-1"});
    for (first, second) in [(declines.clone(), blocks.clone()), (blocks, declines)] {
        let case = two("Elicitation", request.clone(), first, second);
        by("A-189", "dropped", r#"set/mcp_reply/content "absent""#, &case);
        silent_by("A-189", "sent", "set/mcp_reply/content", &case);
    }
}
