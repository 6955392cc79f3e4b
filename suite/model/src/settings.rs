//! Which settings sources have a say (chapter *settings*): the switch that turns hooks off, and what it cannot reach.

use hookproof_contract::{Case, Layer, RuleId, Source, rule};
use serde_json::Value;

/// What `disableAllHooks` comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// Nobody turns hooks off; where somebody would but is overruled, by this rule.
    On(Option<RuleId>),
    /// All hooks but the managed ones are off, by this rule.
    OthersOff(RuleId),
    /// All hooks are off.
    AllOff,
    /// The value is no boolean; the contract does not say what that means.
    Unknown,
}

/// Reads the switch.
///
/// # Errors
///
/// When the settings hold something that the model does not cover.
pub(crate) fn switch(case: &Case) -> Result<Switch, String> {
    if !case.host.trusted {
        return Err("the model does not cover untrusted folders yet".to_owned());
    }
    if case.settings.iter().any(|layer| layer.settings.contains_key("allowManagedHooksOnly")) {
        return Err("the model does not cover `allowManagedHooksOnly` yet".to_owned());
    }
    // From the strongest to the weakest; frontmatter and plugins have no say.
    let order = [Source::Managed, Source::Flag, Source::Local, Source::Project, Source::User];
    let mut said: Vec<(&Source, &Value)> = Vec::new();
    for source in &order {
        let of_source = |layer: &&Layer| layer.from == *source;
        let values = case.settings.iter().filter(of_source).filter_map(|l| l.settings.get("disableAllHooks"));
        said.extend(values.map(|value| (source, value)));
    }
    let [(strongest, value), weaker @ ..] = said.as_slice() else { return Ok(Switch::On(None)) };
    // Two files of one source are not a thing that the contract tells of.
    let twice = said.windows(2).any(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1);
    if twice || said.iter().any(|(_, value)| !value.is_boolean()) {
        return Ok(Switch::Unknown);
    }
    let overruled = weaker.iter().any(|(_, weak)| weak != value);
    Ok(match (**value == Value::Bool(true), strongest) {
        (false, _) => Switch::On(overruled.then_some(rule!("CONFIG-DISABLE-02"))),
        (true, Source::Managed) => Switch::AllOff,
        (true, Source::Flag) if overruled => Switch::OthersOff(rule!("CONFIG-DISABLE-03")),
        (true, _) if overruled => Switch::OthersOff(rule!("CONFIG-DISABLE-02")),
        (true, _) => Switch::OthersOff(rule!("CONFIG-DISABLE-01")),
    })
}

impl Switch {
    /// Whether the hooks of a source are off.
    pub(crate) fn silences(self, source: &Source) -> bool {
        match self {
            Switch::AllOff => true,
            Switch::OthersOff(_) => *source != Source::Managed,
            Switch::On(_) | Switch::Unknown => false,
        }
    }
}
