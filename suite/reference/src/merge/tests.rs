use crate::testing::{numbered, said, stage, stage_at, stage_read};
use hookproof_contract::{Agent, Audience, Outcome, Reading, Revision, Slot, reading};
use serde_json::{Value, json};

fn case(event: &str, out: &Value) -> Value {
    json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": [{"type": "command", "command": "a"}]}]}}}],
           "results": {"a": {"out": out.to_string()}},
           "steps": [{"fire": {"event": event, "input": {"tool_name": "Bash", "tool_input": {}, "prompt": "P-1", "mcp_server_name": "s"}}}]})
}

fn play(event: &str, out: Value) -> Outcome {
    stage(case(event, &out)).remove(0)
}

#[test]
fn a_system_message_is_a_warning_except_where_it_is_dropped() {
    let message = json!({"systemMessage": "MSG-1"});
    for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
        assert!(said(&play(event, message.clone()), Audience::User)[0].contains("MSG-1"), "{event}");
    }
    assert!(said(&play("Elicitation", message), Audience::User).is_empty());
}

#[test]
fn a_stop_reason_needs_a_stop_and_stays_since_a_revision() {
    assert!(said(&play("PreToolUse", json!({"stopReason": "STOP-1"})), Audience::User).is_empty());
    let stop = json!({"continue": false, "stopReason": "STOP-1"});
    assert_eq!(said(&play("PreToolUse", stop.clone()), Audience::Model), ["STOP-1"]);
    let before = stage_at(case("PreToolUse", &stop), Revision(2, 1, 240)).remove(0);
    assert!(said(&before, Audience::Model).is_empty() && said(&before, Audience::User) == ["STOP-1"]);
}

#[test]
fn whether_anything_stops_the_agent_where_nothing_is_decided_is_open() {
    let stop = json!({"continue": false, "stopReason": "STOP-1", "systemMessage": "MSG-1"});
    for event in ["SessionStart", "SubagentStart", "PostModelSwitch", "PermissionRequest"] {
        let stopped = play(event, stop.clone());
        assert_eq!(stopped.agent, Some(Agent::Stops), "{event}");
        assert!(said(&stopped, Audience::User).contains(&"STOP-1".to_owned()), "{event}");
        let ignored = stage_read(case(event, &stop), &[reading!("A-04", "ignored")]).remove(0);
        assert_eq!((ignored.fate, ignored.agent), (None, None), "{event}");
        let heard = said(&ignored, Audience::User);
        assert!(heard.len() == 1 && heard[0].contains("MSG-1"), "{event}: {heard:?}");
        assert!(said(&ignored, Audience::Model).is_empty(), "{event}");
    }
    let elsewhere = stage_read(case("PostToolUse", &stop), &[reading!("A-04", "ignored")]).remove(0);
    assert_eq!(elsewhere.agent, Some(Agent::Stops));
}

#[test]
fn whether_an_error_is_noticed_is_open_where_no_model_is_said_but_not_that_of_exit_two() {
    let notices = |event: &str, result: &Value| {
        let mut case = case(event, &json!({}));
        case["results"]["a"] = result.clone();
        let heard = |outcome: &Outcome| said(outcome, Audience::User).concat().contains("hook error");
        (heard(&stage(case.clone())[0]), heard(&stage_read(case, &[reading!("A-187", "none")])[0]))
    };
    let errors = [
        json!({"end": {"exit": 1}, "err": "ERR-1"}),
        json!({"end": {"exit": 1}, "err": "ERR-1", "out": "TEXT-1"}),
        json!({"out": "{x}"}),
        json!({"out": "{\"reason\":5}"}),
    ];
    for error in &errors {
        for event in ["PermissionRequest", "TaskCreated", "TaskCompleted", "TeammateIdle"] {
            assert_eq!(notices(event, error), (true, false), "{event} {error}");
        }
        for event in ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop"] {
            assert_eq!(notices(event, error), (true, true), "{event} {error}");
        }
    }
    let two = json!({"end": {"exit": 2}, "err": "ERR-1"});
    for event in ["SessionStart", "SubagentStart", "PostModelSwitch"] {
        assert!(errors.iter().all(|error| notices(event, error) == (true, false)), "{event}");
        assert_eq!(notices(event, &two), (true, true), "{event}");
    }
}

#[test]
fn terminal_sequences_need_a_screen() {
    let bell = json!({"terminalSequence": "\u{7}"});
    for event in ["PreToolUse", "UserPromptSubmit", "Elicitation"] {
        let mut case = case(event, &bell);
        assert_eq!(said(&stage(case.clone())[0], Audience::Terminal), ["\u{7}"], "{event}");
        for surface in ["print", "sdk", "background"] {
            case["host"] = json!({"surface": surface});
            assert!(said(&stage(case.clone())[0], Audience::Terminal).is_empty(), "{event} {surface}");
        }
    }
    let refused = play("PreToolUse", json!({"terminalSequence": "\u{1b}[1m", "systemMessage": "MSG-1"}));
    assert!(said(&refused, Audience::Terminal).is_empty() && said(&refused, Audience::User)[0].contains("MSG-1"));
}

