//! The first release of OpenVINO that does not accept what a finding is about: with older targets, its verdict is that
//! OpenVINO reads the file.

use super::{Diagnostic, Runtime};
use crate::types::{Release, Targets};

/// The release that brought a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Since {
    /// The release.
    pub release: Release,
    /// Its reaction, once the finding has that of the targets.
    pub runtime: Option<Runtime>,
}

impl Diagnostic {
    /// Sets the first release that does not accept the file.
    pub(crate) fn since(mut self, release: Release) -> Self {
        self.since = Some(Since { release, runtime: None });
        self
    }

    /// The reaction of a release.
    pub fn runtime_of(&self, release: Release) -> Runtime {
        match self.since {
            Some(since) if release < since.release => Runtime::Accepts,
            Some(Since { runtime: Some(runtime), .. }) => runtime,
            _ => self.runtime,
        }
    }

    /// Sets the reaction to that of the newest target.
    pub(crate) fn meet(&mut self, targets: Targets) {
        if let Some(since) = &mut self.since {
            since.runtime = Some(self.runtime);
            if targets.newest() < since.release {
                self.runtime = Runtime::Accepts;
            }
        }
    }
}
