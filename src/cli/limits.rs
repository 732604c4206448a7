//! The flags for the limits of one file.

use clap::Args;
use ovlint::internal::Limits;

macro_rules! limits {
    ($($(#[$doc:meta])* $flag:ident: $number:ty => $limit:ident,)*) => {
        // The limits for one file; exceeding most of them is a finding.
        #[derive(Args, Clone, Debug)]
        #[command(next_help_heading = "Limits of one file")]
        pub(crate) struct LimitArgs {
            $(
                $(#[$doc])*
                #[arg(long, value_name = "N", default_value_t = Self::default().$flag, hide_short_help = true)]
                $flag: $number,
            )*
        }

        impl Default for LimitArgs {
            fn default() -> Self {
                let limits = Limits::default();
                Self { $($flag: limits.$limit,)* }
            }
        }

        impl LimitArgs {
            pub(crate) fn limits(&self) -> Limits {
                let mut limits = Limits::default();
                $(limits.$limit = self.$flag;)*
                limits
            }
        }
    };
}

// A flag for each limit of the library.
limits! {
    /// Bytes of an XML file
    max_xml_size: u64 => xml_size,
    /// Layers of a file
    max_layers: usize => layers,
    /// Levels of nested XML elements
    max_depth: usize => depth,
    /// Levels of bodies inside bodies
    max_bodies: usize => bodies,
    /// Layers inferred inside bodies; a body counts again each time it is inferred
    max_body_layers: usize => body_layers,
    /// Ports on one side of a layer
    max_ports: usize => ports,
    /// Outputs that one layer can have because of an attribute or a list of split lengths
    max_outputs: usize => outputs,
    /// Dimensions of one shape
    max_rank: usize => rank,
    /// Elements of a value that inference computes
    max_value_elements: usize => value_elements,
    /// Dimensions and elements that inference stores for a file
    max_inferred: usize => inferred,
    /// Elements that inference processes for a file
    max_work: usize => work,
    /// Bytes of memory for the findings of a file
    max_findings_size: usize => findings,
    /// Bytes of memory for the tensors of a run
    max_tensors_size: u64 => tensors,
    /// Bytes to fetch from a server for one model or one list of files
    max_fetched: u64 => fetched,
    /// Seconds to wait for a server that sends nothing
    timeout: u64 => silence,
}
