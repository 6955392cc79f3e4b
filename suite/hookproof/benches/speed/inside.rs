//! Model, reference and judge in one process, on one core.

use crate::{Row, Rows, cases};
use hookproof_contract::{Case, Place, Readings, Revision, judge::judge};
use hookproof_reference::Runtime;
use std::{
    collections::BTreeSet,
    error::Error,
    fs,
    hint::black_box,
    sync::LazyLock,
    time::{Duration, Instant},
};

/// How often each measurement is made; the best counts, since whatever disturbs it can only make it slower.
const ROUNDS: usize = 5;
/// How long one takes.
const ROUND: Duration = Duration::from_millis(600);

pub(crate) fn rows() -> Rows {
    let (settled, open) = cases::single();
    let mixed = cases::mixed();
    let mut rows = vec![
        Row::at_least(
            "model + reference + judge, one handler, no open point",
            rate(&settled, all_three),
            100_000.0,
            "cases/s",
        ),
        Row::at_least(
            "model + reference + judge, one handler, open points",
            rate(&open, all_three),
            25_000.0,
            "cases/s",
        ),
        Row::told("model + reference + judge, whatever the generator makes", rate(&mixed, all_three), "cases/s"),
    ];
    let corpus = cases::corpus()?;
    for (kind, cases) in [
        ("one handler, no open point", &settled),
        ("one handler, open points", &open),
        ("generated", &mixed),
        ("of the corpus", &corpus),
    ] {
        let ratio = rate_of_parsing(cases)? / rate(cases, all_three);
        rows.push(Row::told(format!("what a case ({kind}) costs, in readings of its JSON"), ratio, "×"));
        if std::env::var_os("BENCH_PARTS").is_some() {
            let [model, reference, all] = [model, reference, all_three].map(|work: fn(&Case)| 1e6 / rate(cases, work));
            eprintln!("{kind}: model {model:.2} µs, reference {reference:.2} µs, all three {all:.2} µs");
        }
    }
    Ok(rows)
}

/// The reference, and the places that it reports.
static REFERENCE: LazyLock<(Runtime, BTreeSet<Place>)> =
    LazyLock::new(|| (Runtime::new(), hookproof_reference::hello().observes));

fn all_three(case: &Case) {
    let Ok(expectation) = hookproof_model::expect(Revision::NEWEST, &Readings::default(), case) else { return };
    let (runtime, observes) = &*REFERENCE;
    black_box(judge(case, &expectation, &runtime.play(case), observes));
}

fn model(case: &Case) {
    drop(black_box(hookproof_model::expect(Revision::NEWEST, &Readings::default(), case)));
}

fn reference(case: &Case) {
    drop(black_box(REFERENCE.0.play(case)));
}

fn rate_of_parsing(cases: &[Case]) -> Result<f64, Box<dyn Error>> {
    let texts = cases.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(rate(&texts, |text| drop(black_box(serde_json::from_str::<Case>(text)))))
}

/// How many items a second of processor time are worked through.
fn rate<T>(items: &[T], work: impl Fn(&T)) -> f64 {
    let once = || {
        let (wall, cpu) = (Instant::now(), processor_time());
        let mut done = 0_u32;
        while wall.elapsed() < ROUND {
            items.iter().for_each(&work);
            done += items.len() as u32;
        }
        let spent = match (cpu, processor_time()) {
            (Some(from), Some(to)) => to - from,
            _ => wall.elapsed(),
        };
        f64::from(done) / spent.as_secs_f64()
    };
    (0..ROUNDS).map(|_| once()).fold(0.0, f64::max)
}

/// The processor time of this thread, where the system tells: what other programs do must not count.
pub(crate) fn processor_time() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
