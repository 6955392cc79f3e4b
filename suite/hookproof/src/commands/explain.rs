//! `explain`: a rule or an open point.

use crate::{
    cli::{ExplainArgs, Topic},
    corpus::Corpus,
    exit::{Exit, Failure},
    pages::versions,
    report::{DIM, Io, NAME},
    select::level_name,
};
use hookproof_contract::{Point, PointId, RuleId, Settled};
use hookproof_reference::FAULTS;
use std::io::Write;

pub(crate) fn explain(args: &ExplainArgs, io: &mut Io) -> Result<Exit, Failure> {
    let corpus = Corpus::open(args.corpus.corpus.as_deref())?;
    match args.topic {
        Topic::Rule(id) => rule(id, &corpus, io)?,
        Topic::Point(id) => point(id, io)?,
        Topic::Settled(question) => settled(question, io)?,
    }
    io.out.flush()?;
    Ok(Exit::Conformant)
}

fn rule(id: RuleId, corpus: &Corpus, io: &mut Io) -> Result<(), Failure> {
    let rule = id.rule();
    let out = &mut io.out;
    writeln!(out, "{NAME}{id}{NAME:#}: {}", rule.sentence)?;
    writeln!(out, "{DIM}chapter{DIM:#}  {}", rule.chapter)?;
    writeln!(out, "{DIM}level{DIM:#}    {}", level_name(rule.level))?;
    match rule.why_not_scored() {
        Some(reason) => writeln!(out, "{DIM}scored{DIM:#}   no: {reason}")?,
        None if rule.in_part => writeln!(out, "{DIM}scored{DIM:#}   in part: values do not decide all of it")?,
        None => writeln!(out, "{DIM}scored{DIM:#}   yes")?,
    }
    if !rule.events.is_empty() {
        writeln!(out, "{DIM}events{DIM:#}   {}", rule.events.iter().map(|e| e.name()).collect::<Vec<_>>().join(", "))?;
    }
    if let Some(versions) = versions(rule) {
        writeln!(out, "{DIM}holds{DIM:#}    {versions}")?;
    }
    if !rule.lines.is_empty() {
        writeln!(out, "{DIM}lines{DIM:#}    {}", rule.lines.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))?;
    }
    for name in &rule.open {
        match Point::all().iter().find(|p| p.id.as_str() == name) {
            Some(point) => writeln!(out, "{DIM}open{DIM:#}     {name}: {}", point.question)?,
            None => {
                let answer = Settled::of(name).map_or("", |settled| &settled.answer);
                writeln!(out, "{DIM}settled{DIM:#}  {name}: {answer}")?;
            }
        }
    }
    let mut named = Vec::new();
    // A file that does not hold the id is not decoded.
    for entry in corpus.entries().iter().filter(|entry| entry.text.contains(id.as_str())) {
        let file = entry.read()?;
        if file.rules.contains(&id) {
            named.push((entry.name.as_str(), file.about));
        }
    }
    if named.is_empty() {
        writeln!(out, "{DIM}cases{DIM:#}    none names it")?;
    }
    for (i, (name, about)) in named.iter().enumerate() {
        let label = if i == 0 { "cases" } else { "     " };
        writeln!(out, "{DIM}{label}{DIM:#}    {name}: {about}")?;
    }
    for fault in FAULTS.iter().filter(|fault| fault.rules.contains(&id)) {
        writeln!(out, "{DIM}fault{DIM:#}    {}: {}", fault.name, fault.about)?;
    }
    Ok(())
}

fn point(id: PointId, io: &mut Io) -> Result<(), Failure> {
    let point = &Point::all()[id.index()];
    writeln!(io.out, "{NAME}{id}{NAME:#}: {}", point.question)?;
    for (i, reading) in point.readings.iter().enumerate() {
        let label = if i == 0 { "reading" } else { "or     " };
        let note = match (i, reading.as_str()) {
            (_, "free") => " (nothing is claimed)",
            (0, _) => " (the default)",
            _ => "",
        };
        writeln!(io.out, "{DIM}{label}{DIM:#}  {reading}{note}")?;
    }
    touched(&point.rules, io)
}

fn settled(question: &Settled, io: &mut Io) -> Result<(), Failure> {
    writeln!(io.out, "{NAME}{}{NAME:#}: {}", question.id, question.question)?;
    writeln!(io.out, "{DIM}settled{DIM:#}  {}", question.answer)?;
    touched(&question.settled_by, io)
}

fn touched(rules: &[RuleId], io: &mut Io) -> Result<(), Failure> {
    for rule in rules {
        writeln!(io.out, "{DIM}rule{DIM:#}     {rule}: {}", rule.rule().sentence)?;
    }
    Ok(())
}
