//! The pages about the rules: one a chapter, and an index. Everything on them comes from the rule table, the open points, the corpus
//! and the faults, in a fixed order, so that a page changes only where one of these does.

use crate::{
    corpus::Corpus,
    coverage::{Covered, Standing, coverage},
    exit::Failure,
    select::{Filters, level_name},
};
use hookproof_contract::{Chapter, Event, Evidence, NotScored, Point, Rule, RuleId, Settled};
use hookproof_reference::FAULTS;
use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

/// How many case files are told of a rule; a command lists the others.
const TOLD: usize = 8;

/// The index, which says how a page is read.
const INDEX: &str = "\
# The rules

What the contract demands, rule by rule: one page a chapter. `hookproof pages docs/rules` writes these pages from the rule table, the
corpus and the faults; nothing on them is written by hand.

Of each rule they say

- **what it demands**, in a sentence of our own; its level (only a `must` is ever claimed), the revisions at which it holds where these are
  not all, and the events that it speaks of where these are not all;
- **whether it is scored** at depth `resolve`, and if not, why not;
- **how far it is proven**: a *proven* rule has a case whose `then` names it and a fault that breaks it; one that is *exercised only* lacks one
  of these; one that is *unexercised* is scored, and nothing shows it yet;
- **what a verdict is worth**: at this depth no process starts, and every verdict is *claimed* by the adapter. Where values decide a part of
  the rule only, a pass says nothing of the rest;
- **the cases** that name it, its *near-misses* (the same case, with one thing changed), and **the faults** that break it: mistakes that a
  runtime can make, which hookproof was seen to notice;
- **the open points** that touch it: what can be read in several ways fails nobody. All of them: [open points](open-points.md).

";

/// The beginning of the page of open points.
const POINTS: &str = "\
# Open points

[All chapters](README.md). What the contract's text leaves open, contradicts itself in, or only seems to, and where it went:

- **readings**: the ways in which it can be read, the default first. No runtime fails by one of them; a run tells which of them it shows;
- **free**: nothing is claimed of it, be it that any answer is allowed or that no value could show one;
- **settled**: the text answers it after all, in another place or by its more specific sentence, and rules say so.

The numbers from A-180 on came up while the suite was written. `hookproof explain A-31` tells all of a point.

| point | what is open | where it went |
|---|---|---|
";

/// The case files that name a rule, in the order of the corpus.
type Shown<'a> = BTreeMap<RuleId, Vec<ShownBy<'a>>>;

/// A case file that names a rule.
struct ShownBy<'a> {
    file: &'a str,
    chapter: Option<Chapter>,
    about: String,
    /// Whether the case itself does, or near-misses only.
    by_itself: bool,
    /// The near-misses that do, with their numbers.
    near: Vec<(usize, String)>,
}

/// All pages, by their file names.
///
/// # Errors
///
/// When a case file is wrong.
pub fn pages(corpus: &Corpus) -> Result<BTreeMap<String, String>, Failure> {
    let covered = coverage(corpus, &Filters::default())?;
    let shown = shown(corpus)?;
    let mut pages =
        BTreeMap::from([("README.md".to_owned(), index(&covered)), ("open-points.md".to_owned(), open_points())]);
    for chapter in Chapter::ALL {
        let mut page = format!("# {chapter}\n\n[All chapters](README.md), and how a page is read.\n");
        for covered in covered.iter().filter(|covered| covered.rule.chapter == *chapter) {
            section(&mut page, covered, &shown);
        }
        pages.insert(format!("{chapter}.md"), page);
    }
    Ok(pages)
}

fn shown(corpus: &Corpus) -> Result<Shown<'_>, Failure> {
    let mut shown = Shown::new();
    for entry in corpus.entries() {
        let case = entry.read()?;
        for rule in &case.rules {
            let names = |then: &[hookproof_contract::Claim]| then.iter().any(|claim| claim.rule == *rule);
            let near = case.but.iter().enumerate().filter(|(_, near)| names(&near.then));
            shown.entry(*rule).or_default().push(ShownBy {
                file: &entry.file,
                chapter: entry.chapter,
                about: case.about.clone(),
                by_itself: names(&case.then),
                near: near.map(|(i, near)| (i + 1, near.about.clone())).collect(),
            });
        }
    }
    for (rule, files) in &mut shown {
        // Those of the rule's own chapter are written for it.
        files.sort_by_key(|by| by.chapter != Some(rule.rule().chapter));
    }
    Ok(shown)
}

fn index(covered: &[Covered]) -> String {
    let mut page = INDEX.to_owned();
    let [proven, exercised, unexercised, not_scored] = Standing::NAMES;
    let _ = writeln!(page, "| chapter | rules | {proven} | {exercised} | {unexercised} | {not_scored} |");
    page.push_str("|---|---:|---:|---:|---:|---:|\n");
    let mut row = |name: &str, wanted: &dyn Fn(&Rule) -> bool| {
        let mut counts = [0; 4];
        covered.iter().filter(|c| wanted(c.rule)).for_each(|c| counts[c.standing.column()] += 1);
        let [a, b, c, d] = counts;
        let _ = writeln!(page, "| {name} | {} | {a} | {b} | {c} | {d} |", a + b + c + d);
    };
    for chapter in Chapter::ALL {
        row(&format!("[{chapter}]({chapter}.md)"), &|rule| rule.chapter == *chapter);
    }
    row("all", &|_| true);
    page
}

