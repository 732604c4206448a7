//! The command line: the only part that prints or sets exit codes.
//!
//! Exit codes: 0 for a run without failing findings, 1 for one with failing findings, with differences or with the answer
//! no, 2 for one that did not work, and 3 if there was no IR among the inputs.

mod check;
mod color;
mod completions;
mod cost;
mod diff;
mod edited;
mod explain;
mod extract;
mod files;
mod fix;
mod graph;
mod info;
mod init;
mod inputs;
mod inspect;
mod limits;
mod output;
mod parallel;
mod parse;
mod progress;
mod reduce;
mod renamed;
mod report;
mod reshape;
mod run;
mod schema;
mod settings;
mod shapes;
mod show;
mod snapshot;
mod subject;
mod units;
mod what_if;
mod why;

use clap::{Args, CommandFactory, Parser, Subcommand};
pub(crate) use color::print_diff;
use limits::LimitArgs;
use ovlint::internal::diagnostic::internal_error::failed;
use ovlint::internal::ops::extension::ExtensionOps;
use ovlint::internal::panics;
use ovlint::internal::text::plain_text;
use ovlint::internal::{Options, WeightsOption};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit codes.
pub(crate) mod exit {
    /// There are no findings at or above the severity that fails.
    pub(crate) const CLEAN: u8 = 0;
    /// There are findings at or above the severity that fails, or differences.
    pub(crate) const FINDINGS: u8 = 1;
    /// The run did not work, at least in part.
    pub(crate) const BROKEN: u8 = 2;
    /// There is no IR among the inputs.
    pub(crate) const NO_INPUT: u8 = 3;
}

/// The version, and the release of OpenVINO whose operations and checks are modelled.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (models OpenVINO 2026.4.1)");

const EXIT_CODES: &str = "\
Exit codes:
  0  no finding fails the run (by default, only errors do; see --fail-on)
  1  a finding fails the run, models differ (--diff, diff, snapshot check, run --expect), the model
     does not work for the shapes, the file is not a valid IR, or explain finds the cause
  2  could not run properly: bad flag or configuration, or unreadable file
  3  no OpenVINO IR in the folders given";

/// Checks OpenVINO IR files: infers every shape and type, and says where a file disagrees with itself, with its weights
/// or with what OpenVINO accepts.
#[derive(Parser)]
#[command(name = "ovlint", version = VERSION, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(override_usage = "ovlint [check] [OPTIONS] [PATHS]...\n       ovlint COMMAND", after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    check: check::CheckArgs,
}

impl Cli {
    /// Returns the whole command line for help. The flags of the default command are hidden except in its own help.
    fn shown() -> clap::Command {
        Self::command().mut_args(|arg| arg.hide(true))
    }
}

