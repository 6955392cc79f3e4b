//! Other names for the same things: canaries, handler texts, variables and agents renamed everywhere in a case, so that nobody can
//! answer by recognising them, and nothing else changes. A canary keeps its length, so that no limit is crossed.

mod words;

use crate::{
    canary::{self, firings},
    draw::{shuffle, split_mix},
};
use hookproof_contract::{Case, Deed, HandlerResult, Name, Step, Text, canary::spans};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use words::Words;

/// The same case with other canaries and other handler texts.
#[must_use]
pub fn fresh(case: &Case, seed: u64) -> Case {
    Renaming::of(case, seed).case(case)
}

/// New names for the canaries and the handlers of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renaming {
    tokens: BTreeMap<String, String>,
    names: BTreeMap<Name, Name>,
    words: Words,
}

/// How often another substitution is tried where one makes two names the same.
const ATTEMPTS: u32 = 16;

impl Renaming {
    /// A renaming for a case. Letters are put for letters and digits for digits, so that what differs still differs and no
    /// canary becomes the beginning of another. Names in which something is spelt out that the runtime reads (variables,
    /// paths, allowlisted URLs), and tokens that the settings speak of, are kept.
    #[must_use]
    pub fn of(case: &Case, seed: u64) -> Renaming {
        let (used, fixed, handlers) = (used_tokens(case), fixed_tokens(case), handler_names(case));
        let mut state = seed;
        for _ in 0..ATTEMPTS {
            let substitution = Substitution::draw(&mut state);
            let pairs = used.difference(&fixed).map(|token| (token.clone(), substitution.apply(token)));
            let tokens: BTreeMap<String, String> = pairs.collect();
            if tokens.values().any(|new| fixed.contains(new)) {
                continue;
            }
            let suffix = suffix(&mut state);
            let names = names(case, &handlers, &suffix);
            let is_kept = |name: &Name| handlers.contains(name) && !names.contains_key(name);
            if names.values().any(is_kept) {
                continue;
            }
            let Some(words) = Words::of(case, |name| substitution.apply(name), &suffix) else { continue };
            return Renaming { tokens, names, words };
        }
        Renaming::default()
    }

    /// The renaming that made one case of another; both must be the same case but for names.
    #[must_use]
    pub fn between(before: &Case, after: &Case) -> Renaming {
        let names = handler_names(before).into_iter().zip(handler_names(after)).collect();
        let mut renaming = Renaming { tokens: BTreeMap::new(), names, words: Words::default() };
        renaming.words.pair_agents(before, after);
        renaming.pair_results(&before.results, &after.results);
        for (old, new) in firings(before).into_iter().zip(firings(after)) {
            renaming.pair_results(&old.results, &new.results);
            for (key, value) in &old.input {
                if let Some(new) = new.input.get(key) {
                    renaming.pair_texts(&value.to_string(), &new.to_string());
                }
            }
        }
        renaming
    }

    /// The renaming that undoes this one.
    #[must_use]
    pub fn back(&self) -> Renaming {
        let tokens = self.tokens.iter().map(|(old, new)| (new.clone(), old.clone())).collect();
        let names = self.names.iter().map(|(old, new)| (Name::clone(new), Name::clone(old))).collect();
        Renaming { tokens, names, words: self.words.back() }
    }

    /// The renamed case.
    #[must_use]
    pub fn case(&self, case: &Case) -> Case {
        let mut new = case.clone();
        let lists = [&mut new.host.permissions.allow, &mut new.host.permissions.ask, &mut new.host.permissions.deny];
        for rule in lists.into_iter().flatten() {
            *rule = self.string(rule);
        }
        if let Some(there) = &mut new.host.directories {
            *there = there.iter().map(|directory| self.string(directory)).collect();
        }
        for layer in &mut new.settings {
            self.words.layer(layer);
            handlers_mut(&mut layer.settings).for_each(|handler| self.handler(handler));
        }
        new.results = self.results(&new.results);
        for step in &mut new.steps {
            let Step::Fire(firing) = step else { continue };
            firing.results = self.results(&firing.results);
            self.words.input(&mut firing.input);
            for value in firing.input.values_mut() {
                *value = self.value(value);
            }
        }
        new
    }

