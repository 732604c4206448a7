//! The layers and outputs that names and globs in the arguments of `ovlint extract` stand for.

use super::original::Original;
use crate::ir::lookup::{self, Wanted};
use crate::ir::{LayerId, OutputRef, Role, name_list};
use crate::policy::NameGlob;

impl Original<'_> {
    /// Returns the outputs that a name stands for, or all that a glob matches: by the name of the layer, that name with the
    /// number of the output, or the name of the tensor.
    pub(crate) fn outputs(&self, name: &str) -> Result<Vec<OutputRef>, String> {
        match lookup::find(self.graph, self.source, name, Wanted::Tensor) {
            Ok(named) if named.path.is_empty() => Ok(vec![OutputRef { layer: named.index, output: named.output }]),
            Ok(_) => Err(format!("`{name}` is in a body, and bodies are kept whole")),
            Err(_) if name.contains(['*', '?', '[', '{']) => self.matching(name),
            Err(error) => Err(error),
        }
    }

    /// Returns the layers that a name or a glob stands for.
    pub(crate) fn layers(&self, name: &str) -> Result<Vec<LayerId>, String> {
        match lookup::find(self.graph, self.source, name, Wanted::Layer) {
            Ok(named) if named.path.is_empty() => Ok(vec![named.index]),
            Ok(_) => Err(format!("`{name}` is in a body, and bodies are kept whole")),
            Err(_) if name.contains(['*', '?', '[', '{']) => {
                let mut layers: Vec<LayerId> = self.matching(name)?.into_iter().map(|output| output.layer).collect();
                layers.dedup();
                Ok(layers)
            }
            Err(error) => Err(error),
        }
    }

    fn matching(&self, pattern: &str) -> Result<Vec<OutputRef>, String> {
        let glob = NameGlob::new(pattern)?;
        let mut found = Vec::new();
        for (layer, one) in self.graph.entries() {
            if matches!(self.role(layer), Role::Const | Role::Result) {
                continue;
            }
            let name = self.graph.full_name(self.source, one);
            for (output, port) in (0..).zip(self.graph.outputs(one)) {
                let has_name = || name_list(self.source, port.tag, "names").iter().any(|name| glob.admits(name));
                if glob.admits(&name) || glob.admits(&format!("{name}:{output}")) || has_name() {
                    found.push(OutputRef { layer, output });
                }
            }
        }
        if found.is_empty() { Err(format!("no layer or tensor matches `{pattern}`")) } else { Ok(found) }
    }
}
