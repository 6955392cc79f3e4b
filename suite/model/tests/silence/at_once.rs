//! The same for two things at once: two hooks that want different things, or two answers of one hook.

use super::{bash, claims, commands, fire, prints, says, silent};
use serde_json::{Value, json};

/// Two hooks on an event, and what each of them answered.
fn two(event: &str, input: Value, first: Value, second: Value) -> Value {
    json!({"settings": [commands(event, &["g", "h"])], "results": {"g": first, "h": second}, "steps": [fire(event, input)]})
}

/// A prompt hook that objects, and another hook beside it.
fn judged(event: &str, input: Value, goes_on: bool, other: Value) -> Value {
    let judge = json!({"type": "prompt", "prompt": "judge", "continueOnBlock": goes_on});
    let handlers = json!([judge, {"type": "command", "command": "h"}]);
    let objects = json!({"end": "answered", "out": json!({"ok": false, "reason": "OWN-1"}).to_string()});
    json!({"settings": [super::hooks(event, json!({"hooks": handlers}))], "results": {"judge": objects, "h": other},
           "steps": [fire(event, input)]})
}

fn exit(code: u8, err: &str) -> Value {
    json!({"end": {"exit": code}, "err": err})
}

/// A block by exit code 2, with more in JSON beside it.
fn blocks_beside(output: Value) -> Value {
    json!({"end": {"exit": 2}, "err": "ERR-1", "out": output.to_string()})
}

fn compaction() -> Value {
    json!({"trigger": "manual"})
}