    /// A handler's new name.
    #[must_use]
    pub fn name(&self, name: &str) -> Name {
        self.names.get(name).map_or_else(|| name.into(), Name::clone)
    }

    /// A string with the new canaries.
    #[must_use]
    pub fn string(&self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        self.replace(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// What a handler was given of an event's JSON.
    pub(crate) fn given(&self, mut input: Map<String, Value>) -> Value {
        self.words.input(&mut input);
        self.value(&Value::Object(input))
    }

    /// What a Bash command finds of what hooks exported.
    pub(crate) fn environment(&self, found: &Value) -> Value {
        self.value(&self.words.environment(found))
    }

    /// A text with the new canaries.
    #[must_use]
    pub fn text(&self, text: &Text) -> Text {
        match text {
            Text::Plain(string) => Text::Plain(self.string(string)),
            Text::Fill(run, times) => Text::Fill(self.string(run), *times),
            Text::Join(parts) => Text::Join(parts.iter().map(|part| self.text(part)).collect()),
            Text::Bytes(bytes) => {
                let mut bytes = bytes.clone();
                self.replace(&mut bytes);
                Text::Bytes(bytes)
            }
        }
    }

    /// A value with the new canaries in its strings and keys.
    #[must_use]
    pub fn value(&self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.string(text)),
            Value::Array(items) => Value::Array(items.iter().map(|item| self.value(item)).collect()),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(key, value)| (self.string(key), self.value(value))).collect())
            }
            other => other.clone(),
        }
    }

    /// Tokens keep their length, so they are replaced where they stand.
    fn replace(&self, bytes: &mut [u8]) {
        let places: Vec<_> = spans(bytes).collect();
        for at in places {
            let new = std::str::from_utf8(&bytes[at.clone()]).ok().and_then(|token| self.tokens.get(token));
            if let Some(new) = new.filter(|new| new.len() == at.len()) {
                bytes[at].copy_from_slice(new.as_bytes());
            }
        }
    }

    fn handler(&self, handler: &mut Map<String, Value>) {
        for key in ["command", "url", "tool", "prompt"] {
            if let Some(Value::String(name)) = handler.get_mut(key)
                && let Some(new) = self.names.get(name.as_str())
            {
                *name = new.as_ref().to_owned();
            }
        }
    }

    fn results(&self, results: &BTreeMap<Name, HandlerResult>) -> BTreeMap<Name, HandlerResult> {
        let renamed = results.iter().map(|(name, result)| {
            let mut new = HandlerResult { out: self.text(&result.out), err: self.text(&result.err), ..result.clone() };
            for deed in &mut new.did {
                self.words.deed(deed);
                if let Deed::WroteEnvironment(text) = deed {
                    *text = self.text(text);
                }
            }
            (self.name(name), new)
        });
        renamed.collect()
    }

    fn pair_results(&mut self, before: &BTreeMap<Name, HandlerResult>, after: &BTreeMap<Name, HandlerResult>) {
        for (name, old) in before {
            let Some(new) = after.get(&self.name(name)) else { continue };
            self.words.pair_results(old, new);
            for (old, new) in [(&old.out, &new.out), (&old.err, &new.err)] {
                self.pair_texts(&canary::short(old), &canary::short(new));
            }
        }
    }

    fn pair_texts(&mut self, before: &str, after: &str) {
        let old = spans(before.as_bytes()).map(|at| before[at].to_owned());
        let new = spans(after.as_bytes()).map(|at| after[at].to_owned());
        self.tokens.extend(old.zip(new));
    }
}

/// A letter for each letter and a digit for each digit.
struct Substitution {
    letters: [u8; 26],
    digits: [u8; 10],
}

impl Substitution {
    fn draw(state: &mut u64) -> Substitution {
        let mut letters = *b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let mut digits = *b"0123456789";
        shuffle(&mut letters, state);
        shuffle(&mut digits, state);
        Substitution { letters, digits }
    }

    fn apply(&self, token: &str) -> String {
        let new = token.bytes().map(|byte| match byte {
            b'A'..=b'Z' => self.letters[usize::from(byte - b'A')],
            b'0'..=b'9' => self.digits[usize::from(byte - b'0')],
            other => other,
        });
        new.map(char::from).collect()
    }
}

