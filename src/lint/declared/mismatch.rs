//! Ports that declare what they are not, as many as there are: one wrong input may make liars of them all, and then all
//! but the first are told by their number.

use crate::diagnostic::{Diagnostic, Direction, Severity, Sink};

/// A port that declares something else than what is known of it.
pub(super) struct Mismatch {
    /// The place of the layer.
    pub layer: u32,
    /// Its side.
    pub direction: Direction,
    /// Its position.
    pub port: usize,
    pub severity: Severity,
    /// The place of the mismatch that it follows from.
    pub cause: Option<usize>,
    /// The place of the finding about a fault that OpenVINO does not mind, if it follows from that.
    pub passed: Option<usize>,
    /// How many follow from it.
    pub consequences: usize,
    /// What there is to say; `None` once there was much to say of others.
    pub finding: Option<Box<Diagnostic>>,
}

impl Mismatch {
    /// A mismatch with all that there is to say.
    pub(super) fn of(layer: u32, finding: Diagnostic) -> Self {
        let (direction, port) =
            finding.port.as_ref().map_or((Direction::Output, 0), |port| (port.direction, port.index));
        let severity = finding.severity;
        Self {
            layer,
            direction,
            port,
            severity,
            cause: None,
            passed: None,
            consequences: 0,
            finding: Some(Box::new(finding)),
        }
    }
}

/// The mismatches of a graph.
pub(super) struct Mismatches {
    pub all: Vec<Mismatch>,
    /// Bytes that may still be said.
    left: usize,
}

impl Mismatches {
    pub(super) fn new(sink: &Sink) -> Self {
        Self { all: Vec::new(), left: sink.room_for_consequences() }
    }

    /// Whether there is room to say more.
    pub(super) fn has_room(&self) -> bool {
        self.left > 0
    }

    /// Takes a mismatch of a layer with all that there is to say.
    pub(super) fn take(&mut self, layer: u32, finding: Diagnostic) {
        self.left = self.left.saturating_sub(finding.size());
        self.all.push(Mismatch::of(layer, finding));
    }

    /// Takes a mismatch of a port that may be told by number only.
    pub(super) fn count(&mut self, layer: u32, direction: Direction, port: usize, severity: Severity) {
        let (cause, passed, consequences, finding) = (None, None, 0, None);
        self.all.push(Mismatch { layer, direction, port, severity, cause, passed, consequences, finding });
    }
}
