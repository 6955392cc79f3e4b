//! Faults of the last step: which handlers have had their one run.

use crate::{
    Scene,
    apply::apply,
    merge::Decision,
    select::{Handler, select},
    session::Session,
};
use hookproof_contract::{End, Outcome, Source};
use serde_json::Value;

/// The ordinary step, after which some handlers with `once` that ran have had their run as well.
fn and_spent<'a>(
    scene: &Scene<'a>,
    session: &mut Session,
    decision: Decision,
    is_spent: impl Fn(&Handler<'a>) -> bool,
) -> Outcome {
    let once = |handler: &Handler<'a>| handler.json.get("once") == Some(&Value::Bool(true));
    let spent: Vec<_> = select(scene, session)
        .into_iter()
        .filter(|handler| once(handler) && is_spent(handler))
        .map(|handler| (scene.event(), handler.place))
        .collect();
    session.spent.extend(spent);
    apply(scene, session, decision)
}

fn is_skills(handler: &Handler<'_>) -> bool {
    matches!(handler.source, Source::Skill(_))
}

pub(in crate::faults) fn any_run_counts<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    and_spent(scene, session, decision, is_skills)
}

pub(in crate::faults) fn late_run_counts<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    and_spent(scene, session, decision, |handler| {
        let result = scene.case.result(scene.firing, &handler.name);
        is_skills(handler) && result.is_some_and(|result| result.end == End::TimedOut)
    })
}

pub(in crate::faults) fn once_anywhere<'a>(scene: &Scene<'a>, session: &mut Session, decision: Decision) -> Outcome {
    and_spent(scene, session, decision, |handler| !is_skills(handler))
}
