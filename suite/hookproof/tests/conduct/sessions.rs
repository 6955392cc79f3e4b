//! Long sessions, driven by a state machine: what happens next is drawn from what has happened so far, model and reference each
//! remember for themselves, and after every moment the judge compares them.
//!
//! The generator draws short cases; what a session remembers (continuations, context that is still there, prompts, deferred
//! calls, once-only handlers) shows in long ones.

use crate::stage::{expectation, weigh};
use hookproof_contract::{Case, Event, Happening, Layer, Outcome, RuleId, Source, Step, message::Hello};
use hookproof_reference::{FAULTS, Fault, Needs, Playing, Runtime, hello};
use proptest::{
    collection::vec,
    prelude::*,
    sample::select,
    strategy::ValueTree,
    test_runner::{Config, TestRunner},
};
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::{
    collections::BTreeSet,
    sync::{Arc, LazyLock},
};

/// How many generated cases lend a session their handlers and firings.
const LENDERS: usize = 3;
/// The most moments of a session.
const LONGEST: usize = 24;

/// What a session may meet.
const HAPPENINGS: [Happening; 8] = [
    Happening::ModelRequest,
    Happening::ToolCall,
    Happening::NewTurn,
    Happening::NewPrompt,
    Happening::Compacted,
    Happening::Cleared,
    Happening::Resumed,
    Happening::SessionEnds,
];

/// The session as the model sees it: the case that it has become so far, and the firings that may come.
#[derive(Clone, Debug)]
struct Course {
    case: Arc<Case>,
    pool: Arc<Vec<Step>>,
}

impl Course {
    /// A session with the handlers of several generated cases, in the world of the first, before anything happens.
    fn of(seeds: &[u64]) -> Course {
        let mut case = Case::default();
        let mut pool = Vec::new();
        for (number, seed) in seeds.iter().enumerate() {
            let lender = hookproof_generate::from_seed(*seed);
            if number == 0 {
                case.host = lender.host;
            }
            case.settings.extend(lender.settings);
            for (name, result) in lender.results {
                case.results.entry(name).or_insert(result);
            }
            pool.extend(lender.steps.into_iter().filter(|step| matches!(step, Step::Fire(_))));
        }
        Course { case: Arc::new(case), pool: Arc::new(pool) }
    }

    /// Whether a step says of what happened before it that it was otherwise: whether a subagent with hooks of its own ran from the
    /// beginning depends on whether one is yet to begin.
    fn tells_what_was(&self, step: &Step) -> bool {
        let begins = |step: &Step| match step {
            Step::Fire(firing) if firing.event == Event::SubagentStart => firing.input.get("agent_type").cloned(),
            _ => None,
        };
        let Some(kind) = begins(step) else { return false };
        let has_hooks = |layer: &Layer| matches!(&layer.from, Source::Agent(name) if kind == name.as_str());
        let fired = self.case.steps.iter().any(|step| matches!(step, Step::Fire(_)));
        fired
            && self.case.settings.iter().any(has_hooks)
            && !self.case.steps.iter().any(|s| begins(s).as_ref() == Some(&kind))
    }

    fn then(&self, step: Step) -> Case {
        let mut case = (*self.case).clone();
        case.steps.push(step);
        case
    }
}

impl ReferenceStateMachine for Course {
    type State = Course;
    type Transition = Step;

    fn init_state() -> BoxedStrategy<Course> {
        vec(any::<u64>(), LENDERS).prop_map(|seeds| Course::of(&seeds)).boxed()
    }

    fn transitions(course: &Course) -> BoxedStrategy<Step> {
        let fires = select(course.pool.as_ref().clone());
        let happens = select(&HAPPENINGS[..]).prop_map(Step::Happen);
        prop_oneof![3 => fires, 2 => happens].boxed()
    }

    /// Only what the model speaks of may come: a firing that contradicts the world cannot.
    fn preconditions(course: &Course, step: &Step) -> bool {
        !course.tells_what_was(step) && expectation(&course.then(step.clone())).is_some()
    }

    fn apply(course: Course, step: &Step) -> Course {
        Course { case: Arc::new(course.then(step.clone())), ..course }
    }
}

static REFERENCE: LazyLock<Runtime> = LazyLock::new(Runtime::new);