// The flags of a command are built only when it is called, because building those of all commands would take most of the
// start-up time. At that time, the doc comment of a group of flags would replace the description of the command. So groups
// have plain comments.
#[derive(Subcommand)]
#[command(defer = true)]
#[allow(clippy::large_enum_variant, reason = "one value is made per process, so its size does not matter")]
enum Command {
    /// Check models (the default command).
    ///
    /// Findings go to stdout, everything else to stderr. ovlint reads only the weights that determine a shape. `ovlint explain`
    /// lists the rules and groups that flags accept, and `ovlint explain RULE` explains one.
    ///
    /// `--fix` corrects what ports declare, `--fix=all` also applies fixes that are only probably right. Before ovlint writes
    /// a file, it checks the new text in memory: it must contain neither the fixed findings nor new ones and, after safe
    /// fixes, have the same layers, attributes, edges, constants and shapes. Only the edited bytes change.
    #[command(after_help = EXIT_CODES)]
    Check(check::CheckArgs),
    /// Show the inferred shape and type of every tensor.
    ///
    /// If a port declares something different, its declaration is shown as well. `--shape` sets other input shapes,
    /// in the syntax of `benchmark_app`. If a layer fails with these shapes, stderr names the first such layer and the constants that
    /// fix its shape, and the exit code is 1.
    Shapes(shapes::ShapesArgs),
    /// Show which input shapes a model works for, and which layers rule out others.
    ///
    /// The output lists inputs, states and outputs with a name for each dimension that is not fixed, then the
    /// constraints on these dimensions and the layers that impose them. `--shape` asks whether the model works for the given shapes, in the syntax of
    /// `benchmark_app`; if it does not, the exit code is 1, and the nearest sizes that it works for are shown. The exit
    /// code is also 1 for a model that works for no shapes at all.
    Inputs(inputs::InputsArgs),
    /// Show what a model costs: weights, multiplications, and memory for tensors and states.
    ///
    /// If inputs are dynamic, the numbers are expressions in their dimensions, which `--shape` sets. A tensor
    /// occupies memory from the layer that produces it to the last layer that reads it, in the order of the file.
    /// Runtimes may need less memory, because they fuse and reorder layers, or more, because they keep buffers of their
    /// own.
    Cost(cost::CostArgs),
    /// Summarise models: inputs, outputs, operations, sizes.
    ///
    /// Each summary includes the oldest OpenVINO release that can read the model, and why. For several models, the
    /// oldest release that can read all of them follows at the end.
    Info(info::InfoArgs),
    /// Show the attributes, ports and values of one layer.
    ///
    /// Attributes that the file omits are shown with their defaults. Declared shapes are shown if they differ from
    /// the inferred ones. If several layers share the name, they are listed.
    Inspect(inspect::InspectArgs),
    /// Draw a model, or the neighbourhood of a layer.
    ///
    /// The output is Graphviz DOT, Mermaid (which GitHub and GitLab render in Markdown) or SVG. `ovlint report` shows
    /// large models in groups.
    Graph(graph::GraphArgs),
    /// Write an HTML page that shows the findings next to the graph.
    ///
    /// The page is a single self-contained file: open it with a double click, attach it to an issue, or keep it as a
    /// CI artifact. It shows every finding with its excerpts and causes, what the model costs, and the graph with types
    /// and shapes, in groups by layer name. With several models, the page starts with a list of them, and each opens in
    /// the same file. The configuration and the same flags as for `check` select the rules. The exit code is 0 even if
    /// there are findings.
    Report(report::ReportArgs),
    /// Explain why a tensor has its shape and type.
    ///
    /// Every dimension is traced back to the inputs, attributes and constant bytes that it depends on. To find them, ovlint
    /// infers each layer again and hides one input fact at a time, so this works for every operation, through shape
    /// arithmetic and into bodies. If several tensors share the name, they are listed.
    Why(why::WhyArgs),
    /// Compare the shapes of models with their snapshots, or update them.
    ///
    /// `update` writes a shape report next to every model, such as `detector.ovshapes` for `detector.xml`. Commit it,
    /// so that reviews show what changed. `check` exits with 1 and prints a unified diff if the shapes of a model have changed; ids, offsets, lines and
    /// generated names do not count. With `OVLINT_UPDATE=1` in the environment, `check` does what `update` does. Files that
    /// the configuration excludes from folders are skipped.
    Snapshot(snapshot::SnapshotArgs),
    /// Compare two models.
    ///
    /// Layers are matched by name, then by content and connections, regardless of ids, offsets, line numbers and
    /// generated names. Changes that only follow from another change are counted, not listed. When folders are
    /// compared, a model that exists only in the old one is matched with a model of the same structure that exists only
    /// in the new one, as if it had been renamed. Files that the configuration
    /// excludes in one folder are excluded in the other as well. The exit code is 1 if anything differs, and 2 if
    /// constants cannot be compared because weights are missing.
    Diff(diff::DiffArgs),
    /// Evaluate splits and other operations that only move data.
    ///
    /// These operations are evaluated on constants and on the given inputs, to show where each element goes. Give dynamic inputs a shape with
    /// `--shape`.
    Run(run::RunArgs),
    /// Reduce a model to the smallest one that still shows a fault.
    ///
    /// The fault is the worst finding of `ovlint check`, a finding that you choose (`--rule`, `--layer`), or anything
    /// that a command detects (`--run`). The remaining layers are unchanged, byte for byte. Where a removed layer fed a
    /// remaining one, an input of the inferred type and shape takes its place, or a constant if the value is known;
    /// large constants become inputs as well.
    Reduce(reduce::ReduceArgs),
    /// Change the input shapes of a model by editing its XML.
    ///
    /// Only the shapes of the inputs and the shapes that ports declare change; everything else stays the same, byte
    /// for byte. `--shape` uses the syntax of `benchmark_app`; `--set` sets dimensions by name. ovlint infers the
    /// shapes of the new text before it writes it. If OpenVINO would reject the shapes, ovlint names the layers that
    /// fail and exits with 1. With `--diff`, the exit code is also 1 if anything changes.
    Reshape(reshape::ReshapeArgs),
    /// Write part of a model, or the whole model with additional outputs.
    ///
    /// `--around` keeps a layer and its neighbours, `--from` and `--to` keep what lies between tensors, and
    /// `--add-output` keeps everything. The remaining layers are unchanged, byte for byte. Tensors at the cut become
    /// inputs of the inferred type and shape, or constants if their values are known. ovlint checks the new text before it writes it.
    Extract(extract::ExtractArgs),
    /// Explain a rule, an operation or a message of OpenVINO, or list the rules.
    ///
    /// Paste all or part of the error message that OpenVINO gives for a file to see which rules find the cause, the
    /// likeliest first. If you also name the model, ovlint checks it and shows the finding that fits the message best;
    /// the exit code is 1 if there is one. The page of a rule explains what the rule means, what OpenVINO does with
    /// such a file, and how to fix the file. The table of all
    /// rules or of a group shows severity, group and summary; JSON adds what OpenVINO does and the kind of fix.
    ///
    /// The page of an operation shows inputs, attributes, outputs, an example, and the releases and devices that have it.
    Explain(explain::ExplainArgs),
    /// Write a commented ovlint.toml.
    ///
    /// It shows the most important settings. An existing file is not overwritten.
    Init(init::InitArgs),
    /// Print a JSON schema, the operations as JSON, shell completions or a manual page.
    #[command(subcommand)]
    Generate(Generate),
}