#[test]
fn plain_text_is_context_of_prompts_only() {
    for event in ["PreToolUse", "PostToolUse", "Stop", "Elicitation"] {
        let mut case = case(event, &json!({}));
        case["results"]["a"]["out"] = json!("TEXT-1");
        let outcome = stage(case).remove(0);
        assert!(outcome.said.iter().all(|said| said.to == Audience::Debug) && outcome.fate.is_none(), "{event}");
        assert!(said(&outcome, Audience::Debug).concat().contains("TEXT-1"));
    }
}

#[test]
fn plain_text_beside_a_failing_code_is_no_context() {
    let mut case = case("UserPromptSubmit", &json!({}));
    case["results"]["a"] = json!({"out": "TEXT-1", "end": {"exit": 1}, "err": "ERR-1"});
    let outcome = stage(case).remove(0);
    assert!(said(&outcome, Audience::Model).is_empty() && said(&outcome, Audience::User)[0].contains("ERR-1"));
}

/// Two hooks of one file, with what they print and when they end.
fn two(event: &str, input: &Value, outs: [Value; 2], ranks: [u16; 2]) -> Value {
    let results: Vec<Value> =
        outs.into_iter().zip(ranks).map(|(out, rank)| json!({"out": out.to_string(), "rank": rank})).collect();
    several(event, input, &results)
}

/// Hooks of one file.
fn several(event: &str, input: &Value, results: &[Value]) -> Value {
    let (handlers, results) = numbered(results);
    json!({"settings": [{"from": "user", "settings": {"hooks": {event: [{"hooks": handlers}]}}}], "results": results,
           "steps": [{"fire": {"event": event, "input": input}}]})
}

/// The readings of who counts, and the number of who does where the hooks end in their order, and where they do not.
const WHOSE_VALUE: [(Reading, [usize; 2]); 4] = [
    (reading!("A-78", "last to end"), [1, 0]),
    (reading!("A-78", "first to end"), [0, 1]),
    (reading!("A-78", "last in the settings"), [1, 1]),
    (reading!("A-78", "first in the settings"), [0, 0]),
];

#[test]
fn whose_value_counts_of_several_is_open() {
    for (event, input, field, slot) in [
        ("PostToolUse", json!({"tool_name": "mcp__s__t"}), "updatedToolOutput", Slot::ToolOutput),
        ("UserPromptSubmit", json!({"prompt": "P-1"}), "sessionTitle", Slot::SessionTitle),
        ("MessageDisplay", json!({"delta": "DELTA-1"}), "displayContent", Slot::Display),
        ("SessionStart", json!({"source": "startup"}), "sessionTitle", Slot::SessionTitle),
        ("SessionStart", json!({"source": "startup"}), "initialUserMessage", Slot::FirstPrompt),
    ] {
        let out = |text: &str| json!({"hookSpecificOutput": {"hookEventName": event, field: text}});
        for (reading, whose) in WHOSE_VALUE {
            for (ranks, who) in [[0, 1], [1, 0]].into_iter().zip(whose) {
                let mut case = two(event, &input, [out("TEXT-0"), out("TEXT-1")], ranks);
                case["host"] = json!({"surface": "print"});
                let outcome = stage_read(case, &[reading]).remove(0);
                assert_eq!(outcome.set[&slot], format!("TEXT-{who}"), "{event} {ranks:?}");
            }
        }
    }
}

#[test]
fn a_note_beside_a_rewrite_goes_with_the_one_that_counts() {
    let out = |n: u8| {
        let fields = json!({"updatedToolOutput": format!("OUT-{n}"), "classifierContext": format!("NOTE-{n}")});
        let mut output = json!({"hookSpecificOutput": fields});
        output["hookSpecificOutput"]["hookEventName"] = json!("PostToolUse");
        output
    };
    let case = two("PostToolUse", &json!({"tool_name": "mcp__s__t"}), [out(0), out(1)], [0, 1]);
    for (reading, [who, _]) in WHOSE_VALUE {
        let outcome = stage_read(case.clone(), &[reading]).remove(0);
        assert_eq!(said(&outcome, Audience::Classifier), [format!("NOTE-{who}")]);
    }
}

/// The readings of who is heard, and the number of who is where the second of three hooks ends first.
const WHOSE_TEXT: [(Reading, &[usize]); 4] = [
    (reading!("A-70", "all"), &[0, 1, 2]),
    (reading!("A-70", "the first"), &[0]),
    (reading!("A-70", "the last"), &[2]),
    (reading!("A-70", "some"), &[1]),
];

