use super::{Options, Run, Tally, Trial};
use crate::{
    candidate::{Answer, Candidate, Ending, Job, Trouble},
    verdict::{CaseResult, Verdict},
};
use hookproof_contract::{Case, Outcome, message::Hello, reading, rule};
use serde_json::{Value, json};
use std::{ops::ControlFlow, sync::Arc};

/// A candidate that ends every case as it is told to.
struct Told {
    hello: Hello,
    endings: Vec<Ending>,
    trouble: Option<Trouble>,
}

impl Told {
    fn new(endings: Vec<Ending>) -> Told {
        Told { hello: hookproof_reference::hello(), endings, trouble: None }
    }
}

impl Candidate for Told {
    fn hello(&self) -> &Hello {
        &self.hello
    }

    fn play(
        &mut self,
        jobs: &mut dyn Iterator<Item = Job>,
        done: &mut dyn FnMut(Answer) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        let mut taken: Vec<Job> = jobs.collect();
        // Answers may come in any order: here, the last first.
        let mut endings = self.endings.iter().rev().cycle();
        while let Some(job) = taken.pop() {
            let end = endings.next().cloned().unwrap_or_else(|| Ending::NotPlayed("untold".to_owned()));
            if done(Answer { number: job.number, end, stderr: "a remark".to_owned() }).is_break() {
                break;
            }
        }
        self.trouble.take().map_or(Ok(()), Err)
    }
}

fn played(outcome: Value) -> Ending {
    Ending::Played(vec![serde_json::from_value::<Outcome>(outcome).expect("an outcome")])
}

