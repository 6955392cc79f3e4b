//! Whether a handler's `if` lets it run (chapter *matchers*). How permission rules are written is told elsewhere (open point A-97), so
//! only the forms of which the contract gives rows are decided.

use crate::{
    chapters::given::is_plain_absolute,
    matcher::Match,
    shell::{self, Command, Script},
};
use hookproof_contract::{Firing, RuleId, rule};
use serde_json::Value;

/// The tools whose permission rules may speak of one another's calls.
const OF_FILES: [&str; 8] = ["Edit", "Write", "Read", "MultiEdit", "NotebookEdit", "Glob", "Grep", "LS"];

/// A permission rule: a tool, and perhaps what its call has to be like.
struct Permission<'t> {
    tool: &'t str,
    inside: Option<&'t str>,
}

/// Whether a text has the form of a single permission rule.
pub(crate) fn is_rule(text: &str) -> bool {
    permission(text).is_some()
}

fn permission(text: &str) -> Option<Permission<'_>> {
    let (tool, inside) = match text.split_once('(') {
        Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').filter(|inside| !inside.is_empty())?)),
        None => (text, None),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    (!tool.is_empty() && tool.chars().all(is_name)).then_some(Permission { tool, inside })
}

/// Whether a condition holds for an occurrence, and by which rule. `cwd` is the working directory, where it is certain.
pub(crate) fn condition(text: &str, firing: &Firing, cwd: Option<&str>) -> Match {
    if rule!("MATCH-IF-02").rule().speaks_of(firing.event) {
        return Match::Decided(false, rule!("MATCH-IF-02"));
    }
    let Some(tool) = firing.input.get("tool_name").and_then(Value::as_str) else { return Match::Unknown };
    let Some(permission) = permission(text) else { return Match::Unknown };
    if permission.tool != tool {
        // The rule of a server may speak of all its tools.
        let of_server = permission.tool.starts_with("mcp__") && tool.starts_with("mcp__");
        return if are_akin(permission.tool, tool) || of_server {
            Match::Unknown
        } else {
            Match::Decided(false, rule!("MATCH-IF-06"))
        };
    }
    let argument = |field: &str| firing.input.get("tool_input")?.get(field)?.as_str();
    match (tool, permission.inside) {
        ("Bash", Some(pattern)) => argument("command").map_or(Match::Unknown, |command| bash(pattern, command)),
        // Of other tools that change files it is not said whether they have rules of their own.
        ("Edit" | "Read", Some(pattern)) => match (argument("file_path"), cwd) {
            (Some(path), Some(cwd)) => file(pattern, path, cwd),
            _ => Match::Unknown,
        },
        _ => Match::Unknown,
    }
}

/// Whether a rule for one of two tools may be about calls of the other.
pub(crate) fn are_akin(a: &str, b: &str) -> bool {
    OF_FILES.contains(&a) && OF_FILES.contains(&b)
}

/// A pattern of words that ends with a star, such as `git push *`, on a Bash command.
fn bash(pattern: &str, command: &str) -> Match {
    let Some(wanted) = words(pattern) else { return Match::Unknown };
    let command = &shell::without_quotes(command);
    let (commands, open) = match shell::read(command) {
        Script::Broken => return Match::Decided(true, rule!("MATCH-IF-BASH-06")),
        Script::Unknown { open } => (Vec::new(), open),
        Script::Known(commands) => (commands, shell::is_open(command)),
    };
    let found: Vec<Option<bool>> = commands.iter().map(|command| begins(command, &wanted)).collect();
    let compound = commands.iter().filter(|command| !command.substituted).count() > 1;
    if let Some(at) = found.iter().position(|hit| *hit == Some(true)) {
        return Match::Decided(true, hit_by(&commands[at], compound));
    }
    let bare = wanted.len() == 1;
    match () {
        // What is more special than a name runs it as soon as something in the command is put in later.
        () if open && !bare => Match::Decided(true, rule!("MATCH-IF-BASH-05")),
        () if found.is_empty() || found.contains(&None) => Match::Unknown,
        () if bare && (open || compound) => Match::Decided(false, rule!("MATCH-IF-BASH-04")),
        () if commands.iter().any(|command| command.assigned) => Match::Decided(false, rule!("MATCH-IF-BASH-01")),
        () => Match::Decided(false, rule!("MATCH-IF-01")),
    }
}