/// The numbers of the hooks whose text somebody hears.
fn heard(outcome: &Outcome, to: Audience) -> Vec<usize> {
    let texts = said(outcome, to).concat();
    (0..3).filter(|number| texts.contains(&format!("TEXT-{number}"))).collect()
}

fn exits_two(text: &str) -> Value {
    json!({"end": {"exit": 2}, "err": text})
}

fn blocks(text: &str) -> Value {
    json!({"out": json!({"decision": "block", "reason": text}).to_string()})
}

fn stops(text: &str) -> Value {
    json!({"out": json!({"continue": false, "stopReason": text}).to_string()})
}

fn asks(text: &str) -> Value {
    let ask = json!({"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": text});
    json!({"out": json!({"hookSpecificOutput": ask}).to_string()})
}

fn refuses(text: &str) -> Value {
    let decision = json!({"behavior": "deny", "message": text});
    let refusal = json!({"hookEventName": "PermissionRequest", "decision": decision});
    json!({"out": json!({"hookSpecificOutput": refusal}).to_string()})
}

/// An event, a result with which a hook wants something and says why, and who hears it.
type Want = (&'static str, fn(&str) -> Value, &'static [Audience]);

const WANTS: [Want; 14] = [
    ("PreToolUse", exits_two, &[Audience::Model]),
    ("PreToolUse", asks, &[Audience::User]),
    ("PermissionRequest", refuses, &[Audience::Model]),
    ("UserPromptSubmit", exits_two, &[Audience::User]),
    ("UserPromptExpansion", blocks, &[Audience::User]),
    ("PostToolBatch", blocks, &[Audience::User, Audience::Model]),
    ("Stop", exits_two, &[Audience::User, Audience::Model]),
    ("SubagentStop", blocks, &[Audience::User, Audience::Model]),
    ("TaskCreated", exits_two, &[Audience::Model]),
    ("TaskCompleted", exits_two, &[Audience::Model]),
    ("TeammateIdle", exits_two, &[Audience::Model]),
    ("PreCompact", exits_two, &[Audience::User]),
    ("PreModelSwitch", blocks, &[Audience::User]),
    ("PostToolUse", stops, &[Audience::User, Audience::Model]),
];

#[test]
fn who_is_heard_of_several_that_want_the_same_is_open() {
    let input = json!({"tool_name": "Bash", "tool_input": {}, "prompt": "P-1", "trigger": "manual", "agent_id": "a1"});
    for (event, want, audiences) in WANTS {
        let ending = |(number, rank)| {
            let mut result = want(&format!("TEXT-{number}"));
            result["rank"] = json!(rank);
            result
        };
        let results: Vec<Value> = [(0, 1), (1, 0), (2, 2)].map(ending).to_vec();
        for (reading, who) in WHOSE_TEXT {
            let outcome = stage_read(several(event, &input, &results), &[reading]).remove(0);
            for to in audiences {
                assert_eq!(heard(&outcome, *to), who, "{event} {to:?}");
            }
        }
    }
}

#[test]
fn who_gives_no_text_takes_none_away() {
    let first = [reading!("A-70", "the first")];
    let told = exits_two("TEXT-1");
    let input = json!({"tool_name": "Bash", "tool_input": {}, "prompt": "P-1"});
    for (event, silent, to) in [
        ("PreToolUse", json!({"end": {"exit": 2}}), Audience::Model),
        ("UserPromptSubmit", json!({"end": {"exit": 2}, "err": " "}), Audience::User),
        ("PreModelSwitch", json!({"end": "timed_out"}), Audience::User),
    ] {
        let outcome = stage_read(several(event, &input, &[silent, told.clone()]), &first).remove(0);
        assert_eq!(heard(&outcome, to), [1], "{event}");
    }
}

#[test]
fn what_blocks_nothing_is_told_of_every_hook() {
    let first = [reading!("A-70", "the first")];
    let context = |text: &str| {
        let context = json!({"hookEventName": "Stop", "additionalContext": text});
        json!({"out": json!({"hookSpecificOutput": context}).to_string()})
    };
    for (event, results) in [
        ("PostToolUse", [blocks("TEXT-0"), blocks("TEXT-1")]),
        ("PostToolUseFailure", [blocks("TEXT-0"), blocks("TEXT-1")]),
        ("Stop", [context("TEXT-0"), context("TEXT-1")]),
    ] {
        let outcome = stage_read(several(event, &json!({"tool_name": "Bash"}), &results), &first).remove(0);
        assert_eq!(heard(&outcome, Audience::Model), [0, 1], "{event}");
    }
}
