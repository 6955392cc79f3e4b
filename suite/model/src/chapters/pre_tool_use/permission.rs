//! How the host's permission rules bear on a call.

use hookproof_contract::Permissions;
use serde_json::Value;

/// How a permission rule of the host bears on an input.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bearing {
    Deny,
    Ask,
    None,
}

/// How permission rules bear on a call; nothing where a rule has a form that cases do not use.
pub(super) fn bearing(permissions: &Permissions, tool: &str, input: &Value) -> Option<Bearing> {
    let matches = |rules: &[String]| -> Option<bool> {
        let mut any = false;
        for rule in rules {
            any |= match rule.split_once('(') {
                None => rule == tool,
                Some((name, _)) if name != tool => false,
                Some((_, rest)) => {
                    let exact = rest.strip_suffix(')').filter(|c| !c.contains(['*', ':']))?;
                    let argument = input.get("command").or_else(|| input.get("file_path"))?;
                    argument == exact
                }
            };
        }
        Some(any)
    };
    let (deny, ask) = (matches(&permissions.deny)?, matches(&permissions.ask)?);
    Some(if deny {
        Bearing::Deny
    } else if ask {
        Bearing::Ask
    } else {
        Bearing::None
    })
}
