//! `pages`: the pages about the rules.

use crate::{
    cli::PagesArgs,
    corpus::Corpus,
    exit::{Exit, Failure},
    pages::pages,
    report::Io,
};
use std::{fs, io::Write};

pub(crate) fn run(args: &PagesArgs, io: &mut Io) -> Result<Exit, Failure> {
    let pages = pages(&Corpus::embedded()?)?;
    let folder = &args.folder;
    fs::create_dir_all(folder).map_err(|e| Failure::io("create", folder.display(), &e))?;
    for (name, text) in &pages {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|e| Failure::io("write", path.display(), &e))?;
    }
    writeln!(io.out, "{} pages written into {}", pages.len(), folder.display())?;
    io.out.flush()?;
    Ok(Exit::Conformant)
}