/// The rule by which a command that fits runs the handler.
fn hit_by(command: &Command<'_>, compound: bool) -> RuleId {
    match () {
        () if command.substituted => rule!("MATCH-IF-BASH-03"),
        () if command.assigned => rule!("MATCH-IF-BASH-01"),
        () if compound => rule!("MATCH-IF-BASH-02"),
        () => rule!("MATCH-IF-01"),
    }
}

/// The words before the star.
fn words(pattern: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = pattern.strip_suffix(" *")?.split(' ').collect();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    words.iter().all(|word| !word.is_empty() && word.chars().all(plain)).then_some(words)
}

/// Whether a command begins with these words and has more; nothing where that is not certain.
fn begins(command: &Command<'_>, wanted: &[&str]) -> Option<bool> {
    let there = command.words.as_slice();
    if command.is_grammar() {
        return None;
    }
    if there.starts_with(wanted) {
        // Whether the star stands for nothing as well is not said.
        return (there.len() > wanted.len() && !command.spaced).then_some(true);
    }
    // Nor where a word begins like the wanted one; and the command that another runs may count.
    let akin = there.first().zip(wanted.first()).is_some_and(|(is, wanted)| is != wanted && is.starts_with(wanted));
    let at_odds = there.iter().zip(wanted).any(|(is, wanted)| is != wanted && !is.starts_with(wanted));
    (at_odds && !akin && !command.wraps()).then_some(false)
}

/// A pattern for files: `dir/**`, `**/dir/**` or `*.ts`.
fn file(pattern: &str, path: &str, cwd: &str) -> Match {
    let is_plain = |text: &str| is_plain_absolute(text) && !text.contains("//") && !text.ends_with('/');
    if !is_plain(path) || !is_plain(cwd) {
        return Match::Unknown;
    }
    let beneath = path.strip_prefix(cwd).and_then(|rest| rest.strip_prefix('/'));
    let is_name =
        |dir: &&str| !dir.is_empty() && dir.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let dir = pattern.strip_suffix("/**");
    let decided = match (dir.and_then(|dir| dir.strip_prefix("**/")).filter(is_name), dir.filter(is_name)) {
        (Some(dir), _) => beneath.and_then(|rest| at_any_depth(dir, rest, cwd)).map(|hit| (hit, rule!("MATCH-IF-05"))),
        (_, Some(dir)) => right_beneath(dir, beneath).map(|hit| (hit, rule!("MATCH-IF-04"))),
        _ if pattern == "*.ts" => is_typescript(path, beneath).map(|hit| (hit, rule!("MATCH-IF-08"))),
        _ => None,
    };
    decided.map_or(Match::Unknown, |(hit, rule)| Match::Decided(hit, rule))
}

/// Whether a file lies in a directory of this name, beneath the working directory.
fn at_any_depth(dir: &str, rest: &str, cwd: &str) -> Option<bool> {
    let (folders, _) = rest.rsplit_once('/').unwrap_or_default();
    if folders.split('/').any(|folder| folder == dir) {
        return Some(true);
    }
    // The directory may be one in which the session itself works, and a file may bear its name.
    let named = cwd.split('/').chain(rest.split('/')).any(|part| part.eq_ignore_ascii_case(dir));
    (!named).then_some(false)
}

/// Whether a file lies in the directory of this name that stands in the working directory.
fn right_beneath(dir: &str, beneath: Option<&str>) -> Option<bool> {
    match beneath.map(|rest| rest.split_once('/').unwrap_or((rest, ""))) {
        Some((first, inside)) if first == dir && !inside.is_empty() => Some(true),
        Some((first, _)) if first.eq_ignore_ascii_case(dir) => None,
        _ => Some(false),
    }
}

