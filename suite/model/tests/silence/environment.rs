//! The same for what hooks export for Bash commands.

use super::{bash, claims, commands, fire, silent};
use hookproof_contract::{Case, Claim, Must, Place, Readings, Revision, Slot};
use serde_json::{Value, json};

fn exports(text: &str) -> Value {
    json!({"did": [{"wrote_environment": text}]})
}

/// Steps with one command for these events, which answers so; the last step is a Bash call.
fn case(events: &[&str], result: Value, steps: &[Value]) -> Value {
    let hooks: serde_json::Map<String, Value> = events
        .iter()
        .map(|event| ((*event).to_owned(), json!([{"hooks": [{"type": "command", "command": "g"}]}])))
        .collect();
    let mut all = steps.to_vec();
    all.push(fire("PreToolUse", bash()));
    json!({"settings": [{"from": "user", "settings": {"hooks": hooks}}], "results": {"g": result}, "steps": all})
}

fn starts(source: &str) -> Value {
    fire("SessionStart", json!({"source": source}))
}

fn goes_to(directory: &str) -> Value {
    fire("CwdChanged", json!({"new_cwd": directory}))
}

/// The same step, in which the command has nothing to say to the file.
fn in_silence(mut step: Value) -> Value {
    step["fire"]["results"] = json!({"g": {}});
    step
}

#[test]
fn what_a_hook_that_did_not_do_well_exported_may_be_there_or_not() {
    for (why, result) in [
        ("it exits 1", json!({"end": {"exit": 1}})),
        ("it exits 2", json!({"end": {"exit": 2}, "err": "ERR-1"})),
        ("it is cancelled", json!({"end": "timed_out"})),
        ("it never started", json!({"end": "not_started"})),
        ("what it prints is not valid", json!({"out": "{\"systemMessage\": 5}"})),
        ("what it prints does not parse", json!({"out": "{\"a\":1}{\"b\":2}"})),
        ("it ends the session", json!({"out": "{\"continue\": false}"})),
    ] {
        let mut result = result;
        result["did"] = json!([{"wrote_environment": "export A=1\n"}]);
        silent(why, "1-1 set/environment", case(&["SessionStart"], result.clone(), &[starts("startup")]));
        let steps = [goes_to("/work/lib"), in_silence(goes_to("/work/other"))];
        silent(why, "2-2 set/environment", case(&["CwdChanged"], result, &steps));
    }
    let mut late = case(&["SessionStart"], exports("export A=1\n"), &[starts("startup")]);
    late["settings"][0]["settings"]["hooks"]["SessionStart"][0]["hooks"][0]["async"] = json!(true);
    silent("when one in the background writes it is not said", "1-1 set/environment", late);
    let mut tool = case(&["SessionStart"], exports("export A=1\n"), &[starts("startup")]);
    tool["settings"][0]["settings"]["hooks"]["SessionStart"][0]["hooks"] =
        json!([{"type": "mcp_tool", "server": "memory", "tool": "g"}]);
    tool["results"]["g"]["end"] = json!("answered");
    silent("a tool has no environment", "1-1 set/environment", tool);
}