/// The session as the reference plays it, and what came of each moment.
struct Played {
    playing: Playing<'static>,
    outcomes: Vec<Outcome>,
    hello: Hello,
}

impl StateMachineTest for Played {
    type SystemUnderTest = Played;
    type Reference = Course;

    fn init_test(_: &Course) -> Played {
        Played { playing: REFERENCE.begin(), outcomes: Vec::new(), hello: hello() }
    }

    fn apply(mut played: Played, course: &Course, _: Step) -> Played {
        let done = played.outcomes.len();
        for moment in course.case.moments().skip(done) {
            played.outcomes.push(played.playing.step(&course.case, moment.what));
        }
        played
    }

    fn check_invariants(played: &Played, course: &Course) {
        let Some(expectation) = expectation(&course.case) else { return };
        let judgement = weigh(&course.case, &expectation, &played.outcomes, &played.hello);
        let rules: Vec<&str> =
            judgement.misses.iter().map(|miss| expectation.claims[miss.claim].rule.as_str()).collect();
        let told = || serde_json::to_string(&*course.case).unwrap_or_default();
        assert!(judgement.is_clean(), "model and reference disagree on {}: {}", rules.join(", "), told());
    }
}

prop_state_machine! {
    #![proptest_config(Config { cases: 128, max_shrink_iters: 2_000, failure_persistence: None, ..Config::default() })]

    #[test]
    fn model_and_reference_remember_the_same_of_a_session(sequential 1..LONGEST => Played);
}

/// In how many sessions a mistake of the memory is looked for.
const SESSIONS: u32 = 300;
/// How many generated cases are looked through for those that could show a mistake, and how many of them lend.
const LOOKED_THROUGH: u64 = 20_000;
const MOST_LENDERS: usize = 16;

#[test]
fn sessions_notice_two_thirds_of_what_a_runtime_remembers_wrongly() {
    let faults: Vec<_> = FAULTS.iter().filter(|fault| fault.needs == Needs::TwoSteps).collect();
    let lenders = lenders(&faults);
    let noticed = |(fault, lenders): &(&&'static Fault, Vec<u64>)| !lenders.is_empty() && is_noticed(fault, lenders);
    let left = faults.iter().zip(lenders).filter(|pair| !noticed(pair));
    let left: Vec<&str> = left.map(|(fault, _)| fault.name).collect();
    assert!(left.len() * 3 <= faults.len(), "not noticed in {SESSIONS} sessions: {}", left.join(", "));
}

/// For each fault, the seeds of cases in which one of its rules demands something: random ones hardly meet what a rare rule
/// is about.
fn lenders(faults: &[&'static Fault]) -> Vec<Vec<u64>> {
    let mut found = vec![Vec::new(); faults.len()];
    for seed in 0..LOOKED_THROUGH {
        if found.iter().all(|seeds| seeds.len() == MOST_LENDERS) {
            break;
        }
        let Some(expectation) = expectation(&hookproof_generate::from_seed(seed)) else { continue };
        let claimed: BTreeSet<RuleId> = expectation.claims.iter().map(|claim| claim.rule).collect();
        for (fault, seeds) in faults.iter().zip(&mut found) {
            if seeds.len() < MOST_LENDERS && fault.rules.iter().any(|rule| claimed.contains(rule)) {
                seeds.push(seed);
            }
        }
    }
    found
}

/// Whether a mistake shows in sessions to which one of these cases lends its handlers and firings.
fn is_noticed(fault: &'static Fault, lenders: &[u64]) -> bool {
    let (runtime, hello) = (Runtime::with_fault(fault), hello());
    let seeds = (select(lenders.to_vec()), vec(any::<u64>(), LENDERS - 1));
    let mut runner = TestRunner::deterministic();
    (0..SESSIONS).any(|_| {
        let (lender, others) = seeds.new_tree(&mut runner).expect("lenders").current();
        let all: Vec<u64> = std::iter::once(lender).chain(others).collect();
        let course = (1..LONGEST).fold(Course::of(&all), |course, _| {
            let step = Course::transitions(&course).new_tree(&mut runner).expect("a step").current();
            if Course::preconditions(&course, &step) { Course::apply(course, &step) } else { course }
        });
        let Some(expectation) = expectation(&course.case) else { return false };
        !weigh(&course.case, &expectation, &runtime.play(&course.case), &hello).is_clean()
    })
}
