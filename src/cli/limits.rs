//! How much one file may cost.

use clap::Args;
use ovlint::internal::Limits;

// The most that one file may hold; anything beyond is a finding.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits of one file")]
pub(crate) struct LimitArgs {
    /// Bytes of an XML file
    #[arg(long, value_name = "N", default_value_t = Self::default().max_xml_size, hide_short_help = true)]
    max_xml_size: u64,
    /// Layers of a file
    #[arg(long, value_name = "N", default_value_t = Self::default().max_layers, hide_short_help = true)]
    max_layers: usize,
    /// Levels of nested XML elements
    #[arg(long, value_name = "N", default_value_t = Self::default().max_depth, hide_short_help = true)]
    max_depth: usize,
    /// Levels of bodies inside bodies
    #[arg(long, value_name = "N", default_value_t = Self::default().max_bodies, hide_short_help = true)]
    max_bodies: usize,
    /// Layers inferred inside bodies, counted each time
    #[arg(long, value_name = "N", default_value_t = Self::default().max_body_layers, hide_short_help = true)]
    max_body_layers: usize,
    /// Ports on one side of a layer
    #[arg(long, value_name = "N", default_value_t = Self::default().max_ports, hide_short_help = true)]
    max_ports: usize,
    /// Outputs that an attribute or a list of lengths can give one layer
    #[arg(long, value_name = "N", default_value_t = Self::default().max_outputs, hide_short_help = true)]
    max_outputs: usize,
    /// Dimensions of one shape
    #[arg(long, value_name = "N", default_value_t = Self::default().max_rank, hide_short_help = true)]
    max_rank: usize,
    /// Elements of a value that inference computes
    #[arg(long, value_name = "N", default_value_t = Self::default().max_value_elements, hide_short_help = true)]
    max_value_elements: usize,
    /// Dimensions and elements that inference stores for a file
    #[arg(long, value_name = "N", default_value_t = Self::default().max_inferred, hide_short_help = true)]
    max_inferred: usize,
    /// Elements that inference processes for a file
    #[arg(long, value_name = "N", default_value_t = Self::default().max_work, hide_short_help = true)]
    max_work: usize,
    /// Bytes of memory for the findings of a file
    #[arg(long, value_name = "N", default_value_t = Self::default().max_findings_size, hide_short_help = true)]
    max_findings_size: usize,
    /// Bytes of memory for the tensors of a run
    #[arg(long, value_name = "N", default_value_t = Self::default().max_tensors_size, hide_short_help = true)]
    max_tensors_size: u64,
}

impl Default for LimitArgs {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            max_xml_size: limits.xml_size,
            max_layers: limits.layers,
            max_depth: limits.depth,
            max_bodies: limits.bodies,
            max_body_layers: limits.body_layers,
            max_ports: limits.ports,
            max_outputs: limits.outputs,
            max_rank: limits.rank,
            max_value_elements: limits.value_elements,
            max_inferred: limits.inferred,
            max_work: limits.work,
            max_findings_size: limits.findings,
            max_tensors_size: limits.tensors,
        }
    }
}

impl LimitArgs {
    /// The limits of the library.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.xml_size = self.max_xml_size;
        limits.layers = self.max_layers;
        limits.depth = self.max_depth;
        limits.bodies = self.max_bodies;
        limits.body_layers = self.max_body_layers;
        limits.ports = self.max_ports;
        limits.outputs = self.max_outputs;
        limits.rank = self.max_rank;
        limits.value_elements = self.max_value_elements;
        limits.inferred = self.max_inferred;
        limits.work = self.max_work;
        limits.findings = self.max_findings_size;
        limits.tensors = self.max_tensors_size;
        limits
    }
}
