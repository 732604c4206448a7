//! The command line: the only part that prints, and the exit codes.
//!
//! 0: ran, nothing at or above the level that fails; 1: ran, findings; 2: did not run properly; 3: no IR among the inputs.

mod atomic;
mod check;
mod completions;
mod diff;
mod explain;
mod files;
mod fix;
mod graph;
mod info;
mod init;
mod inspect;
mod output;
mod parallel;
mod run;
mod schema;
mod settings;
mod shapes;
mod show;
mod snapshot;
mod subject;
mod what_if;
mod why;

use clap::{Args, CommandFactory, Parser, Subcommand};
use ovlint::near::nearest;
use ovlint::report::plain_text;
use ovlint::{Limits, Options, WeightsOption};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit codes.
pub(crate) mod exit {
    /// Nothing at or above the level that fails.
    pub(crate) const CLEAN: u8 = 0;
    /// Findings.
    pub(crate) const FINDINGS: u8 = 1;
    /// Did not run properly.
    pub(crate) const BROKEN: u8 = 2;
    /// No IR among the inputs.
    pub(crate) const NO_INPUT: u8 = 3;
}

/// Checks OpenVINO IR files: infers every shape and type, and says where a file disagrees with itself, with its weights
/// or with what OpenVINO accepts.
#[derive(Parser)]
#[command(name = "ovlint", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: check::CheckArgs,
}

/// The default command alone: building the whole command line takes longer than checking a small model.
#[derive(Parser)]
#[command(name = "ovlint", disable_help_flag = true)]
struct OnlyCheck {
    #[command(flatten)]
    check: check::CheckArgs,
}

