//! The report as Markdown, for a comment on a change: the counts, the broken rules by harm, and the cases that fail.

use super::{Again, Report, counts, kept::Kept, plain};
use crate::{baseline::Misfit, run::Tally, verdict::CaseResult, words};
use hookproof_contract::{
    judge::Harm,
    message::{Depth, Hello},
};
use std::io::{self, Write};

/// How many failing cases are named.
const NAMED: usize = 50;

/// The report.
pub struct Markdown<'a> {
    out: &'a mut dyn Write,
    again: Again,
    depth: Depth,
    kept: Kept,
}

impl<'a> Markdown<'a> {
    /// Begins the report.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn begin(out: &'a mut dyn Write, hello: &Hello, depth: Depth, again: Again) -> io::Result<Self> {
        let who = &hello.candidate;
        let shown = |text: &str| literal(&words::cut(&words::visible(text)));
        writeln!(
            out,
            "## hookproof {}: {}, contract {}\n",
            env!("CARGO_PKG_VERSION"),
            shown(format!("{} {}", who.name, who.version).trim_end()),
            hello.revision
        )?;
        Ok(Markdown { out, again, depth, kept: Kept::default() })
    }

    fn rules(&mut self, tally: &Tally) -> io::Result<()> {
        let broken = counts::scope(tally).broken;
        if broken.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\n| harm | rule | cases | what it says |\n|---|---|---:|---|")?;
        let mut rows: Vec<_> = broken.iter().map(|rule| (tally.rules[rule.index()], rule)).collect();
        rows.sort_by_key(|(counts, rule)| (!counts.on_its_own, counts.harm, u32::MAX - counts.cases, **rule));
        for (counts, rule) in rows {
            let harm = counts.harm.map_or("", Harm::name);
            let harm = if counts.on_its_own { harm } else { "follows" };
            writeln!(
                self.out,
                "| {harm} | {rule} | {} | {} |",
                counts.cases,
                rule.rule().sentence.replace('|', "\\|")
            )?;
        }
        Ok(())
    }

    fn cases(&mut self) -> io::Result<()> {
        let failures = &self.kept.failures;
        if failures.is_empty() {
            return Ok(());
        }
        let more = failures.len().saturating_sub(NAMED);
        writeln!(self.out, "\n<details><summary>{} failing cases</summary>\n", failures.len())?;
        for result in failures.iter().take(NAMED) {
            let what = result.headline();
            let rule = result.misses.first().map_or_else(String::new, |miss| format!(", {}", miss.rule));
            writeln!(
                self.out,
                "- {what}{rule}: {}\n  {}",
                literal(&result.name),
                code(&self.again.line(&result.replay))
            )?;
        }
        if more > 0 {
            writeln!(self.out, "- and {more} more")?;
        }
        writeln!(self.out, "\n</details>")
    }
}

impl Report for Markdown<'_> {
    fn case(&mut self, result: CaseResult) -> io::Result<()> {
        self.kept.case(result);
        Ok(())
    }

    fn baseline(&mut self, known: usize, misfits: &[Misfit]) -> io::Result<()> {
        self.kept.baseline(known, misfits);
        Ok(())
    }

    fn end(&mut self, tally: &Tally) -> io::Result<()> {
        self.kept.failures.sort_by(|a, b| (a.harm(), &a.name).cmp(&(b.harm(), &b.name)));
        for line in plain(|out| counts::cases(out, tally))?.lines() {
            let line = line.trim();
            writeln!(self.out, "- {}", literal(line.strip_prefix("cases").unwrap_or(line).trim()))?;
        }
        let scope = counts::scope(tally);
        writeln!(
            self.out,
            "- {} of {} rules in scope checked, {} broken",
            scope.checked,
            scope.all,
            scope.broken.len()
        )?;
        for part in counts::parts(tally) {
            writeln!(self.out, "- profile {}: {part}", part.profile)?;
        }
        writeln!(self.out, "- worth: {}", counts::worth(self.depth))?;
        for note in &tally.notes {
            writeln!(self.out, "- adapter: {}", literal(note))?;
        }
        if let Some(trouble) = &tally.trouble {
            writeln!(self.out, "- **the run ended early**: {}", literal(&trouble.to_string()))?;
        }
        if let Some((known, misfits)) = self.kept.baseline.take() {
            writeln!(self.out, "- {known} known failures; {} differences", misfits.len())?;
            misfits.iter().try_for_each(|misfit| writeln!(self.out, "  - {}", literal(&misfit.to_string())))?;
        }
        self.rules(tally)?;
        self.cases()?;
        self.out.flush()
    }
}

/// A text as code, in a fence that is in no way part of it.
fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let (fence, room) = ("`".repeat(longest + 1), if longest > 0 { " " } else { "" });
    format!("{fence}{room}{}{room}{fence}", words::visible(text))
}

/// A text in which nothing is Markdown's or HTML's.
fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' => out.extend(['\\', c]),
            '\n' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn no_code_ends_its_fence_or_its_line() {
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a ``b` </details>"), "``` a ``b` </details> ```");
        assert_eq!(code("`a`"), "`` `a` ``");
        assert_eq!(code("a\n</details>\u{1b}"), r"`a\n</details>\u{1b}`");
    }
}
