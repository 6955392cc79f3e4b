//! The time that hooks have when a session ends (chapter *session*): each its own, and all together no more than a budget.

use crate::{Scene, select::Handler, settings::is_settings_file};
use serde_json::Value;

/// The seconds that a handler has which states none, and all of them together where none states more.
pub(crate) const USUAL: f64 = 1.5;
/// The seconds beyond which no settings file raises the budget.
const MOST: f64 = 60.0;
/// The variable that states the budget, in milliseconds.
pub(crate) const VARIABLE: &str = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS";

/// Gives each handler its own time or the usual one, as far as the budget reaches.
pub(crate) fn share_out(scene: &Scene<'_>, handlers: &mut [Handler<'_>]) {
    let stated = stated_budget(scene);
    let budget = stated.unwrap_or_else(|| raised_budget(handlers));
    // Once, the variable was about the budget alone.
    let usual = stated.filter(|_| scene.since(268)).unwrap_or(USUAL);
    for handler in handlers {
        let own = own_time(handler);
        let is_kept = scene.stance.keeps_long_times && is_settings_file(handler.source);
        let time = match own {
            Some(own) if is_kept && own > stated.unwrap_or(MOST) => own,
            _ => own.unwrap_or(usual).min(budget),
        };
        // What is left as it stands also keeps the form in which it is written.
        if own != Some(time) {
            handler.timeout = Value::from(time);
        }
    }
}

/// The time that a handler states for itself.
fn own_time(handler: &Handler<'_>) -> Option<f64> {
    handler.json.get("timeout").and_then(Value::as_f64).filter(|seconds| *seconds > 0.0)
}

/// The budget that the environment states. Whether it counts as it stands, however long, is open.
fn stated_budget(scene: &Scene<'_>) -> Option<f64> {
    let milliseconds: u32 = scene.host().env.get(VARIABLE)?.trim().parse().ok()?;
    let most = if scene.stance.cuts_stated_budget { MOST } else { f64::INFINITY };
    (milliseconds > 0).then(|| (f64::from(milliseconds) / 1_000.0).min(most))
}

/// The budget that the handlers of the settings files make. What a plugin brings does not raise it.
fn raised_budget(handlers: &[Handler<'_>]) -> f64 {
    let of_files = handlers.iter().filter(|handler| is_settings_file(handler.source));
    of_files.filter_map(own_time).fold(USUAL, f64::max).min(MOST)
}

#[cfg(test)]
mod tests {
    use crate::testing::{stage, stage_at, stage_read};
    use hookproof_contract::{Outcome, Revision, reading};
    use serde_json::{Value, json};

    /// Handlers `h0`, `h1`, … of a source, each with the time that it states or null.
    fn case(from: Value, times: &[Value], variable: Option<&str>) -> Value {
        let handler = |(i, time): (usize, &Value)| match time {
            Value::Null => json!({"type": "command", "command": format!("h{i}")}),
            time => json!({"type": "command", "command": format!("h{i}"), "timeout": time}),
        };
        let handlers: Vec<Value> = times.iter().enumerate().map(handler).collect();
        let env = variable.map_or(json!({}), |value| json!({super::VARIABLE: value}));
        json!({"host": {"env": env}, "settings": [{"from": from, "settings": {"hooks": {"SessionEnd": [{"hooks": handlers}]}}}],
               "steps": [{"fire": {"event": "SessionEnd", "input": {"reason": "other"}}}]})
    }

    fn given(outcome: &Outcome) -> Vec<f64> {
        outcome.ran.iter().map(|ran| ran.given["timeout"].as_f64().expect("a number")).collect()
    }

    fn times(from: Value, times: &[Value], variable: Option<&str>) -> Vec<f64> {
        given(&stage(case(from, times, variable))[0])
    }

    fn close(found: &[f64], wanted: &[f64]) -> bool {
        found.len() == wanted.len() && found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9)
    }

    #[test]
    fn a_second_and_a_half_is_usual_and_a_handler_may_state_more_or_less() {
        for (stated, given) in
            [(json!(null), 1.5), (json!(5), 5.0), (json!(1), 1.0), (json!(60), 60.0), (json!(90), 60.0)]
        {
            assert!(close(&times(json!("user"), std::slice::from_ref(&stated), None), &[given]), "{stated}");
        }
    }

    #[test]
    fn a_larger_budget_leaves_the_others_what_they_have() {
        assert!(close(&times(json!("project"), &[json!(10), json!(null), json!(3)], None), &[10.0, 1.5, 3.0]));
    }

    #[test]
    fn a_plugin_does_not_raise_the_budget() {
        let plugin = json!({"plugin": "p"});
        assert!(close(&times(plugin.clone(), &[json!(10), json!(null), json!(1)], None), &[1.5, 1.5, 1.0]));
        let mut both = case(plugin, &[json!(10)], None);
        let mine = json!([{"hooks": [{"type": "command", "command": "mine", "timeout": 5}]}]);
        let layer = json!({"from": "user", "settings": {"hooks": {"SessionEnd": mine}}});
        both["settings"].as_array_mut().expect("layers").push(layer);
        assert!(close(&given(&stage(both)[0]), &[5.0, 5.0]), "a settings file does");
    }

    #[test]
    fn the_variable_states_the_budget_and_the_usual_time() {
        for (variable, wanted) in
            [("5000", [5.0, 3.0]), ("90000", [90.0, 3.0]), ("500", [0.5, 0.5]), ("", [1.5, 3.0]), ("x", [1.5, 3.0])]
        {
            assert!(close(&times(json!("user"), &[json!(null), json!(3)], Some(variable)), &wanted), "{variable}");
        }
        assert!(close(&times(json!("user"), &[json!(10)], Some("5000")), &[5.0]));
    }

    #[test]
    fn how_long_a_stated_budget_and_a_long_time_may_be_is_open() {
        let stated = case(json!("user"), &[json!(null), json!(70)], Some("90000"));
        assert!(close(&given(&stage(stated.clone())[0]), &[90.0, 70.0]));
        assert!(close(&given(&stage_read(stated, &[reading!("A-110", "cut")])[0]), &[60.0, 60.0]));
        for (variable, time, wanted) in [(None, 90, 60.0), (Some("5000"), 10, 5.0)] {
            let long = case(json!("user"), &[json!(time)], variable);
            assert!(close(&given(&stage(long.clone())[0]), &[wanted]));
            assert!(close(&given(&stage_read(long, &[reading!("A-188", "kept")])[0]), &[f64::from(time)]));
        }
    }

    #[test]
    fn the_variable_once_left_the_usual_time_alone() {
        let case = case(json!("user"), &[json!(null)], Some("5000"));
        assert!(close(&given(&stage_at(case, Revision(2, 1, 267))[0]), &[1.5]));
    }
}