// Files for other programs.
#[derive(Subcommand)]
enum Generate {
    /// Print the JSON schema of the configuration or of an output.
    ///
    /// Within a `schema_version`, fields may be added, but never removed or redefined.
    Schema(schema::SchemaArgs),
    /// Print the operations of opset1 to opset17 as JSON.
    Operations,
    /// Print shell completions.
    ///
    /// Save them where the shell looks for them, such as `~/.local/share/bash-completion/completions/ovlint`.
    Completions(completions::CompletionsArgs),
    /// Print a manual page.
    ///
    /// `ovlint generate man why | man -l -` shows the page of `ovlint why`.
    Man(completions::ManArgs),
}

// The flags for reading models, the same for every command.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArgs {
    /// Weights to read: `auto` for the .bin beside the .xml, `skip` for none, or a file or URL
    #[arg(long, value_name = "auto|skip|FILE", default_value = AUTO)]
    weights: PathBuf,
    /// Infer the outputs of extension operations by the rules in this file
    #[arg(long, value_name = "FILE.toml")]
    extension_ops: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// The value of `--weights` for the file beside the model.
const AUTO: &str = "auto";

impl Default for ModelArgs {
    fn default() -> Self {
        Self { weights: AUTO.into(), extension_ops: None, limits: LimitArgs::default() }
    }
}

impl ModelArgs {
    fn skips_weights(&self) -> bool {
        WeightsOption::written(&self.weights) == WeightsOption::Skip
    }

    /// Converts the flags to options of the library; an error if a file that they name cannot be read.
    pub(crate) fn options(&self) -> Result<Options, String> {
        let weights = WeightsOption::written(&self.weights);
        let stated = self.extension_ops.as_deref().map(ExtensionOps::read).transpose();
        let extension_ops = stated.map_err(|error| error.to_string())?;
        Ok(Options { weights, limits: self.limits.limits(), extension_ops, ..Options::default() })
    }
}

/// Runs the command line and returns the exit code.
pub(crate) fn main() -> u8 {
    let command = match parse::command() {
        Ok(command) => command,
        Err(code) => return code,
    };
    panics::keep_quiet();
    let code = panics::contained(|| run(command)).unwrap_or_else(|failure| Err(failed(&failure)));
    let code = code.unwrap_or_else(|why| {
        complain(&why);
        exit::BROKEN
    });
    if IS_STDOUT_BROKEN.load(Ordering::Relaxed) { exit::BROKEN } else { code }
}

/// The exit code of a command, or the reason why it cannot run.
pub(crate) type Run = Result<u8, String>;

fn run(command: Command) -> Run {
    match command {
        Command::Check(args) => check::run(&args),
        Command::Shapes(args) => shapes::run(&args),
        Command::Inputs(args) => inputs::run(&args),
        Command::Cost(args) => cost::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Why(args) => why::run(&args),
        Command::Snapshot(args) => snapshot::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Reduce(args) => reduce::run(&args),
        Command::Reshape(args) => reshape::run(&args),
        Command::Extract(args) => extract::run(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Init(args) => init::run(&args),
        Command::Generate(Generate::Schema(args)) => Ok(schema::run(&args)),
        Command::Generate(Generate::Operations) => schema::operations(),
        Command::Generate(Generate::Completions(args)) => Ok(completions::completions(&args)),
        Command::Generate(Generate::Man(args)) => completions::man(&args),
    }
}

/// Set after a failed write to stdout.
static IS_STDOUT_BROKEN: AtomicBool = AtomicBool::new(false);

/// Writes to stdout. If the reader is gone, output ends silently; any other failure makes the run fail.
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

/// Writes the whole answer of a command to stdout, and returns the exit code.
pub(crate) fn answer(text: &str) -> u8 {
    print(text);
    exit::CLEAN
}

/// Writes a message to stderr as one line, escaped because it may quote names from files. Nothing else may write to stderr.
pub(crate) fn complain(message: &str) {
    let _ = writeln!(anstream::stderr().lock(), "ovlint: {}", plain_text(message));
}

/// Formats a path, escaped so that it is safe to print.
pub(crate) fn shown(path: &Path) -> String {
    plain_text(&path.display().to_string())
}