#[test]
fn a_compaction_that_one_hook_blocks_in_two_ways_has_two_messages() {
    let blocks = json!({"decision": "block", "reason": "WHY-1"});
    let both = super::one("PreCompact", compaction(), blocks_beside(blocks.clone()));
    claims("it is blocked", r#"fate {"be":"prevented"} EXIT-2-EV-PreCompact"#, both.clone());
    silent("which of them is shown is not said", "said/user {\"say\"", both);
    let odd = json!({"end": {"exit": 1}, "out": blocks.to_string()});
    silent("whether JSON decides beside exit 1", "fate", super::one("PreCompact", compaction(), odd));
    let wrong = two("PreCompact", compaction(), exit(1, "ERR-1"), prints(json!({"systemMessage": 5})));
    silent("what an object does that is not valid is not said, whatever another hook does", "fate", wrong);
}

#[test]
fn a_switch_that_one_hook_refuses_in_two_ways_has_one_reason_or_two() {
    let input = || json!({"from_model": "claude-sonnet-5", "to_model": "claude-opus-5", "source": "command"});
    let of = |output: Value| super::one("PreModelSwitch", input(), blocks_beside(output));
    let denies = |block: &str, deny: &str| {
        let inner = json!({"hookEventName": "PreModelSwitch", "permissionDecision": "deny",
            "permissionDecisionReason": deny});
        of(json!({"decision": "block", "reason": block, "hookSpecificOutput": inner}))
    };
    silent("either may be the message", "said/user {\"say\"", denies("WHY-1", "WHY-2"));
    let told = r#"said/user {"say":{"how":"block","lies":"in_text","parts":["WHY-1"]}} EXIT-2-05"#;
    claims("they are the same", told, denies("WHY-1", "WHY-1"));
    let blocks = of(json!({"decision": "block", "reason": "WHY-1"}));
    claims("one is a block", told, blocks.clone());
    claims("in place of stderr", r#"said/user {"not_say":{"parts":["ERR-1"]}} EXIT-2-05"#, blocks);
    claims("no JSON undoes it", r#"fate {"be":"prevented"} EXIT-GEN-04"#, of(json!({"continue": false})));
    let mut client = super::one("PreModelSwitch", input(), exit(2, "ERR-1"));
    client["steps"][0]["fire"]["input"]["source"] = json!("sdk");
    client["host"] = json!({"facts": ["set_model"]});
    silent("whether stderr is the error of a request is not said", "said/caller", client);
    let stray = json!({"more": 1, "hookSpecificOutput": {"hookEventName": "PreModelSwitch"}});
    claims(
        "a key that no event knows is no answer to another",
        r#"fate {"be":"proceeds"} SCHEMA-TYPE-05"#,
        super::one("PreModelSwitch", input(), prints(stray)),
    );
}

#[test]
fn beside_an_objection_the_decision_of_another_hook_leaves_open_what_follows() {
    for (why, other) in [
        ("it blocks", prints(json!({"decision": "block", "reason": "WHY-1"}))),
        ("it stops", prints(json!({"continue": false}))),
        ("it exits 2", exit(2, "ERR-1")),
    ] {
        silent(
            why,
            r#"said/model {"say":{"lies":"in_text","parts":["OWN-1"]}}"#,
            judged("PostToolUse", bash(), true, other),
        );
    }
    let calls = json!({"tool_calls": [bash(), bash()]});
    let batch = judged("PostToolBatch", calls, false, prints(json!({"decision": "block", "reason": "WHY-1"})));
    claims("the loop ends", r#"fate {"be":"prevented"} POSTBATCH-OUT-02"#, batch.clone());
    silent("in whose words is not said", "said/user {\"say\"", batch);
    let mut over = judged("PreToolUse", bash(), false, json!({}));
    let stop = commands("Stop", &["s"]);
    over["settings"] = json!([over["settings"][0], {"from": "project", "settings": stop["settings"]}]);
    over["steps"] = json!([fire("PreToolUse", bash()), fire("Stop", json!({}))]);
    silent("how the turn is over is not said", "1-1 given/input/stop_hook_active", over);
}

#[test]
fn a_message_of_a_batch_is_one_of_a_hook_that_ends_the_loop() {
    let calls = json!({"tool_calls": [bash(), bash()]});
    let beside = super::one("PostToolBatch", calls, blocks_beside(json!({"stopReason": "HALT-1"})));
    claims("exit 2 ends it", r#"fate {"be":"prevented"} EXIT-2-EV-PostToolBatch"#, beside.clone());
    silent("a reason to stop is none for a block", "said/user {\"say", beside);
}

#[test]
fn a_teammate_that_one_hook_halts_and_another_keeps_at_work_may_do_either() {
    let halts = || prints(json!({"continue": false, "stopReason": "HALT-1"}));
    let idle = || json!({"teammate_name": "ann"});
    silent("it goes idle", "agent", two("TeammateIdle", idle(), exit(2, "ERR-1"), halts()));
    let mut done = two("TaskCompleted", json!({"task_id": "1", "task_subject": "s"}), exit(2, "ERR-1"), halts());
    done["host"] = json!({"facts": ["turn_ends"]});
    silent("its turn ends", "agent", done);
    let halted = two("TeammateIdle", idle(), halts(), prints(json!({"continue": false})));
    claims("both halt it", r#"agent {"be":"stops"} TEAMIDLE-OUT-02"#, halted.clone());
    silent("the one without a reason may speak", "said/user {\"say\"", halted);
    let mut judges = judged("TeammateIdle", idle(), true, json!({}));
    claims("an objection keeps it at work", r#"fate {"be":"prevented"} PROMPT-RESP-08"#, judges.clone());
    judges["settings"][0]["settings"]["hooks"]["TeammateIdle"][0]["hooks"][1] =
        json!({"type": "prompt", "prompt": "halt"});
    judges["results"]["halt"] = judges["results"]["judge"].clone();
    silent("another halts it", "fate", judges);
}

#[test]
fn a_prompt_is_blocked_beside_a_stop_by_exit_code_2_alone() {
    let prompt = || json!({"prompt": "PROMPT-1"});
    let stops = || prints(json!({"continue": false}));
    let blocks = || prints(json!({"decision": "block", "reason": "WHY-1"}));
    let by_exit_2 = two("UserPromptSubmit", prompt(), exit(2, "ERR-1"), stops());
    claims("no JSON undoes it", r#"fate {"be":"prevented"} EXIT-2-EV-UserPromptSubmit"#, by_exit_2);
    silent("a decision may be overruled", "fate", two("UserPromptSubmit", prompt(), blocks(), stops()));
    let suppresses = says(json!({"hookEventName": "UserPromptSubmit", "suppressOriginalPrompt": true}));
    let beside = two("UserPromptSubmit", prompt(), blocks(), suppresses);
    silent(
        "whether one that does not block has the prompt left out",
        r#"said/user {"say":{"how":"block","parts":["Original"#,
        beside,
    );
    let failed = super::one("UserPromptSubmit", prompt(), json!({"end": {"exit": 1}, "out": "PLAIN-1"}));
    claims("what it printed is no context", r#"said/model {"not_say":{"parts":["PLAIN-1"]}} STDOUT-02"#, failed);
}

#[test]
fn an_order_to_stop_of_one_hook_overrules_the_block_of_another() {
    let stop = two(
        "Stop",
        json!({}),
        prints(json!({"decision": "block", "reason": "WHY-1"})),
        prints(json!({"continue": false})),
    );
    claims("the agent stops", r#"fate {"be":"proceeds"} JSON-CONT-02"#, stop);
}

#[test]
fn two_answers_to_a_dialog_are_one_where_they_are_the_same() {
    let answer =
        |name: &str| says(json!({"hookEventName": "ElicitationResult", "action": "accept", "content": {"name": name}}));
    let input = || json!({"mcp_server_name": "s", "action": "accept", "mode": "form", "content": {"name": "ann"}});
    let sent = r#"set/mcp_reply {"be":{"action":"accept","content":{"name":"bob"}}} ELICITRES-OUT-02"#;
    claims("they are", sent, two("ElicitationResult", input(), answer("bob"), answer("bob")));
    silent("they are not", "set", two("ElicitationResult", input(), answer("bob"), answer("eve")));
    let declines =
        |content: Value| says(json!({"hookEventName": "ElicitationResult", "action": "decline", "content": content}));
    let apart = two("ElicitationResult", input(), answer("bob"), declines(json!({"name": "bob"})));
    silent("values alone are no answer", "set", apart);
}
