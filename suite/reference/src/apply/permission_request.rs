//! A call that somebody is about to be asked about, or that would be refused as nobody can be (chapters *tools* and
//! *permissions*).

use super::Effect;
use crate::{
    merge::Request,
    permissions::{self, Change, Say, Update},
};
use hookproof_contract::{Agent, Fact, Fate, Slot, Source};
use serde_json::Value;

pub(super) fn apply(effect: &mut Effect<'_, '_>, mut request: Request) {
    let input = request.input.take().map(Value::Object);
    let mut fate = fate(effect, request.granted, input.as_ref());
    if effect.stop && effect.scene.stance.stopping_prevents_call {
        fate = Fate::Prevented;
    }
    effect.fate(fate);
    effect.say_all(request.refusals);
    if let Some(input) = input.filter(|_| fate != Fate::Prevented) {
        effect.outcome.set.insert(Slot::ToolInput, input);
    }
    update(effect, request.updates);
    if request.interrupts {
        effect.agent(Agent::Stops);
    }
    effect.stop_if_asked();
}

/// What becomes of the call. Deny and ask rules have a say although a hook gives permission, and they look at the final input.
fn fate(effect: &Effect<'_, '_>, granted: Option<bool>, input: Option<&Value>) -> Fate {
    let scene = effect.scene;
    let tool = scene.input_text("tool_name").unwrap_or_default();
    let last = input.or_else(|| scene.firing.input.get("tool_input")).unwrap_or(&Value::Null);
    match granted {
        None => scene.firing.otherwise,
        Some(false) => Fate::Prevented,
        Some(true) => match permissions::of(scene.host(), &effect.session.rules, tool, last) {
            Say::Deny => Fate::Prevented,
            Say::Ask => scene.firing.otherwise,
            Say::Allow | Say::Nothing => Fate::Proceeds,
        },
    }
}

/// Permission updates take effect one after the other.
fn update(effect: &mut Effect<'_, '_>, updates: Vec<Update>) {
    let before = effect.session.mode(effect.scene).to_owned();
    let mut done = Vec::with_capacity(updates.len());
    for Update { given, change } in updates {
        match change {
            Change::Mode(mode) if mode == "bypassPermissions" && !may_bypass(effect) => continue,
            Change::Mode(mode) => effect.session.mode = Some(mode),
            Change::Rules(how, entries) => effect.session.rules.change(how, &entries),
            Change::Directories => {}
        }
        done.push(given);
    }
    if !done.is_empty() {
        effect.outcome.set.insert(Slot::Permissions, Value::Array(done));
    }
    let mode = effect.session.mode(effect.scene);
    if mode != before {
        effect.outcome.set.insert(Slot::PermissionMode, Value::from(mode));
    }
}

/// Whether the session may go over to the mode in which nothing is asked: whoever started it must have provided for that, and
/// no file may forbid it.
fn may_bypass(effect: &Effect<'_, '_>) -> bool {
    const MODE: &str = "bypassPermissions";
    let host = effect.scene.host();
    let says = |key: &str, value: &str, counts: fn(&Source) -> bool| {
        let layers = effect.scene.case.settings.iter().filter(|layer| counts(&layer.from));
        layers
            .filter_map(|layer| layer.settings.get("permissions"))
            .any(|rules| rules.get(key) == Some(&Value::from(value)))
    };
    let is_ones_own = |from: &Source| matches!(from, Source::Managed | Source::User | Source::Flag);
    let provided = host.facts.contains(&Fact::BypassAvailable) || host.permission_mode == MODE;
    let forbidden = host.facts.contains(&Fact::BypassDisabled);
    !forbidden
        && (provided || says("defaultMode", MODE, is_ones_own))
        && !says("disableBypassPermissionsMode", "disable", |_| true)
}

#[cfg(test)]
mod tests;
