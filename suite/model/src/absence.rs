//! What must not be said can be judged only by words that come from nowhere else: a text that may be told would be taken for the
//! one that may not.

use crate::claims::HEADING;
use hookproof_contract::{Case, Claim, Expectation, Must, Say, canary::Whole};
use std::cell::OnceCell;

/// Withdraws the claims that forbid something which the case holds elsewhere too.
pub(crate) fn only_what_can_be_told_apart(expectation: &mut Expectation, case: &Case) {
    let whole = OnceCell::new();
    let whole = || whole.get_or_init(|| Whole::of(case));
    expectation.claims.retain(|claim| stands(claim, whole));
    for world in &mut expectation.worlds {
        world.claims.retain(|claim| stands(claim, whole));
    }
}

fn stands<'w, 'c: 'w>(claim: &Claim, whole: impl Fn() -> &'w Whole<'c>) -> bool {
    let Must::NotSay(Say { parts, .. }) = &claim.must else { return true };
    // That nothing at all may be said can be judged by any word.
    parts.is_empty()
        || parts.iter().any(|part| {
            let part = part.lossy();
            // What the runtime adds by itself lies nowhere in the case, all else in the one text that it is taken from.
            let own = usize::from(part != HEADING);
            whole().count(&part) <= own
        })
}

#[cfg(test)]
mod tests {
    use hookproof_contract::{Case, Claim, Must, Readings, Revision};
    use serde_json::{Value, json};

    /// What must not be said when a hook of this event answers so.
    fn forbidden(event: &str, result: &Value) -> Vec<String> {
        let settings = json!({"hooks": {event: [{"hooks": [{"type": "command", "command": "guard"}]}]}});
        let case = json!({"settings": [{"from": "user", "settings": settings}], "results": {"guard": result},
                          "steps": [{"fire": {"event": event, "input": {"tool_name": "Bash"}}}]});
        let case: Case = serde_json::from_value(case).expect("a case");
        let expectation = crate::expect(Revision::NEWEST, &Readings::default(), &case).expect("it is modelled");
        let parts = |claim: &Claim| if let Must::NotSay(say) = &claim.must { say.parts.clone() } else { Vec::new() };
        let worlds = expectation.worlds.iter().flat_map(|world| &world.claims);
        let mut all: Vec<String> =
            expectation.claims.iter().chain(worlds).flat_map(parts).map(|part| part.lossy().into_owned()).collect();
        all.sort();
        all.dedup();
        all
    }

    #[test]
    fn what_lies_in_another_text_too_is_not_forbidden() {
        let blocks = |out: &str| forbidden("PreToolUse", &json!({"end": {"exit": 2}, "err": "ERR-1", "out": out}));
        assert_eq!(blocks("OUT-1"), ["OUT-1"]);
        for inside in ["RR-1", "ERR-1", "ERR-1 ERR-1"] {
            assert_eq!(blocks(inside), [""; 0], "{inside}");
        }
        assert_eq!(blocks("OUT-1 RR-1"), ["OUT-1"]);
    }

    #[test]
    fn what_the_runtime_says_by_itself_is_not_forbidden_where_a_hook_may_say_it() {
        let warns = |text: &str| forbidden("Stop", &json!({"out": format!("{{}}\n{{\"systemMessage\":\"{text}\"}}")}));
        let warns_alone =
            |text: &str| forbidden("Stop", &json!({"out": json!({"systemMessage": text, "other": 1}).to_string()}));
        assert_eq!((warns("MSG-1").len(), warns_alone("MSG-1")), (0, vec!["hook error".to_owned()]));
        assert_eq!(warns_alone("MSG-1: no hook error"), [""; 0]);
    }

    #[test]
    fn a_line_without_a_token_could_be_part_of_any_other() {
        let fails = |err: &str| forbidden("Stop", &json!({"end": {"exit": 1}, "err": err}));
        assert_eq!(fails("ERR-1\nERR-2"), ["ERR-2"]);
        assert_eq!(fails("ERR-1\ncode"), [""; 0]);
    }
    #[test]
    fn a_text_of_many_tokens_makes_a_bounded_number_of_claims() {
        let tokens: Vec<String> = (0..5_000).map(|number| format!("ERR-{number}")).collect();
        let forbidden = forbidden("Stop", &json!({"end": "timed_out", "err": tokens.join(" ")}));
        assert!((1..=crate::claims::MOST_TOKENS).contains(&forbidden.len()), "{}", forbidden.len());
    }
}
