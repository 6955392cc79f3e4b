//! Blocks by exit 2 or by JSON, and whose words they carry (chapter *exit-codes*).

use super::Scene;
use crate::{
    oracle::Oracle,
    voice::{Ended, Voice, Word},
};
use hookproof_contract::{RuleId, bare, reading, rule};

/// A block by one handler.
pub(super) struct Block<'v> {
    /// By which rule it blocks.
    pub(super) rule: RuleId,
    /// What it says, and by which rule that is its message; nothing where the contract does not say what the message is.
    pub(super) message: Option<(&'v str, RuleId)>,
    /// What it must not say instead: stderr, where JSON gave the reason.
    pub(super) displaced: Option<&'v str>,
}

/// The rules of an event that can be blocked.
pub(super) struct Rules {
    /// Exit 2 blocks it.
    pub(super) exit_2: RuleId,
    /// Stderr is the message of such a block.
    pub(super) stderr: RuleId,
    /// Stderr is the message also where the JSON beside it decides something else.
    pub(super) beside_json: RuleId,
    /// Its JSON decision blocks it.
    pub(super) json: RuleId,
    /// The decision's reason is the message.
    pub(super) reason: RuleId,
}

/// A decision to block that JSON output makes, with its reason.
pub(super) struct JsonBlock<'v> {
    pub(super) reason: Option<&'v str>,
    /// By which rule it blocks, if that is not the event's ordinary one.
    pub(super) rule: Option<RuleId>,
}

/// The blocks of an event whose JSON decides by its top-level `decision`, with who makes them.
pub(super) fn all<'s>(scene: &'s Scene<'_, '_>, rules: &Rules) -> Vec<(&'s Voice<'s>, Block<'s>)> {
    let block_by = |voice: &'s Voice<'s>| {
        let output = voice.object().filter(|o| o.blocks());
        let json = output.map(|o| JsonBlock { reason: o.reason.as_deref(), rule: None });
        Some((voice, block(voice, json.as_ref(), rules, scene.oracle())?))
    };
    scene.voices.iter().filter_map(block_by).collect()
}

/// The block that a handler makes, if it makes one. `json` is what its output decides.
pub(super) fn block<'v>(
    voice: &'v Voice<'_>,
    json: Option<&JsonBlock<'v>>,
    rules: &Rules,
    oracle: &Oracle<'_>,
) -> Option<Block<'v>> {
    if voice.end == Ended::Two {
        return Some(by_exit_2(voice, json, rules, oracle));
    }
    let json = json?;
    let rule = voice.by(json.rule.unwrap_or(rules.json));
    let of_reason = match voice.carrier() {
        Some(_) => rules.reason,
        None => voice.by(json.rule.unwrap_or(rules.reason)),
    };
    let message = json.reason.map(|reason| (reason, of_reason));
    Some(Block { rule, message, displaced: None })
}

/// The rule by which exit 2 blocks beside what was printed: output that cannot be used lifts no block. `own` is the event's rule.
pub(super) fn exit_2_rule(word: &Word, own: RuleId) -> RuleId {
    match word {
        Word::Invalid => rule!("EXIT-2-07"),
        Word::Unparsable(_) => rule!("STDOUT-PARSE-11"),
        _ => own,
    }
}

fn by_exit_2<'v>(voice: &'v Voice<'_>, json: Option<&JsonBlock<'v>>, rules: &Rules, oracle: &Oracle<'_>) -> Block<'v> {
    let stderr = Some(bare(&voice.err)).filter(|err| !err.is_empty());
    if let Some(json) = json {
        return match json.reason.filter(|r| !bare(r).is_empty()) {
            Some(reason) => {
                Block { rule: rules.exit_2, message: Some((reason, rule!("EXIT-2-05"))), displaced: stderr }
            }
            None => {
                let falls_back = oracle.is(reading!("A-52", "stderr"));
                let message = stderr.filter(|_| falls_back).map(|err| (err, rule!("EXIT-2-05")));
                Block { rule: rules.exit_2, message, displaced: None }
            }
        };
    }
    let (rule, message) = match &voice.word {
        Word::Invalid | Word::Unparsable(_) => {
            let rule = exit_2_rule(&voice.word, rules.exit_2);
            (rule, rule)
        }
        Word::Object(output) if output.text("permissionDecision") == Some("allow") => {
            (rule!("EXIT-2-02"), rules.beside_json)
        }
        Word::Object(_) => (rules.exit_2, rules.beside_json),
        _ => (rules.exit_2, rules.stderr),
    };
    Block { rule, message: stderr.map(|err| (err, message)), displaced: None }
}