fn section(page: &mut String, covered: &Covered, shown: &Shown<'_>) {
    let rule = covered.rule;
    let _ = writeln!(page, "\n## {}\n\n{}\n", rule.id, rule.sentence);
    let _ = writeln!(page, "- level: {}", level_name(rule.level));
    if let Some(versions) = versions(rule) {
        let _ = writeln!(page, "- versions: {versions}");
    }
    if !rule.events.is_empty() {
        let _ = writeln!(page, "- events: {}", events(rule));
    }
    let _ = match &covered.standing {
        Standing::NotScored(reason) => writeln!(page, "- **not scored**: {}", Reason(reason)),
        standing => writeln!(page, "- scored: **{standing}**\n- worth: claimed by the adapter{}", rest(rule)),
    };
    cases(page, rule.id, shown.get(&rule.id).map_or(&[], Vec::as_slice));
    faults(page, rule.id);
    points(page, rule);
}

/// The events of a rule; of most of them, those that it leaves out.
fn events(rule: &Rule) -> String {
    let names = |some: &mut dyn Iterator<Item = &Event>| some.map(|event| event.name()).collect::<Vec<_>>().join(", ");
    if rule.events.len() * 2 <= Event::ALL.len() {
        return names(&mut rule.events.iter());
    }
    format!("all but {}", names(&mut Event::ALL.iter().filter(|event| !rule.events.contains(event))))
}

/// From when on and until when it holds; none where that is all that is known.
pub(crate) fn versions(rule: &Rule) -> Option<String> {
    let bounds = match (rule.since, rule.until) {
        (None, None) => return None,
        (Some(since), None) => format!("from {since} on"),
        (None, Some(until)) => format!("before {until}"),
        (Some(since), Some(until)) => format!("from {since} on, before {until}"),
    };
    Some(match &rule.gate_note {
        Some(note) => format!("{bounds} ({note})"),
        None => bounds,
    })
}

/// What of a rule a verdict at depth `resolve` says nothing of.
const fn rest(rule: &Rule) -> &'static str {
    match rule.evidence {
        Evidence::Values => "",
        Evidence::Host => ", and of a part of the rule only: the rest takes an agent that really acts",
        Evidence::Process => ", and of a part of the rule only: the rest takes processes that really run",
        Evidence::Timing => ", and of a part of the rule only: the rest takes time that really passes",
        Evidence::Interactive => ", and of a part of the rule only: the rest takes a person at a screen",
    }
}

/// A reason for a reader of a page.
struct Reason<'a>(&'a NotScored);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            NotScored::Informative => "it demands nothing",
            NotScored::Open(point) => return write!(f, "it comes down to the open point {}", point.as_str()),
            NotScored::Subsumed(rules) => {
                let links: Vec<String> = rules.iter().map(|rule| link(*rule)).collect();
                return write!(f, "whatever breaks it breaks a rule that says more: {}", links.join(", "));
            }
            NotScored::NeedsRun => "it takes processes that really run, or time that really passes",
            NotScored::NeedsAgent => "it takes an agent that really acts",
            NotScored::NeedsWindows => "it takes Windows",
            NotScored::NeedsPerson => "it takes a person at a screen",
            NotScored::AboutHooks => "it is a demand on hooks, not on runtimes",
        })
    }
}

fn link(rule: RuleId) -> String {
    format!("[{rule}]({}.md#{})", rule.rule().chapter, rule.as_str().to_lowercase())
}

fn cases(page: &mut String, rule: RuleId, files: &[ShownBy<'_>]) {
    if files.is_empty() {
        return;
    }
    page.push_str("\nCases:\n\n");
    for by in files.iter().take(TOLD) {
        let only = if by.by_itself { "" } else { " (near-misses only)" };
        let _ = writeln!(page, "- [{}](../../{}){only}", by.about, by.file);
        for (number, about) in &by.near {
            let _ = writeln!(page, "  - #{number}: {about}");
        }
    }
    if let Some(more) = files.len().checked_sub(TOLD).filter(|more| *more > 0) {
        let _ = writeln!(page, "- and {more} more: `hookproof list --cases --rule {rule}`");
    }
}

fn faults(page: &mut String, rule: RuleId) {
    let mut breaking = FAULTS.iter().filter(|fault| fault.rules.contains(&rule)).peekable();
    if breaking.peek().is_some() {
        page.push_str("\nFaults that break it:\n\n");
    }
    for fault in breaking {
        let _ = writeln!(page, "- `{}`: {}", fault.name, fault.about);
    }
}

fn points(page: &mut String, rule: &Rule) {
    if rule.open.is_empty() {
        return;
    }
    page.push_str("\nOpen points:\n\n");
    for name in &rule.open {
        let _ = match Point::all().iter().find(|point| point.id.as_str() == name) {
            Some(point) => writeln!(page, "- {name}: {} Readings: {}", point.question, readings(point)),
            None => writeln!(page, "- {name}: settled. {}", Settled::of(name).map_or("", |settled| &settled.answer)),
        };
    }
}

fn readings(point: &Point) -> String {
    point.readings.iter().map(|reading| format!("*{reading}*")).collect::<Vec<_>>().join(", ")
}

/// The page of all open points, the settled ones among them.
fn open_points() -> String {
    let mut rows: BTreeMap<u16, String> = BTreeMap::new();
    let mut row = |id: &str, question: &str, went: &str| {
        let number = id.trim_start_matches("A-").parse().unwrap_or_default();
        // What the readings mean is told by `explain`.
        let open = question.split_once('?').map_or(question, |(open, _)| open);
        rows.insert(number, format!("| {id} | {}? | {went} |\n", open.replace('|', "\\|")));
    };
    for point in Point::all() {
        row(point.id.as_str(), &point.question, &readings(point));
    }
    for settled in Settled::all() {
        let links: Vec<String> = settled.settled_by.iter().map(|rule| link(*rule)).collect();
        row(&settled.id, &settled.question, &format!("settled by {}: {}", links.join(", "), settled.answer));
    }
    rows.into_values().fold(POINTS.to_owned(), |page, row| page + &row)
}
