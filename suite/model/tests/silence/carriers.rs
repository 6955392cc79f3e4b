//! The same for how an answer comes: as the body of a server, as a line that is a path, or beside a code and a name that leave open
//! what it is.

use super::{bash, claims, commands, fire, hooks, one, prints, says, silent};
use serde_json::{Value, json};

/// A server's answer to an event, with this body.
fn served(event: &str, input: Value, body: &str) -> Value {
    let group = json!({"hooks": [{"type": "http", "url": "http://hooks.test/g"}]});
    json!({"settings": [hooks(event, group)], "results": {"http://hooks.test/g": {"end": {"status": 200}, "out": body}},
           "steps": [fire(event, input)]})
}

/// A command of a new worktree, in a world with these directories.
fn created(out: &str, directories: Value) -> Value {
    json!({"host": {"directories": directories}, "settings": [commands("WorktreeCreate", &["g"])],
           "results": {"g": {"out": out}}, "steps": [fire("WorktreeCreate", json!({"name": "x"}))]})
}

#[test]
fn a_path_that_may_be_spelled_in_two_ways_is_neither_taken_nor_refused_for_certain() {
    let there = || json!(["/work/tree"]);
    claims("plain", r#"set/worktree_path {"be":"/work/tree"} WTCREATE-OUT-02"#, created("/work/tree\n", there()));
    claims("not there", r#"fate {"be":"prevented"} WTCREATE-OUT-08"#, created("/work/trees\n", there()));
    for (why, out) in [
        ("the home of the user", "~/tree"),
        ("a character that is not shown", "/work/tr\u{7}ee"),
        ("a byte that is none of a text", "/work/tr\u{fffd}ee"),
        ("a separator at its end", "/work/tree/"),
        ("two separators", "/work//tree"),
        ("a separator of another platform", "\\work\\tree"),
        ("white space at its end", "/work/tree \n"),
    ] {
        silent(why, "fate", created(out, there()));
    }
}

#[test]
fn what_is_said_of_printed_lines_is_not_said_of_a_body() {
    let lines = served("PreToolUse", bash(), "{\n\"systemMessage\": \"MSG-1\"\n}");
    claims(
        "it is read",
        r#"said/user {"say":{"how":"warning","lies":"in_text","parts":["MSG-1"]}} HTTP-04"#,
        lines.clone(),
    );
    silent("nor that it is no error", r#"said/user {"not_say":{"parts":["hook error"]}}"#, lines);
    let misplaced = served("PreToolUse", bash(), "{\"additionalContext\":\"CTX-1\"}");
    silent("nor what the log has of it", r#"said/debug {"say":{"parts":["additionalContext"]}}"#, misplaced);
    let printed = one("PreToolUse", bash(), json!({"out": "{\n\"systemMessage\": \"MSG-1\"\n}"}));
    claims("printed", r#"said/user {"not_say":{"parts":["hook error"]}} STDOUT-PARSE-02"#, printed);
}

#[test]
fn a_context_under_the_name_of_another_event_may_be_the_message_of_a_block() {
    let named = json!({"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "CTX-1"}});
    let hidden = r#"said/model {"not_say":{"parts":["CTX-1"]}} JSON-07"#;
    claims("it is no context", hidden, one("PreToolUse", bash(), prints(named.clone())));
    silent(
        "stdout may be shown",
        hidden,
        one("PreToolUse", bash(), json!({"end": {"exit": 2}, "out": named.to_string()})),
    );
}

#[test]
fn values_are_those_of_a_form() {
    let form = json!({"mcp_server_name": "s", "message": "m", "mode": "form"});
    let answer = says(json!({"hookEventName": "Elicitation", "action": "accept", "content": {"a": "NEW-1"}}));
    let whole = r#"set/mcp_reply {"be":{"action":"accept","content":{"a":"NEW-1"}}} ELICIT-OUT-01"#;
    claims("a form has values", whole, one("Elicitation", form, answer.clone()));
    let url = json!({"mcp_server_name": "s", "message": "m", "mode": "url", "url": "https://u.test/"});
    let opens = one("Elicitation", url, answer);
    claims("no dialog opens", r#"set/mcp_reply/action {"be":"accept"} ELICIT-OUT-06"#, opens.clone());
    silent("a URL has no fields", r#"set/mcp_reply {"#, opens);
}
