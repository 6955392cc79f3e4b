//! What the fuzz targets share: cases made of bytes, and the oracle that compares the model with the reference.

use hookproof::report::brief;
use hookproof_contract::{
    Case, End, Event, Expectation, Firing, HandlerResult, Layer, Readings, Revision, Source, Step, Text, World,
    judge::{Judgement, judge},
};
use hookproof_reference::Runtime;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The two frozen revisions, newest first.
pub const REVISIONS: [Revision; 2] = [Revision::NEWEST, Revision(2, 1, 240)];

/// How a handler may end.
const ENDS: [End; 4] = [End::Exit(0), End::Exit(2), End::Exit(1), End::Status(200)];

/// How many ways [`one_handler`] knows for an event.
pub const WAYS: usize = ENDS.len() * REVISIONS.len();

/// A case in which one handler prints `out`, on an event that the reference plays. `way` chooses how the handler ends, and the
/// revision.
#[must_use]
pub fn one_handler(event: u8, way: u8, out: &[u8]) -> (Revision, Case) {
    let (events, way) = (hookproof_reference::hello().events, usize::from(way));
    let event = events.iter().copied().nth(usize::from(event) % events.len()).unwrap_or(Event::Stop);
    let end = ENDS[way % ENDS.len()];
    let handler = match end {
        End::Status(_) => json!({"type": "http", "url": "http://guard/"}),
        _ => json!({"type": "command", "command": "guard"}),
    };
    let Value::Object(settings) = json!({"hooks": {event.name(): [{"hooks": [handler]}]}}) else {
        return (Revision::NEWEST, Case::default());
    };
    let name = if matches!(end, End::Status(_)) { "http://guard/" } else { "guard" };
    let err = if end == End::Exit(0) { Text::default() } else { Text::from("ERR-1") };
    let result = HandlerResult { end, out: Text::from_bytes(out.to_vec()), err, ..HandlerResult::default() };
    let case = Case {
        settings: vec![Layer { from: Source::User, settings }],
        results: BTreeMap::from([(name.into(), result)]),
        steps: vec![Step::Fire(Firing { input: input(event), ..Firing::of(event) })],
        ..Case::default()
    };
    (REVISIONS[way / ENDS.len() % REVISIONS.len()], case)
}

/// An input with which an event can fire.
fn input(event: Event) -> Map<String, Value> {
    let input = match event {
        Event::PreToolUse => json!({"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "t1"}),
        Event::PostToolUse => {
            let call = json!({"command": "make"});
            json!({"tool_name": "Bash", "tool_input": call, "tool_response": {"stdout": "done"}, "tool_use_id": "t1"})
        }
        Event::UserPromptSubmit => json!({"prompt": "PROMPT-1"}),
        Event::Elicitation => json!({"mcp_server_name": "forms", "message": "which one?"}),
        Event::WorktreeCreate => json!({"name": "tree"}),
        Event::PreCompact => json!({"trigger": "manual", "custom_instructions": null}),
        _ => json!({"stop_hook_active": false}),
    };
    if let Value::Object(input) = input { input } else { Map::new() }
}

/// Plays a case on the reference and judges it by the model.
///
/// # Panics
///
/// When they disagree, with the case, made as small as it can be, as JSON that `hookproof replay` takes.
pub fn agree(revision: Revision, case: &Case) {
    let Some(first) = disagreement(revision, case) else { return };
    let small = hookproof_generate::shrink(case, &mut |smaller| disagreement(revision, smaller).is_some());
    let why = disagreement(revision, &small).unwrap_or(first);
    panic!("model and reference disagree at {revision}: {why}\n{}", brief::file(&small));
}

/// Where the reference does not do what the model demands. `None` also where the model does not cover the case.
#[must_use]
pub fn disagreement(revision: Revision, case: &Case) -> Option<String> {
    let expectation = hookproof_model::expect(revision, &Readings::default(), case).ok()?;
    let outcomes = Runtime::new().at(revision).play(case);
    let judgement = judge(case, &expectation, &outcomes, &hookproof_reference::hello().observes);
    told(&expectation, &judgement)
}

fn told(expectation: &Expectation, judgement: &Judgement) -> Option<String> {
    if let Some(count) = judgement.wrong_count {
        return Some(format!("{count} outcomes"));
    }
    if let Some(miss) = judgement.misses.first() {
        let claim = &expectation.claims[miss.claim];
        return Some(format!("{} at step {}, {}: {:?}", claim.rule, miss.step, claim.at, claim.must));
    }
    // The reference takes every default, so the world of the defaults has to be among those that hold.
    let default = expectation.worlds.iter().position(takes_defaults)?;
    let missed = !judgement.worlds.contains(&default);
    missed.then(|| format!("the world of the default readings does not hold: {:?}", expectation.worlds[default]))
}

fn takes_defaults(world: &World) -> bool {
    world.readings.iter().all(|reading| reading.index == 0)
}

#[cfg(test)]
mod tests {
    use super::{WAYS, disagreement, one_handler};

    #[test]
    fn a_token_that_lies_in_another_text_blames_nobody() {
        for out in ["NOTE-1", "RR-1 NOTE-1", "NOTE-1 NOTE-1", "\\u0045RR-1 NOTE-1", "{\"reason\":\"RR-1\"}"] {
            for (event, way) in
                (0..hookproof_reference::hello().events.len()).flat_map(|e| (0..WAYS).map(move |w| (e, w)))
            {
                let (revision, case) = one_handler(event as u8, way as u8, out.as_bytes());
                assert_eq!(disagreement(revision, &case), None, "{out}, way {way}");
            }
        }
    }
}
