//! Why tensors have their shapes. The input is the XML, a NUL, and the weights.

use ovlint::internal::ir::Graph;
use ovlint::internal::query::names::{Place, Tensor, Wanted};
use ovlint::internal::report::document::about;
use ovlint::internal::report::views::why::{Page, text};
use std::path::Path;

/// Layers that are asked about; each may be inferred again many times.
const ASKED: usize = 6;

/// One input.
pub fn run(data: &[u8]) {
    let (xml, weights) = super::parts(data);
    let model = super::model(xml, weights, &super::options());
    let Some(net) = model.net() else { return };
    let path = Path::new("fuzz.xml");
    for name in names(&net.graph, &|graph, layer| graph.full_name(model.source(), layer).into_owned(), "") {
        for wanted in [Wanted::Layer, Wanted::Constant, Wanted::Input] {
            let _ = Place::find(&model, &name, wanted);
        }
        for name in [name.clone(), format!("{name}:1"), format!("{name}x")] {
            let Ok(tensor) = Tensor::find(&model, &name) else { continue };
            let Some(why) = ovlint::internal::why(&model, &tensor, 4) else { continue };
            let page = Page { model: path, weights: None, width: 80, whole: Some(&why) };
            let shown = text(&why, &page);
            assert!(shown.chars().all(|c| c == '\n' || !c.is_control()), "a terminal obeys {shown:?}");
            assert!(about(path, &why).is_ok());
        }
    }
}

/// The names of the last layers and of those in their bodies.
fn names(graph: &Graph, name: &dyn Fn(&Graph, &ovlint::internal::ir::Layer) -> String, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for layer in graph.layers.iter().rev().take(ASKED) {
        let own = format!("{prefix}{}", name(graph, layer));
        for body in layer.subgraph.iter().flat_map(|subgraph| &subgraph.bodies) {
            found.extend(names(&body.graph, name, &format!("{own}/{}/", body.kind.name())).into_iter().take(2));
        }
        found.push(own);
    }
    found
}
