//! The harness in front of an adapter whose answers are ready: what judging costs.

use crate::{Row, Rows, adapter, cases, inside::processor_time};
use hookproof::{
    adapter::{Command, External, Limits},
    candidate::{Candidate, Job},
    playable::playable,
    run::{Options, Run, Trial},
    verdict::Verdict,
};
use hookproof_contract::{Case, message::Depth};
use hookproof_reference::Runtime;
use std::{
    error::Error,
    ffi::OsString,
    ops::ControlFlow,
    sync::Arc,
    time::{Duration, Instant},
};

/// How many cases are played in a round.
const LOT: usize = 10_000;
/// How many rounds are played, with the judge and without in turn.
const ROUNDS: usize = 7;

pub(crate) fn rows() -> Rows {
    // The answers come in the order of the cases, so none may be left out on the way.
    let is_sent = |case: &Case| playable(case, Depth::Resolve, &hookproof_reference::hello()).is_ok();
    let cases: Vec<Arc<Case>> = cases::corpus()?.into_iter().filter(is_sent).map(Arc::new).collect();
    let folder = tempfile::tempdir()?;
    let answers = folder.path().join("answers");
    std::fs::write(&answers, answers_to(&cases)?)?;
    let instant = Command::new(std::env::current_exe()?, [OsString::from("canned"), answers.clone().into()]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/suite/hookproof/benches/speed/canned.py");
    let hello = folder.path().join("hello");
    std::fs::write(&hello, adapter::hello()?)?;
    let python = Command::new("python3", [OsString::from(script), hello.into(), answers.into()]);
    let (with, without) = compare(&python, &cases)?;
    if std::env::var_os("BENCH_PARTS").is_some() {
        eprintln!("Python: judge on {with:.2?} µs, off {without:.2?} µs");
    }
    let mut rows =
        vec![Row::at_least("judge on against judge off, canned adapter in Python", without.share_of(&with), 90.0, "%")];
    rows.push(Row::told("the same, of the harness's own time for a case", with.cpu, "µs"));
    let (with, without) = compare(&instant, &cases)?;
    rows.push(Row::told(
        "judge on against judge off, an adapter that does not even read",
        without.share_of(&with),
        "%",
    ));
    rows.push(Row::told("the same, of the harness's own time for a case", with.cpu, "µs"));
    if std::env::var_os("BENCH_PARTS").is_some() {
        eprintln!("an adapter that does not even read: judge on {with:.2?} µs, off {without:.2?} µs");
    }
    Ok(rows)
}

/// What a case took, in microseconds.
#[derive(Clone, Copy, Debug)]
struct Cost {
    wall: f64,
    cpu: f64,
}

impl Cost {
    /// How large a part of the other this is, in percent.
    fn share_of(&self, other: &Cost) -> f64 {
        100.0 * self.wall / other.wall
    }
}

/// The reference's answers, a line for each case.
fn answers_to(cases: &[Arc<Case>]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for case in cases {
        text.push_str(&serde_json::to_string(&Runtime::new().play(case))?);
        text.push('\n');
    }
    Ok(text)
}

/// The best of the rounds with the judge, and of those without.
fn compare(command: &Command, cases: &[Arc<Case>]) -> Result<(Cost, Cost), Box<dyn Error>> {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        with.push(timed(command, |adapter| judged(adapter, cases))?);
        without.push(timed(command, |adapter| unjudged(adapter, cases))?);
    }
    Ok((best(&with), best(&without)))
}

fn best(costs: &[Cost]) -> Cost {
    let least = |of: fn(&Cost) -> f64| costs.iter().map(of).fold(f64::INFINITY, f64::min);
    Cost { wall: least(|cost| cost.wall), cpu: least(|cost| cost.cpu) }
}

type Played = Result<(), Box<dyn Error>>;

/// One round. The adapter's start and its end are not counted.
fn timed(command: &Command, play: impl Fn(&mut External) -> Played) -> Result<Cost, Box<dyn Error>> {
    let mut adapter = External::start(command.clone(), Limits::default())?;
    let (wall, cpu) = (Instant::now(), processor_time());
    play(&mut adapter)?;
    let wall = wall.elapsed();
    let cpu = processor_time().zip(cpu).map_or(Duration::ZERO, |(to, from)| to - from);
    adapter.finish();
    let each = |time: Duration| time.as_secs_f64() * 1e6 / LOT as f64;
    Ok(Cost { wall: each(wall), cpu: each(cpu) })
}

/// Everything: the model, the adapter, the judge, the counts.
fn judged(adapter: &mut External, cases: &[Arc<Case>]) -> Played {
    let mut run = Run::new(adapter.hello().clone(), Options::default());
    let mut trials = lot(cases).map(|case| Ok(Trial::bare("canned", case)));
    let mut bad = 0;
    run.play(adapter, &mut trials, &mut |result| bad += usize::from(result.verdict.is_bad()))?;
    let tally = run.finish(&mut drop);
    if tally.count(Verdict::Pass) == 0 || bad > 0 {
        return Err(format!("{bad} cases failed, {} passed", tally.count(Verdict::Pass)).into());
    }
    Ok(())
}

/// The same cases there and back, and nobody looks at the answers.
fn unjudged(adapter: &mut External, cases: &[Arc<Case>]) -> Played {
    let mut jobs = lot(cases).enumerate().map(|(number, case)| Job { number, case });
    Ok(adapter.play(&mut jobs, &mut |_| ControlFlow::Continue(()))?)
}

fn lot(cases: &[Arc<Case>]) -> impl Iterator<Item = Arc<Case>> {
    cases.iter().cycle().take(LOT).cloned()
}