fn suffix(state: &mut u64) -> String {
    format!("-{:04x}", split_mix(state) & 0xffff)
}

/// The new names of those handlers that may have one.
fn names(case: &Case, handlers: &[Name], suffix: &str) -> BTreeMap<Name, Name> {
    let listed = case.settings.iter().any(|layer| layer.settings.contains_key("allowedHttpHookUrls"));
    let prompts = only_prompts(case);
    let mut names = BTreeMap::new();
    for name in handlers {
        let url = name.starts_with("http://") || name.starts_with("https://");
        let simple =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') || (url && matches!(c, '/' | ':'));
        // Of a prompt nothing is looked up anywhere: whatever stands in it, more may follow.
        let renamable = name.chars().all(simple) || prompts.contains(&**name);
        if renamable && !name.is_empty() && !(url && listed) {
            let new: Name = format!("{name}{suffix}").into();
            names.insert(Name::clone(name), new);
        }
    }
    names
}

/// The names of handlers in the settings, in the order of the settings.
fn handler_names(case: &Case) -> Vec<Name> {
    texts(case, &["command", "url", "tool", "prompt"]).map(Name::from).collect()
}

/// The prompts that are the name of nothing else.
fn only_prompts(case: &Case) -> BTreeSet<&str> {
    let others: BTreeSet<&str> = texts(case, &["command", "url", "tool"]).collect();
    texts(case, &["prompt"]).filter(|text| !others.contains(text)).collect()
}

/// What stands under these keys of handlers.
fn texts<'a>(case: &'a Case, keys: &'a [&str]) -> impl Iterator<Item = &'a str> {
    let layers = case.settings.iter().filter_map(|layer| layer.settings.get("hooks")?.as_object());
    let groups = layers.flat_map(Map::values).filter_map(Value::as_array).flatten();
    let handlers = groups.filter_map(|group| group.get("hooks")?.as_array()).flatten();
    handlers.flat_map(|handler| keys.iter().filter_map(|key| handler.get(*key)?.as_str()))
}

fn handlers_mut(settings: &mut Map<String, Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    let hooks = settings.get_mut("hooks").and_then(Value::as_object_mut).into_iter();
    let groups = hooks.flat_map(Map::values_mut).filter_map(Value::as_array_mut).flatten();
    let handlers = groups.filter_map(|group| group.get_mut("hooks")?.as_array_mut()).flatten();
    handlers.filter_map(Value::as_object_mut)
}

fn add(text: &str, all: &mut BTreeSet<String>) {
    all.extend(spans(text.as_bytes()).map(|at| text[at].to_owned()));
}

/// The tokens of results and inputs.
pub(crate) fn used_tokens(case: &Case) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let firings = firings(case);
    for result in case.results.values().chain(firings.iter().flat_map(|f| f.results.values())) {
        add(&canary::short(&result.out), &mut all);
        add(&canary::short(&result.err), &mut all);
    }
    firings.iter().flat_map(|f| f.input.values()).for_each(|value| add(&value.to_string(), &mut all));
    all
}

