//! SessionEnd (chapter *session*): a session is over, and hooks have a short time to tidy up.

use super::{
    Scene, envelope,
    unblockable::{self, Rules},
};
use crate::{
    claims::Claims,
    voice::{Ended, Voice},
};
use hookproof_contract::{Agent, Audience, Field, Must, RuleId, Source, reading, rule};
use serde_json::Value;

const RULES: Rules = Rules { exit_2: rule!("EXIT-2-EV-SessionEnd"), no_say: rule!("SESSEND-OUT-01B") };

pub(super) fn claims(scene: &Scene<'_, '_>, claims: &mut Claims) {
    for voice in &scene.voices {
        around(scene, voice, claims);
    }
    unblockable::fate_at_any_exit(scene, &RULES, claims);
    unblockable::stderr_is_shown(scene, RULES.exit_2, claims);
}

/// All JSON is dropped, but for a terminal sequence; what exit 2 says is for the user alone.
fn around(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    envelope::stderr(voice, claims);
    envelope::stdout(scene, voice, claims);
    if voice.end == Ended::Two {
        claims.keep_from(Audience::Model, &voice.err, RULES.exit_2);
    }
    let Some(output) = voice.object() else { return };
    let at_odd_exit = matches!(voice.end, Ended::Other(_));
    let dropped = if at_odd_exit { rule!("EXIT-N-12") } else { rule!("SESSEND-OUT-01") };
    unblockable::texts_are_hidden(output, dropped, claims);
    if output.stops() {
        claims.agent(Agent::GoesOn, dropped, &[rule!("JSON-DISCARD-01")]);
    }
    envelope::stray(scene, voice, output, claims);
    envelope::terminal_sequence(scene, voice, output, claims);
}

/// The variable that sets the budget, in milliseconds.
const BUDGET: &str = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS";
/// How many milliseconds a hook has that nobody gave more.
const ORDINARY: u64 = 1_500;
/// How many milliseconds the budget grows to at most.
const MOST: u64 = 60_000;

/// How long a hook has. Whether the variable may go over the most is open, and so is whether a time of its own that is over
/// the budget is cut.
pub(super) fn timeout(scene: &Scene<'_, '_>, voice: &Voice<'_>, claims: &mut Claims) {
    let given = match voice.handler.spec.get("timeout") {
        None => without_its_own(scene),
        Some(value) => value.as_u64().and_then(|own| its_own(scene, voice, own)),
    };
    if let Some((milliseconds, rule)) = given {
        claims.given(&voice.name, Field::Timeout, None, Must::Be(seconds(milliseconds)), rule);
    }
}

fn without_its_own(scene: &Scene<'_, '_>) -> Option<(u64, RuleId)> {
    match budget(scene) {
        Budget::Ordinary if others_have_more(scene, is_settings_file) => Some((ORDINARY, rule!("SESSEND-BUDGET-03"))),
        Budget::Ordinary if others_have_more(scene, is_plugin) => Some((ORDINARY, rule!("SESSEND-BUDGET-04"))),
        Budget::Ordinary => Some((ORDINARY, rule!("SESSEND-BUDGET-01"))),
        Budget::Set(milliseconds) => Some((milliseconds, rule!("SESSEND-BUDGET-06"))),
        Budget::Unknown => None,
    }
}

/// The time that a handler has of its own, where a settings file gives it, or what the budget leaves of that.
fn its_own(scene: &Scene<'_, '_>, voice: &Voice<'_>, own: u64) -> Option<(u64, RuleId)> {
    let own = own.checked_mul(1_000)?;
    if !is_settings_file(voice.handler.from) {
        return None;
    }
    let most = match budget(scene) {
        Budget::Ordinary => MOST,
        Budget::Set(milliseconds) => milliseconds,
        Budget::Unknown => return None,
    };
    let kept = own <= most || scene.oracle().is(reading!("A-188", "kept"));
    Some((if kept { own } else { most }, rule!("SESSEND-BUDGET-OWN")))
}

/// What the environment makes of the budget.
enum Budget {
    /// Nothing.
    Ordinary,
    /// It has so many milliseconds.
    Set(u64),
    /// It says something of which the meaning is not said.
    Unknown,
}

fn budget(scene: &Scene<'_, '_>) -> Budget {
    let Some(set) = scene.session.case.host.env.get(BUDGET) else { return Budget::Ordinary };
    match set.parse::<u64>() {
        Ok(milliseconds) if milliseconds == 0 || *set != milliseconds.to_string() => Budget::Unknown,
        Ok(milliseconds) if milliseconds > MOST && scene.oracle().is(reading!("A-110", "cut")) => Budget::Set(MOST),
        Ok(milliseconds) => Budget::Set(milliseconds),
        Err(_) => Budget::Unknown,
    }
}

/// Whether another hook that ran, from such a source, has a time of its own that is more than the budget.
fn others_have_more(scene: &Scene<'_, '_>, from: fn(&Source) -> bool) -> bool {
    let has_more = |v: &Voice<'_>| {
        let own = v.handler.spec.get("timeout").and_then(Value::as_u64);
        from(v.handler.from) && own.is_some_and(|own| own > ORDINARY / 1_000)
    };
    scene.voices.iter().any(has_more)
}

/// Whether a source is a settings file without any doubt.
fn is_settings_file(source: &Source) -> bool {
    matches!(source, Source::User | Source::Project | Source::Local)
}

fn is_plugin(source: &Source) -> bool {
    matches!(source, Source::Plugin(_))
}

fn seconds(milliseconds: u64) -> Value {
    match milliseconds % 1_000 {
        0 => Value::from(milliseconds / 1_000),
        rest => Value::from((milliseconds / 1_000) as f64 + rest as f64 / 1_000.0),
    }
}
