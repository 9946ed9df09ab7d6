//! What a command is, and how its line of arguments is read.

use super::Error;
use lexopt::Arg;
use std::collections::BTreeMap;

/// A command. Help, usage errors and the documentation are read off this.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// What it takes besides options.
    pub takes: Takes,
    /// What it does, in one line.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [Opt],
    /// Does it; returns what is to be printed.
    pub run: fn(&Args) -> Result<String, Error>,
}

/// What a command takes besides options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// One argument, by this name.
    One(&'static str),
    /// One argument or more, by this name.
    Many(&'static str),
    /// One argument, by this name, or one of these options in its place.
    OneOr(&'static str, &'static [&'static str]),
}

/// An option with a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opt {
    /// Its name without dashes.
    pub name: &'static str,
    /// What its value is called.
    pub value: &'static str,
    /// What it is for, in one line.
    pub about: &'static str,
}

/// The arguments of a command, read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Args {
    /// Help was asked for instead.
    pub help: bool,
    /// Values of the options that were given.
    options: BTreeMap<&'static str, String>,
    /// Everything else, in order.
    pub rest: Vec<String>,
}

impl Args {
    /// The value of an option.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }

    /// The first argument that is no option; a command that takes one has it.
    pub fn first(&self) -> &str {
        self.rest.first().map_or("", String::as_str)
    }
}

impl Command {
    /// Reads its arguments.
    ///
    /// # Errors
    /// When one is unknown, doubled, missing or too many.
    pub fn parse(&self, parser: &mut lexopt::Parser) -> Result<Args, Error> {
        let see = format!("see `mountpath {} --help`", self.name);
        let usage = |what: String| Error::Usage(format!("{what}; {see}"));
        let mut args = Args::default();
        while let Some(arg) = parser.next().map_err(|e| usage(e.to_string()))? {
            match arg {
                Arg::Short('h') | Arg::Long("help") => return Ok(Args { help: true, ..Args::default() }),
                Arg::Long(name) => {
                    let opt = self.options.iter().find(|o| o.name == name);
                    let Some(opt) = opt else {
                        return Err(usage(format!("{} has no option --{name}", self.name)));
                    };
                    let value =
                        parser.value().map_err(|_| usage(format!("--{} needs a {}", opt.name, opt.value)))?;
                    let value =
                        value.into_string().map_err(|_| usage(format!("--{} is not UTF-8", opt.name)))?;
                    if args.options.insert(opt.name, value).is_some() {
                        return Err(usage(format!("--{} is given twice", opt.name)));
                    }
                }
                Arg::Short(c) => return Err(usage(format!("{} has no option -{c}", self.name))),
                Arg::Value(value) => {
                    let value =
                        value.into_string().map_err(|v| usage(format!("{} is not UTF-8", v.display())))?;
                    args.rest.push(value);
                }
            }
        }
        let (wanted, least, most) = match self.takes {
            Takes::Nothing => (String::new(), 0, 0),
            Takes::One(name) => (name.to_owned(), 1, 1),
            Takes::Many(name) => (name.to_owned(), 1, usize::MAX),
            Takes::OneOr(name, options) if options.iter().any(|option| args.option(option).is_some()) => {
                (name.to_owned(), 0, 0)
            }
            Takes::OneOr(name, options) => (format!("{name} or --{}", options.join(" or --")), 1, 1),
        };
        if args.rest.len() < least {
            return Err(usage(format!("{} needs a {wanted}", self.name)));
        }
        match args.rest.get(most) {
            Some(extra) => Err(usage(format!("{} does not take `{extra}`", self.name))),
            None => Ok(args),
        }
    }

    /// Its line of usage, without the program's name.
    pub fn usage(&self) -> String {
        let mut line = self.name.to_string();
        match self.takes {
            Takes::Nothing => {}
            Takes::One(name) => line.push_str(&format!(" {name}")),
            Takes::Many(name) => line.push_str(&format!(" {name}…")),
            Takes::OneOr(name, _) => line.push_str(&format!(" [{name}]")),
        }
        for opt in self.options {
            line.push_str(&format!(" [--{} {}]", opt.name, opt.value));
        }
        line
    }
}