/// The tokens that something other than a text speaks of: they are kept.
fn fixed_tokens(case: &Case) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    case.settings.iter().flat_map(|layer| layer.settings.values()).for_each(|value| add(&value.to_string(), &mut all));
    case.host.env.values().for_each(|value| add(value, &mut all));
    case.host.models.iter().for_each(|(alias, name)| add(&format!("{alias} {name}"), &mut all));
    add(&case.host.cwd, &mut all);
    for firing in firings(case) {
        for key in ["tool_name", "mcp_server_name", "mcp_server"] {
            if let Some(value) = firing.input.get(key) {
                add(&value.to_string(), &mut all);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{Renaming, fresh};
    use crate::{canary, from_seed};
    use hookproof_contract::Case;

    fn case() -> Case {
        serde_json::from_str(
            r#"{"host":{"permissions":{"deny":["Bash(echo INPUT-01)"]}},
               "settings":[{"from":"user","settings":{"hooks":{"PreToolUse":[{"matcher":"MCP-TOOL|Bash","hooks":[
                 {"type":"command","command":"guard"},{"type":"http","url":"http://hooks.test/notes"},
                 {"type":"command","command":"${ROOT}/run"}]}]}}}],
               "results":{"guard":{"err":{"join":["GUARD-ERR ",{"fill":["x",9]},{"base64":"RU5ELTAx/w=="}]},
                                   "out":"{\"reason\":\"\\u00E9 WHY-1\",\"x\":\"MCP-TOOL\"}"}},
               "steps":[{"fire":{"event":"PreToolUse","input":{"tool_name":"Bash","tool_input":{"command":"echo INPUT-01"}},
                         "results":{"http://hooks.test/notes":{"err":"NOTE-1"}}}}]}"#,
        )
        .expect("a case")
    }

    #[test]
    fn names_are_new_everywhere_and_lengths_are_kept() {
        let (old, renaming) = (case(), Renaming::of(&case(), 7));
        let new = renaming.case(&old);
        let text = serde_json::to_string(&new).expect("serialises");
        for gone in ["GUARD-ERR", "INPUT-01", "WHY-1", "NOTE-1", "\"guard\"", "notes\""] {
            assert!(!text.contains(gone), "{gone} is still in {text}");
        }
        assert!(text.contains("MCP-TOOL|Bash") && text.contains("\\\"MCP-TOOL\\\"") && text.contains("${ROOT}/run"));
        let guard = renaming.name("guard");
        assert_eq!(new.results[&guard].err.len(), old.results["guard"].err.len());
        let command = new.steps[0].clone();
        let hookproof_contract::Step::Fire(firing) = command else { panic!("a firing") };
        let command = firing.input["tool_input"]["command"].as_str().expect("a string").to_owned();
        assert_eq!(new.host.permissions.deny, [format!("Bash({command})")], "rules go with what they speak of");
    }

    #[test]
    fn variables_and_agents_are_others_where_nobody_looks_for_them_by_name() {
        let old: Case = serde_json::from_str(
            r#"{"host":{"env":{"HOME_DIR":"/h"}},
               "settings":[{"from":{"agent":"reviewer"},"settings":{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[
                 {"type":"command","command":"guard"}]}]}}}],
               "results":{"guard":{"did":[{"wrote_environment":"export NODE_ENV=test\nexport HOME_DIR=/x\n"}]}},
               "steps":[{"fire":{"event":"SubagentStart","input":{"agent_id":"a1","agent_type":"reviewer"}}},
                        {"fire":{"event":"SubagentStop","input":{"agent_id":"e1","agent_type":"Explore"}}}]}"#,
        )
        .expect("a case");
        let renaming = Renaming::of(&old, 7);
        let new = serde_json::to_string(&renaming.case(&old)).expect("serialises");
        for gone in ["NODE_ENV", "\"reviewer\""] {
            assert!(!new.contains(gone), "{gone} is still in {new}");
        }
        for kept in ["=test", "export HOME_DIR=/x", "Explore", "\"a1\""] {
            assert!(new.contains(kept), "{kept} is not in {new}");
        }
        let found = renaming.environment(&serde_json::json!({"NODE_ENV": "test"}));
        let name = found.as_object().and_then(|found| found.keys().next()).expect("a variable");
        assert!(name != "NODE_ENV" && new.contains(&format!("export {name}=test")), "{name} in {new}");
        let mut matched = old.clone();
        let hooks = serde_json::json!({"SubagentStop": [{"matcher": "reviewer", "hooks": []}]});
        matched.settings[0].settings.insert("hooks".to_owned(), hooks);
        let kept = serde_json::to_string(&Renaming::of(&matched, 7).case(&matched)).expect("serialises");
        assert!(kept.contains(r#""agent":"reviewer""#), "a matcher looks for it: {kept}");
    }

    #[test]
    fn a_renaming_is_found_again_and_undone() {
        for seed in 0..400 {
            let old = from_seed(seed);
            let renaming = Renaming::of(&old, seed ^ 0x55);
            let new = renaming.case(&old);
            // The names in some cases are all spelt out for the runtime to read.
            assert_eq!(new == old, renaming == Renaming::default(), "seed {seed}");
            assert_eq!(renaming.back().case(&new), old, "seed {seed}");
            assert_eq!(Renaming::between(&old, &new).case(&old), new, "seed {seed}");
            assert_eq!(fresh(&old, seed ^ 0x55), new);
            assert_eq!(canary::lint(&new), Ok(()), "seed {seed}");
        }
    }
}
