//! What can be wrong with content, each as one sentence that says what to change.

use std::fmt;

/// A problem and its place. Displays as `content/diagrams/x.toml:12: …`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContentError {
    /// The file's path below `content/`.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What is wrong there.
    pub problem: Problem,
}

impl fmt::Display for ContentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "content/{}:{}: {}", self.file, self.line, self.problem)
    }
}

impl std::error::Error for ContentError {}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// A file that is no page.
    UnknownFile,
    /// A file name that makes no address.
    Slug { slug: String },
    /// The same file twice.
    DuplicateSlug { slug: String },
    /// Two pages of a kind with one place in the order.
    SameOrder { order: u32, other: String },
    /// There is no home page.
    NoHome,
    /// A Markdown file that does not begin with front matter.
    NoFrontMatter,
    /// Front matter without an end.
    UnclosedFrontMatter,
    /// TOML that cannot be read, or with a key missing or unknown; in the words of its parser.
    Toml { message: String },
    /// A key with nothing in it.
    Empty { key: &'static str },
    /// A diagram without steps, or a step without actions.
    NoEntries { key: &'static str },
    /// A scenario that no diagram tells.
    UntoldScenario { name: String },
    /// A name of a diagram that is not there.
    UnknownDiagram { slug: String },
    /// A name of a chapter that is not there.
    UnknownChapter { slug: String },
    /// A diagram with a name for its switch and none for its position, or the other way round.
    HalfSwitch { lacks: &'static str },
    /// A variant of a diagram without a switch.
    NoSwitch { slug: String },
    /// A variant whose switch has another name than its diagram's.
    OtherSwitch { switch: String },
    /// Two positions of a switch with one name.
    SameLabel { label: String },
    /// A switch with a single position.
    NoVariants { slug: String },
    /// A word with two meanings.
    SameTerm { word: String },
    /// A name of a term that is not there.
    NoTerm { name: String },
    /// A key action that the step does not tell.
    KeyNotAmongActions { key: String },
    /// Markup that opens and does not close.
    Unclosed { mark: String },
    /// Raw HTML.
    Html,
    /// Markdown that has no place here.
    NotAllowed { what: &'static str },
    /// A heading of another level than two or three.
    HeadingLevel,
    /// Two headings of a page with one id.
    DuplicateHeading { id: String },
    /// An address that is neither a path of this site, nor a part of this page, nor https.
    LinkForm { to: String },
    /// A link to a page that is not there.
    NoPage { to: String },
    /// A link to a part that its page does not have.
    NoPart { to: String },
    /// A link to a step that its diagram does not have.
    NoStep { to: String, steps: usize },
    /// A caption of more words than there is room for.
    CaptionWords { words: usize },
    /// A caption that does not begin with its actor.
    CaptionActor,
    /// A caption whose second sentence gives no reason, or that has a third.
    CaptionSentences,
    /// A caption that begins with an actor that does nothing in the step.
    ActorIdle { actor: String, acting: Vec<String> },
    /// A caption that names something which the step's actions do not touch.
    Untold { word: String },
    /// A name in a caption that stands outside code font, where nothing holds it against the run.
    Bare { word: String },
    /// A question to predict the answer of, with a part missing.
    Predict { lacks: &'static str },
    /// A name in a chapter that nothing vouches for.
    UnknownWord { word: String },
    /// A word that a source vouches for and the chapter does not use.
    UnusedWord { word: String },
    /// A diagram told in another number of steps than its content has.
    StepCount { content: usize, run: usize },
}

/// The most words that a caption may have: two lines of the stage, or four of the narrow one.
pub(super) const CAPTION_WORDS: usize = 24;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::UnknownFile => {
                f.write_str("no page is made of this file; name it home.md, chapters/SLUG.md, glossary.toml, \
                     diagrams/SLUG.toml, diagrams/SLUG/VARIANT.toml, scenarios/NAME.toml or measured/SCENARIO.toml")
            }
            Problem::Slug { slug } => {
                write!(f, "`{slug}` makes no address; name the file in lower-case letters, digits and hyphens")
            }
            Problem::DuplicateSlug { slug } => write!(f, "there is already a page `{slug}`; rename one of the two"),
            Problem::SameOrder { order, other } => {
                write!(f, "order {order} is taken by `{other}`; give one of the two another number")
            }
            Problem::NoHome => f.write_str("the home page is missing; write this file"),
            Problem::NoFrontMatter => {
                f.write_str("front matter is missing; begin the file with TOML between two lines `+++`")
            }
            Problem::UnclosedFrontMatter => f.write_str("front matter does not end; close it with a line `+++`"),
            Problem::Toml { message } => write!(f, "{message}; correct the TOML here"),
            Problem::Empty { key } => write!(f, "`{key}` is empty; write something or remove it"),
            Problem::NoEntries { key } => write!(f, "`{key}` has no entries; add at least one"),
            Problem::UntoldScenario { name } => {
                write!(f, "no diagram tells the scenario `{name}`; give one `scenario = \"{name}\"` or remove this file")
            }
            Problem::UnknownDiagram { slug } => {
                write!(f, "there is no diagram `{slug}`; name a file of content/diagrams without its ending")
            }
            Problem::UnknownChapter { slug } => {
                write!(f, "there is no chapter `{slug}`; name a file of content/chapters without its ending")
            }
            Problem::HalfSwitch { lacks } => {
                write!(f, "a switch needs `switch` and `label`; add `{lacks}`")
            }
            Problem::NoSwitch { slug } => {
                write!(f, "diagram `{slug}` has no switch; give its own file `switch` and `label`")
            }
            Problem::OtherSwitch { switch } => {
                write!(f, "the diagram calls its switch `{switch}`; call it so here too")
            }
            Problem::SameLabel { label } => {
                write!(f, "the switch already has a position `{label}`; call this one differently")
            }
            Problem::NoVariants { slug } => {
                write!(f, "the switch has one position; write diagrams/{slug}/VARIANT.toml or remove `switch` and `label`")
            }
            Problem::SameTerm { word } => {
                write!(f, "`{word}` has a meaning already; give it to one term only")
            }
            Problem::NoTerm { name } => {
                write!(f, "there is no term `{name}`; write the name of one in this file")
            }
            Problem::KeyNotAmongActions { key } => {
                write!(f, "key `{key}` is not among the step's actions; choose one of them")
            }
            Problem::Unclosed { mark } => {
                write!(f, "a '{mark}' opens or closes nothing; complete the markup or put a backslash before it")
            }
            Problem::Html => f.write_str("raw HTML is not accepted; write it in Markdown or in code font"),
            Problem::NotAllowed { what } => write!(f, "{what} has no place here; write it another way"),
            Problem::HeadingLevel => f.write_str("only headings `##` and `###` are used; the title stands in the front matter"),
            Problem::DuplicateHeading { id } => {
                write!(f, "another heading already has the id `{id}`; word one of the two differently")
            }
            Problem::LinkForm { to } => {
                write!(f, "`{to}` is no address to link to; write a path such as /diagrams/, #PART or an https address")
            }
            Problem::NoPage { to } => write!(f, "the link `{to}` leads to no page; correct its path"),
            Problem::NoPart { to } => write!(f, "the link `{to}` leads to no heading; correct what follows the #"),
            Problem::NoStep { to, steps } => {
                write!(f, "the link `{to}` leads to no step; the diagram of that page has {steps}")
            }
            Problem::CaptionWords { words } => {
                write!(f, "the caption has {words} words; shorten it to {CAPTION_WORDS} or fewer")
            }
            Problem::CaptionActor => {
                f.write_str("the caption does not begin with its actor; put the actor first, as in **kubelet**")
            }
            Problem::CaptionSentences => {
                f.write_str("a caption is one sentence, and at most a second that begins with Because or Until; reword it")
            }
            Problem::ActorIdle { actor, acting } => {
                write!(f, "`{actor}` does nothing in this step; begin the caption with one of: {}", acting.join(", "))
            }
            Problem::Untold { word } => {
                write!(f, "`{word}` does not occur in this step's actions; name what they touch, or drop the code font")
            }
            Problem::Bare { word } => {
                write!(f, "`{word}` is a name and stands without code font; set it in backquotes")
            }
            Problem::Predict { lacks } => {
                write!(f, "the question to predict an answer of lacks {lacks}; add it here")
            }
            Problem::UnknownWord { word } => {
                write!(
                    f,
                    "`{word}` is in no run of the model, no term of the glossary and no command of a diagram; \
                     correct it, or add it to the `words` of the source that knows it"
                )
            }
            Problem::UnusedWord { word } => {
                write!(f, "the chapter does not use `{word}`; drop it from the `words` of this source")
            }
            Problem::StepCount { content, run } => {
                write!(f, "content has {content} steps and the run is told in {run}; make them one for one")
            }
        }
    }
}