#[test]
fn texts_that_could_be_read_in_two_ways_are_not_read() {
    let there = |text: &str| case(&["SessionStart"], exports(text), &[starts("startup")]);
    claims("a plain line", r#"1-1 set/environment/A {"be":"1"} ENV-FILE-02"#, there("export A=1\n"));
    for text in [
        "A=1\n",
        "export A=1",
        "export A=\"1\"\n",
        "export A=$B\n",
        "export A=1; export B=2\n",
        "export A=\n",
        "export a=1\n",
        "export 1A=1\n",
        " export A=1\n",
        "export A=1\n# more\n",
        "export A=1\nexport A=2\n",
        "export A=1\r\n",
    ] {
        silent(text, "1-1 set/environment", there(text));
    }
    let mut odd = there("export A=1\n");
    odd["steps"][1]["fire"]["results"] = json!({"g": exports("unset A\n")});
    silent("an odd line anywhere", "1-1 set/environment", odd);
    for name in ["A", "CLAUDE_ENV_FILE"] {
        let mut own = there("export A=1\n");
        own["host"] = json!({"env": {name: "/x"}});
        silent("the runtime's own environment has it", "1-1 set/environment", own);
    }
}

#[test]
fn how_long_it_is_there_is_claimed_where_it_is_said() {
    let exported = |steps: &[Value]| case(&["SessionStart"], exports("export A=1\n"), steps);
    let kept = r#"{"be":"1"} ENV-FILE-02"#;
    for what in ["compacted", "new_prompt", "new_turn", "tool_call", "model_request"] {
        let steps = [starts("startup"), json!({"happen": what})];
        claims(what, &format!("2-2 set/environment/A {kept}"), exported(&steps));
    }
    for what in ["cleared", "resumed", "session_ends"] {
        let steps = [starts("startup"), json!({"happen": what})];
        silent(what, "2-2 set/environment", exported(&steps));
    }
    for source in ["startup", "resume", "clear", "fork"] {
        let steps = [starts("startup"), in_silence(starts(source))];
        silent("this may be another session", "2-2 set/environment", exported(&steps));
    }
    let again = [starts("startup"), in_silence(starts("compact"))];
    claims("this is the same", &format!("2-2 set/environment/A {kept}"), exported(&again));
    let moved = exported(&[starts("startup"), goes_to("/work/lib")]);
    silent("whether a change of directory clears that as well is not said", "2-2 set/environment", moved);
    for event in ["SessionEnd", "WorktreeCreate", "Setup"] {
        let mut case = exported(&[starts("startup"), fire(event, json!({}))]);
        case["host"] = json!({"surface": "print"});
        silent(event, "2-2 set/environment", case);
    }
}

#[test]
fn what_a_setup_exports_is_for_the_session_that_begins_with_it() {
    let mut case =
        case(&["Setup"], exports("export A=1\n"), &[fire("Setup", json!({"trigger": "init"})), starts("startup")]);
    case["host"] = json!({"surface": "print"});
    claims("it begins", r#"2-2 set/environment/A {"be":"1"} SETUP-OUT-04"#, case.clone());
    let mut other = case.clone();
    other["steps"][1] = starts("resume");
    silent("that one had begun before", "2-2 set/environment", other);
    let mut second = case.clone();
    second["steps"] = json!([case["steps"][0], starts("startup"), starts("startup"), fire("PreToolUse", bash())]);
    silent("that one is the next", "3-3 set/environment", second);
    let mut moved = case.clone();
    moved["steps"][1] = goes_to("/work/lib");
    silent("whether a change of directory clears it is not said", "2-2 set/environment", moved);
}

#[test]
fn only_bash_commands_of_the_main_agent_are_spoken_of() {
    let exported = |call: Value| {
        let mut case = case(&["SessionStart"], exports("export A=1\n"), &[starts("startup")]);
        case["steps"][1] = call;
        case
    };
    let of = |tool: &str| json!({"tool_name": tool, "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"});
    for tool in ["PowerShell", "Edit", "mcp__memory__save"] {
        silent(tool, "1-1 set/environment", exported(fire("PreToolUse", of(tool))));
    }
    silent("the call is over", "1-1 set/environment", exported(fire("PostToolUse", of("Bash"))));
    let mut of_another = of("Bash");
    of_another["agent_id"] = json!("a1");
    silent(
        "a subagent may have an environment of its own",
        "1-1 set/environment",
        exported(fire("PreToolUse", of_another)),
    );
    let nobody = json!({"settings": [commands("SessionStart", &["g"])], "steps": [starts("startup"), fire("PreToolUse", bash())]});
    silent("where nobody exports anything there is nothing to say", "1-1 set/environment", nobody);
}

#[test]
fn a_change_of_directory_clears_what_is_certain_to_be_its_own() {
    let two = |steps: &[Value]| case(&["SessionStart", "CwdChanged", "FileChanged"], exports("export A=1\n"), steps);
    let both = two(&[starts("startup"), goes_to("/work/lib"), in_silence(goes_to("/work/other"))]);
    silent("a hook at the start exported the same", "3-3 set/environment", both);
    let file = || fire("FileChanged", json!({"file_path": "/work/project/.envrc", "event": "change"}));
    let of_file = two(&[file(), in_silence(goes_to("/work/other"))]);
    claims("it goes", r#"2-2 set/environment/A "absent" FILECHG-09B"#, of_file);
    let after = two(&[in_silence(goes_to("/work/other")), file()]);
    claims("it comes after that", r#"2-2 set/environment/A {"be":"1"} FILECHG-09B"#, after);
    let mut unknown = two(&[goes_to("/work/lib"), in_silence(goes_to("/work/other"))]);
    unknown["settings"][0]["settings"]["hooks"]["CwdChanged"][0]["matcher"] = json!(5);
    silent("which hooks ran is open", "2-2 set/environment", unknown);
}

#[test]
fn before_a_change_of_directory_cleared_anything_no_revision_says_how_long_it_is_there() {
    let claimed_at = |revision: Revision, events: &[&str], steps: &[Value]| {
        let case: Case = serde_json::from_value(case(events, exports("export A=1\n"), steps)).expect("a case");
        let expectation = hookproof_model::expect(revision, &Readings::default(), &case).expect("it is modelled");
        let of_environment = |claim: &&Claim| claim.at == Place::Set(Slot::Environment);
        expectation.claims.iter().filter(of_environment).map(|claim| claim.must.clone()).collect::<Vec<_>>()
    };
    let file = || fire("FileChanged", json!({"file_path": "/work/project/.envrc", "event": "change"}));
    for (event, step) in [("FileChanged", file()), ("CwdChanged", goes_to("/work/lib"))] {
        let steps = [step, in_silence(goes_to("/work/other"))];
        assert_eq!(claimed_at(Revision::NEWEST, &[event], &steps), [Must::Absent], "{event}");
        assert_eq!(claimed_at(Revision::OLDEST, &[event], &steps), [], "{event}");
    }
    let start = [starts("startup")];
    assert_eq!(
        claimed_at(Revision::OLDEST, &["SessionStart"], &start),
        [Must::Be(json!("1"))],
        "of the start it is said"
    );
}