impl OnlyCheck {
    /// The arguments of a check that are right; whatever else there is, is for the whole command line.
    fn parse() -> Option<check::CheckArgs> {
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        let first = arguments.get(1)?.to_str()?;
        if first == "check" {
            arguments.remove(1);
        } else if may_be_command(first) {
            return None;
        }
        Some(Self::try_parse_from(arguments).ok()?.check)
    }
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is only one")]
enum Command {
    /// Check models (the default command).
    Check(check::CheckArgs),
    /// Show the inferred shape and type of every tensor.
    Shapes(shapes::ShapesArgs),
    /// Say what models are: inputs, outputs, operations, sizes.
    Info(info::InfoArgs),
    /// Show one layer with attributes, ports and values.
    Inspect(inspect::InspectArgs),
    /// Draw a model, or what is around a layer.
    Graph(graph::GraphArgs),
    /// Say why a tensor has its shape and type.
    Why(why::WhyArgs),
    /// Compare the shapes of models with those committed beside them, or write these.
    Snapshot(snapshot::SnapshotArgs),
    /// Show what differs between two models.
    Diff(diff::DiffArgs),
    /// Evaluate splits and other operations that only move data.
    Run(run::RunArgs),
    /// Explain a rule.
    Explain(explain::ExplainArgs),
    /// List the rules.
    Rules(explain::RulesArgs),
    /// Write a commented ovlint.toml into the current folder.
    Init(init::InitArgs),
    /// Print the JSON schema of a report.
    Schema(schema::SchemaArgs),
    /// Print the completions of a shell.
    Completions(completions::CompletionsArgs),
    /// Print a manual page.
    Man(completions::ManArgs),
}

/// How models are read; the same flags for every command.
#[derive(Args, Clone)]
pub(crate) struct ModelArgs {
    /// The weights: `auto` for the .bin beside the .xml, `skip` for none, or a file
    #[arg(long, value_name = "auto|skip|FILE", default_value = "auto")]
    weights: PathBuf,
    /// Bytes of an XML file at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().xml_size, hide_default_value = true, help_heading = "Limits")]
    max_xml_size: u64,
    /// Layers of a file at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().layers, hide_default_value = true, help_heading = "Limits")]
    max_layers: usize,
    /// Levels of nested XML elements at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, hide_default_value = true, help_heading = "Limits")]
    max_depth: usize,
    /// Levels of bodies inside bodies at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().bodies, hide_default_value = true, help_heading = "Limits")]
    max_bodies: usize,
    /// Layers that are inferred inside bodies at the most, counted each time
    #[arg(long, value_name = "N", default_value_t = Limits::default().body_layers, hide_default_value = true, help_heading = "Limits")]
    max_body_layers: usize,
    /// Ports on one side of a layer at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().ports, hide_default_value = true, help_heading = "Limits")]
    max_ports: usize,
    /// Outputs that an attribute or a list of lengths gives one layer at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().outputs, hide_default_value = true, help_heading = "Limits")]
    max_outputs: usize,
    /// Dimensions of one shape at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().rank, hide_default_value = true, help_heading = "Limits")]
    max_rank: usize,
    /// Elements of a value that inference works out at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().value_elements, hide_default_value = true, help_heading = "Limits")]
    max_value_elements: usize,
    /// Dimensions and elements that inference keeps of a file at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().inferred, hide_default_value = true, help_heading = "Limits")]
    max_inferred: usize,
    /// Elements that inference looks at in a file at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().work, hide_default_value = true, help_heading = "Limits")]
    max_work: usize,
    /// Bytes of memory for the findings of a file at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().findings, hide_default_value = true, help_heading = "Limits")]
    max_findings_size: usize,
    /// Bytes of memory for the tensors of a run at the most
    #[arg(long, value_name = "N", default_value_t = Limits::default().tensors, hide_default_value = true, help_heading = "Limits")]
    max_tensors_size: u64,
}

impl ModelArgs {
    /// The options of the library.
    pub(crate) fn options(&self) -> Options {
        let weights = match self.weights.to_str() {
            Some("auto") => WeightsOption::Auto,
            Some("skip") => WeightsOption::Skip,
            _ => WeightsOption::File(self.weights.clone()),
        };
        let limits = Limits {
            xml_size: self.max_xml_size,
            layers: self.max_layers,
            depth: self.max_depth,
            bodies: self.max_bodies,
            body_layers: self.max_body_layers,
            ports: self.max_ports,
            outputs: self.max_outputs,
            rank: self.max_rank,
            value_elements: self.max_value_elements,
            inferred: self.max_inferred,
            work: self.max_work,
            findings: self.max_findings_size,
            tensors: self.max_tensors_size,
            ..Limits::default()
        };
        Options { weights, limits, ..Options::default() }
    }
}

/// The command that is asked for, or the exit code where there is none to run.
fn parse() -> Result<Command, u8> {
    if let Some(args) = OnlyCheck::parse() {
        return Ok(Command::Check(args));
    }
    let parsed = Cli::try_parse();
    let is_default = match &parsed {
        Ok(cli) => cli.command.is_none(),
        Err(error) => error.use_stderr(),
    };
    if let Some((name, near)) = is_default.then(mistyped).flatten() {
        complain(&plain_text(&format!("there is no command and no file `{name}`; did you mean `{near}`?")));
        return Err(exit::BROKEN);
    }
    match parsed {
        Ok(cli) => Ok(cli.command.unwrap_or(Command::Check(cli.check))),
        Err(error) => {
            let _ = error.print();
            Err(if error.use_stderr() { exit::BROKEN } else { exit::CLEAN })
        }
    }
}

/// Runs the command line and gives the exit code.
pub(crate) fn main() -> u8 {
    let command = match parse() {
        Ok(command) => command,
        Err(code) => return code,
    };
    let code = match command {
        Command::Check(args) => check::run(&args),
        Command::Shapes(args) => shapes::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Why(args) => why::run(&args),
        Command::Snapshot(args) => snapshot::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Rules(args) => explain::rules(&args),
        Command::Init(args) => init::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    };
    if IS_STDOUT_BROKEN.load(Ordering::Relaxed) { exit::BROKEN } else { code }
}

/// The first argument where it is like a command, is none, and no file is called so; and the command.
fn mistyped() -> Option<(String, String)> {
    let name = std::env::args_os().nth(1)?.into_string().ok()?;
    if !may_be_command(&name) || name.starts_with('-') || Path::new(&name).exists() {
        return None;
    }
    let cli = Cli::command();
    let commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
    if commands.contains(&name.as_str()) {
        return None;
    }
    let near = nearest(&name, commands)?.to_owned();
    Some((name, near))
}

/// Whether a first argument is more likely a command than a path.
fn may_be_command(name: &str) -> bool {
    !name.contains(['.', '/'])
}

/// Whether stdout could not be written to.
static IS_STDOUT_BROKEN: AtomicBool = AtomicBool::new(false);

/// Writes to stdout. A reader that went away ends the output quietly; whatever else goes wrong makes the run fail.
pub(crate) fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    let failure = written.err().filter(|error| error.kind() != ErrorKind::BrokenPipe);
    if let Some(error) = failure
        && !IS_STDOUT_BROKEN.swap(true, Ordering::Relaxed)
    {
        complain(&format!("cannot write to stdout: {error}"));
    }
}

/// Writes a line to stderr.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(anstream::stderr().lock(), "ovlint: {message}");
}
