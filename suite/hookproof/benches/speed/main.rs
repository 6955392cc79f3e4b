//! How fast hookproof is, against the bars that it sets itself. Prints a table in Markdown; `scripts/bench` puts it into
//! the README. Ends with 1 if a bar is missed.
//!
//! Everything is measured in one run on one machine, so the ratios mean more than the figures.

mod adapter;
mod cases;
mod external;
mod inside;
mod outside;

use std::{error::Error, process::ExitCode};

/// What a measurement says.
struct Row {
    what: String,
    figure: String,
    bar: String,
    /// How many times the bar is reached; 1 or more is good. `None`: for information.
    reached: Option<f64>,
}

impl Row {
    /// A figure of which more is better.
    fn at_least(what: impl Into<String>, figure: f64, bar: f64, unit: &str) -> Row {
        let (what, reached) = (what.into(), Some(figure / bar));
        Row { what, figure: shown(figure, unit), bar: format!("≥ {}", shown(bar, unit)), reached }
    }

    /// A figure of which less is better.
    fn at_most(what: impl Into<String>, figure: f64, bar: f64, unit: &str) -> Row {
        let (what, reached) = (what.into(), Some(bar / figure));
        Row { what, figure: shown(figure, unit), bar: format!("≤ {}", shown(bar, unit)), reached }
    }

    /// A figure without a bar.
    fn told(what: impl Into<String>, figure: f64, unit: &str) -> Row {
        Row { what: what.into(), figure: shown(figure, unit), bar: "–".to_owned(), reached: None }
    }

    fn is_missed(&self) -> bool {
        self.reached.is_some_and(|times| times < 1.0)
    }
}

fn shown(figure: f64, unit: &str) -> String {
    match figure {
        f if f >= 1_000.0 => format!("{},{:03} {unit}", (f as u64) / 1_000, (f as u64) % 1_000),
        f if f >= 100.0 => format!("{f:.0} {unit}"),
        f => format!("{f:.1} {unit}"),
    }
}

type Rows = Result<Vec<Row>, Box<dyn Error>>;

fn main() -> ExitCode {
    // cargo adds a word of its own.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["canned", answers] => adapter::canned(answers, None).map(|()| true),
        ["canned", answers, stamp] => adapter::canned(answers, Some(stamp)).map(|()| true),
        ["reference"] => adapter::reference().map(|()| true),
        ["inside"] => measure(&[inside::rows]),
        ["external"] => measure(&[external::rows]),
        ["outside"] => measure(&[outside::rows]),
        _ => measure(&[inside::rows, external::rows, outside::rows]),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn measure(parts: &[fn() -> Rows]) -> Result<bool, Box<dyn Error>> {
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part()?);
    }
    println!("| what | measured | bar | of the bar |\n|---|---:|---:|---:|");
    for row in &rows {
        let reached = row.reached.map_or_else(|| "–".to_owned(), |times| format!("{times:.2} ×"));
        let missed = if row.is_missed() { " (missed)" } else { "" };
        println!("| {} | {} | {} | {reached}{missed} |", row.what, row.figure, row.bar);
    }
    Ok(!rows.iter().any(Row::is_missed))
}