/// Whether a file is one in TypeScript. How deep the bare pattern reaches is not said, nor what it makes of the other kinds of such
/// files.
fn is_typescript(path: &str, beneath: Option<&str>) -> Option<bool> {
    let name = path.rsplit('/').next().unwrap_or_default();
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match extension {
        "ts" => beneath.filter(|rest| !rest.contains('/') && !stem.is_empty()).map(|_| true),
        other if ["ts", "tsx", "mts", "cts"].iter().any(|kind| other.eq_ignore_ascii_case(kind)) => None,
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use super::{condition, is_rule};
    use crate::matcher::Match;
    use hookproof_contract::{Event, Firing};
    use serde_json::{Value, json};

    fn on(text: &str, tool: &str, input: Value) -> Option<(bool, &'static str)> {
        let mut firing = Firing::of(Event::PreToolUse);
        firing.input.insert("tool_name".to_owned(), Value::from(tool));
        firing.input.insert("tool_input".to_owned(), input);
        match condition(text, &firing, Some("/work/project")) {
            Match::Decided(hit, rule) => Some((hit, rule.as_str())),
            Match::Unknown => None,
        }
    }

    #[test]
    fn of_bash_commands_what_the_rows_tell_is_decided() {
        for (pattern, command, wanted) in [
            ("git *", "git push", Some((true, "MATCH-IF-01"))),
            ("git push *", "git push origin", Some((true, "MATCH-IF-01"))),
            ("git *", "FOO=bar git push", Some((true, "MATCH-IF-BASH-01"))),
            ("git *", "npm test && git push", Some((true, "MATCH-IF-BASH-02"))),
            ("git *", "npm test; git push | cat", Some((true, "MATCH-IF-BASH-02"))),
            ("rm *", "echo $(rm -rf /)", Some((true, "MATCH-IF-BASH-03"))),
            ("rm *", "echo `rm -rf /`", Some((true, "MATCH-IF-BASH-03"))),
            ("rm *", "echo $(date)", Some((false, "MATCH-IF-BASH-04"))),
            ("rm *", "echo $HOME", Some((false, "MATCH-IF-BASH-04"))),
            ("rm *", "npm test && ls", Some((false, "MATCH-IF-BASH-04"))),
            ("ls *", "pwd && echo \"$(date +%Y)\"", Some((false, "MATCH-IF-BASH-04"))),
            ("rm *", "echo \"$(rm -rf /)\"", Some((true, "MATCH-IF-BASH-03"))),
            ("git push *", "echo $(date)", Some((true, "MATCH-IF-BASH-05"))),
            ("git push *", "echo $HOME", Some((true, "MATCH-IF-BASH-05"))),
            ("git push *", "$TOOL now", Some((true, "MATCH-IF-BASH-05"))),
            ("git push *", "echo $_X", Some((true, "MATCH-IF-BASH-05"))),
            ("rm *", "echo $(date) && rm -rf x", Some((true, "MATCH-IF-BASH-02"))),
            ("rm *", "echo `date`;rm -rf x", Some((true, "MATCH-IF-BASH-02"))),
            ("rm *", "echo \"open", Some((true, "MATCH-IF-BASH-06"))),
            ("rm *", "echo $(date", Some((true, "MATCH-IF-BASH-06"))),
            ("git *", "TOOL=git npm test", Some((false, "MATCH-IF-BASH-01"))),
            ("git *", "npm test", Some((false, "MATCH-IF-01"))),
            ("git push *", "git status", Some((false, "MATCH-IF-01"))),
            ("git push *", "npm test && ls -l", Some((false, "MATCH-IF-01"))),
            ("rm *", "if ls -a; rm -rf x; then pwd; fi", Some((true, "MATCH-IF-BASH-02"))),
            ("git push *", "if true; then echo $(date); fi", Some((true, "MATCH-IF-BASH-05"))),
            ("rm *", "git  push origin", Some((false, "MATCH-IF-01"))),
            ("git *", "npm  test && git push", Some((true, "MATCH-IF-BASH-02"))),
        ] {
            assert_eq!(
                on(&format!("Bash({pattern})"), "Bash", json!({"command": command})),
                wanted,
                "{pattern}: {command}"
            );
        }
    }

    #[test]
    fn of_bash_commands_the_rest_is_open() {
        for (pattern, command) in [
            ("git *", "git"),
            ("git push *", "git push"),
            ("git *", "gitk --all"),
            ("git push *", "gitk pull"),
            ("git push *", "echo '$HOME'"),
            ("git push *", "echo $1"),
            ("rm *", "echo \"a\""),
            ("git push *", "git push-all now"),
            ("git push *", "git"),
            ("git  push *", "git push origin"),
            ("g?t *", "git push"),
            ("git *", "git-lfs pull"),
            ("rm *", "sudo rm -rf /"),
            ("rm *", "doas rm -rf y"),
            ("rm *", "/usr/bin/env rm -rf y"),
            ("rm *", "find . -name x -exec rm -rf y +"),
            ("rm *", "if true; then rm -rf x; fi"),
            ("rm *", "if rm -rf x; then ls -l; else pwd -P; fi"),
            ("rm *", "for f in a b; do rm -rf x; done"),
            ("rm *", "while true; do rm -rf x; done"),
            ("rm *", "echo $(if true; then rm -rf x; fi)"),
            ("rm *", "time rm -rf x"),
            ("if *", "if true; then ls; fi"),
            ("git push *", "if true; then git push origin; fi"),
            ("git push *", "git  push origin"),
            ("git *", " git push"),
            ("rm *", "echo $( rm -rf /)"),
            ("rm *", "$TOOL -rf"),
            ("rm *", "echo 'rm -rf /'"),
            ("rm *", "echo \"$(date) && rm -rf /\""),
            ("rm *", "echo '\"$(rm -rf /)\"'"),
            ("rm *", "ls > rm"),
            ("rm *", "(ls)"),
            ("git:*", "git push"),
            ("git*", "git push"),
            ("* push", "git push"),
            ("git push", "git push"),
            ("ls", "ls"),
            ("rm *", ""),
        ] {
            assert_eq!(
                on(&format!("Bash({pattern})"), "Bash", json!({"command": command})),
                None,
                "{pattern}: {command}"
            );
        }
        assert_eq!(on("Bash", "Bash", json!({"command": "ls"})), None, "a name alone is no row");
    }

    #[test]
    fn a_rule_is_about_one_tool() {
        let of = |text: &str, tool: &str| on(text, tool, json!({"command": "ls", "file_path": "/work/project/a.ts"}));
        assert_eq!(of("Bash(rm *)", "PowerShell"), Some((false, "MATCH-IF-06")));
        assert_eq!(of("Bash", "Edit"), Some((false, "MATCH-IF-06")));
        assert_eq!(of("Edit(*.ts)", "Bash"), Some((false, "MATCH-IF-06")));
        assert_eq!(of("Edit(*.ts)", "Write"), None, "a rule about edits may be one about all changes");
        assert_eq!(of("mcp__memory", "mcp__memory__create"), None);
        assert_eq!(of("mcp__memory__create", "Bash"), Some((false, "MATCH-IF-06")));
        assert_eq!(of("Write(*.ts)", "Write"), None);
    }

    #[test]
    fn of_files_three_patterns_are_told_of() {
        for (pattern, path, wanted) in [
            ("src/**", "/work/project/src/a.ts", Some((true, "MATCH-IF-04"))),
            ("src/**", "/work/project/src/deep/a.ts", Some((true, "MATCH-IF-04"))),
            ("src/**", "/work/project/lib/src/a.ts", Some((false, "MATCH-IF-04"))),
            ("src/**", "/work/other/src/a.ts", Some((false, "MATCH-IF-04"))),
            ("src/**", "/work/project/src", None),
            ("src/**", "/work/project/SRC/a.ts", None),
            ("**/src/**", "/work/project/lib/src/a.ts", Some((true, "MATCH-IF-05"))),
            ("**/src/**", "/work/project/src/a.ts", Some((true, "MATCH-IF-05"))),
            ("**/src/**", "/work/project/lib/a.ts", Some((false, "MATCH-IF-05"))),
            ("**/src/**", "/work/project/lib/src", None),
            ("**/src/**", "/elsewhere/src/a.ts", None),
            ("*.ts", "/work/project/a.ts", Some((true, "MATCH-IF-08"))),
            ("*.ts", "/work/project/a.txt", Some((false, "MATCH-IF-08"))),
            ("*.ts", "/work/project/lib/a.ts", None),
            ("*.ts", "/work/project/a.tsx", None),
            ("*.txt", "/work/project/a.txt", None),
            ("lib/src/**", "/work/project/lib/src/a.ts", None),
            ("/src/**", "/work/project/src/a.ts", None),
            ("src/**", "/work/project//src/a.ts", None),
            ("src/**", "/work/project/src/deep/", None),
        ] {
            assert_eq!(
                on(&format!("Edit({pattern})"), "Edit", json!({"file_path": path})),
                wanted,
                "{pattern}: {path}"
            );
        }
    }

    #[test]
    fn a_rule_has_a_tool_and_perhaps_something_in_brackets() {
        for (text, wanted) in [("Bash", true), ("Bash(rm *)", true), ("Bash(", false), ("", false), ("Bash()", false)] {
            assert_eq!(is_rule(text), wanted, "{text}");
        }
        for text in ["Bash(rm *) || Edit", "Bash, Edit"] {
            assert!(!is_rule(text), "{text}");
        }
    }
}