/// A hook on a tool call ends with this code and prints this.
fn case(exit: i32, out: &str) -> Case {
    serde_json::from_value(json!({
        "settings": [{"from": "user", "settings": {"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "guard"}]}]}}}],
        "results": {"guard": {"end": {"exit": exit}, "out": out, "err": "GUARD-ERR"}},
        "steps": [{"fire": {"event": "PreToolUse", "input": {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t"}}}]
    }))
    .expect("a case")
}

fn trials(cases: Vec<Case>) -> Vec<Trial> {
    cases.into_iter().enumerate().map(|(i, case)| Trial::bare(format!("case {i}"), Arc::new(case))).collect()
}

fn go(candidate: &mut Told, options: Options, trials: Vec<Trial>) -> (Vec<CaseResult>, Tally) {
    let mut results = Vec::new();
    let mut run = Run::new(candidate.hello().clone(), options);
    run.play(candidate, &mut trials.into_iter().map(Ok), &mut |result| results.push(result))
        .expect("trials are well-formed");
    let tally = run.finish(&mut |result| results.push(result));
    results.sort_by(|a, b| a.name.cmp(&b.name));
    (results, tally)
}

fn verdicts(results: &[CaseResult]) -> Vec<Verdict> {
    results.iter().map(|result| result.verdict).collect()
}

#[test]
fn every_ending_has_a_verdict_and_no_case_is_lost() {
    let blocked = json!({"ran": [{"handler": "guard", "given": {}}], "fate": "prevented"});
    let endings = vec![
        played(blocked),
        Ending::Errored("no".to_owned()),
        Ending::Malformed("at /x: no".to_owned()),
        Ending::Crashed("signal 9".to_owned()),
        Ending::TimedOut("5 s".to_owned()),
        Ending::NotPlayed("it is gone".to_owned()),
        Ending::Played(Vec::new()),
    ];
    let mut candidate = Told::new(endings);
    let (results, tally) = go(&mut candidate, Options::default(), trials(vec![case(2, ""); 7]));
    let wanted = [
        Verdict::Fail,
        Verdict::Fail,
        Verdict::Fail,
        Verdict::Crashed,
        Verdict::TimedOut,
        Verdict::Undetermined,
        Verdict::Fail,
    ];
    assert_eq!(verdicts(&results), wanted);
    assert!(
        results[0].misses.iter().any(|miss| miss.place.to_string() == "said/model"),
        "stderr never reached the model"
    );
    assert_eq!(results[6].why.as_deref(), Some("one outcome a step is wanted, 1 in all; there are 0"));
    assert_eq!((tally.total(), tally.played(), tally.bad()), (7, 7, 6));
    assert_eq!(results[3].stderr, "a remark");
}

#[test]
fn a_negative_claim_counts_only_where_something_was_seen() {
    let mut silent = Told::new(vec![played(json!({}))]);
    silent.hello.observes = ["said/model".parse().expect("a place")].into();
    let chatter = || case(0, "CHATTER-1");
    let (results, tally) = go(&mut silent, Options::default(), trials(vec![chatter()]));
    assert_eq!(verdicts(&results), [Verdict::Undetermined]);
    assert_eq!(tally.rules.iter().map(|r| r.held).sum::<u32>(), 0);

    // The same answer is worth a pass once the candidate has shown that it reports such texts.
    let mut alive = Told::new(vec![played(json!({})), played(json!({"said": [{"to": "model", "text": "GUARD-ERR"}]}))]);
    alive.hello.observes.clone_from(&silent.hello.observes);
    let (results, tally) = go(&mut alive, Options::default(), trials(vec![chatter(), case(2, "")]));
    assert_eq!(verdicts(&results), [Verdict::Pass, Verdict::Pass]);
    assert!(tally.rules.iter().map(|r| r.held).sum::<u32>() >= 2);
}

#[test]
fn a_run_stops_after_so_many_failures_and_names_what_was_not_played() {
    let mut candidate = Told::new(vec![Ending::Crashed("x".to_owned())]);
    let options = Options { max_fail: Some(2), ..Options::default() };
    let (results, tally) = go(&mut candidate, options, trials(vec![case(2, ""); 5]));
    assert_eq!((results.len(), tally.bad(), tally.stopped), (5, 2, true));
    assert!(results.iter().any(|r| r.why.as_deref() == Some("not played: the run ended before")));
}

#[test]
fn trouble_stands_in_the_tally() {
    let mut candidate = Told::new(vec![Ending::NotPlayed("gone".to_owned())]);
    let trouble = Trouble { what: "exit in mid-run", detail: "it ended".to_owned(), stderr: String::new() };
    candidate.trouble = Some(trouble.clone());
    let (results, tally) = go(&mut candidate, Options::default(), trials(vec![case(2, "")]));
    assert_eq!(verdicts(&results), [Verdict::Undetermined]);
    assert_eq!(tally.trouble, Some(trouble));
}

#[test]
fn a_case_of_another_revision_is_not_applicable() {
    let mut candidate = Told::new(vec![played(json!({}))]);
    let mut all = trials(vec![case(2, "")]);
    all[0].rules = vec![rule!("ELICIT-DECL-04")];
    let (results, tally) = go(&mut candidate, Options::default(), all);
    assert_eq!(verdicts(&results), [Verdict::NotApplicable], "the rule was replaced before the newest revision");
    assert_eq!(tally.skips.len(), 1);
}

#[test]
fn readings_that_fit_are_observed_and_declared_ones_bind() {
    // A field of the wrong type spoils the whole object, or itself alone.
    let out = r#"{"systemMessage":5,"continue":false,"stopReason":"STOP-1"}"#;
    let whole = json!({"ran": [{"handler": "guard"}]});
    let mut candidate = Told::new(vec![played(whole)]);
    candidate.hello.observes = ["agent".parse().expect("a place"), "ran".parse().expect("a place")].into();
    let (results, tally) = go(&mut candidate, Options::default(), trials(vec![case(0, out)]));
    let fails = reading!("A-31", "the object fails");
    assert_eq!(verdicts(&results), [Verdict::Pass]);
    assert_eq!(tally.observed.settled().get(fails.point), Some(fails));

    candidate.hello.postures.set(reading!("A-31", "the field is dropped"));
    let (results, _) = go(&mut candidate, Options::default(), trials(vec![case(0, out)]));
    assert_eq!(verdicts(&results), [Verdict::Fail], "what was declared binds");
}
