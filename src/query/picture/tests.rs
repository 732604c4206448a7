use super::*;
use crate::analysis::{Model, Options};
use crate::query::groups::MOST;
use std::collections::BTreeSet;
use std::path::Path;

fn sample(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/models").join(name);
    Model::open(&path, &Options::default()).unwrap()
}

fn picture(model: &Model) -> Picture {
    Picture::of(&model.net().unwrap().graph, model.facts().unwrap(), model.source())
}

#[test]
fn every_layer_has_a_box_or_is_a_constant_that_a_box_shows() {
    for name in ["detector.xml", "attention.xml", "control_flow.xml", "feature_pyramid.xml", "kv_cache.xml"] {
        let model = sample(name);
        let graph = &model.net().unwrap().graph;
        let found = picture(&model);
        let boxes: BTreeSet<LayerId> = found.layers.iter().copied().collect();
        assert_eq!(boxes.len(), found.layers.len());
        let takes = |id: LayerId| {
            let ports = found.layers.iter().flat_map(|to| graph.inputs(graph.layer(*to).unwrap()));
            ports.filter_map(Port::source).any(|from| from.layer == id)
        };
        for (id, _) in graph.entries() {
            assert!(boxes.contains(&id) || role(graph, id) == Some(Role::Const) && takes(id), "{name} {id}");
        }
        for (group, drawn) in found.groups.iter().zip(&found.drawn) {
            assert_eq!(drawn.items.len(), group.items.len());
            assert!(drawn.items.len() <= MOST);
            assert_eq!(drawn.layout.places.len(), drawn.items.len());
        }
    }
}

#[test]
fn a_link_is_drawn_in_the_group_around_both_ends_and_named_in_those_within() {
    let model = sample("detector.xml");
    let graph = &model.net().unwrap().graph;
    let layers = picture(&model).layers;
    // The first half of the boxes in a group of their own.
    let half = layers.len() / 2;
    let inner = Group { parent: Some(0), size: half, items: (0..half).map(Item::Box).collect(), ..Group::default() };
    let items = [Item::Group(1)].into_iter().chain((half..layers.len()).map(Item::Box)).collect();
    let outer = Group { size: layers.len(), items, ..Group::default() };
    let found = Picture::grouped(graph, model.facts().unwrap(), layers, vec![outer, inner]);
    let crossing: usize = found.drawn[1].leave.iter().map(|(.., count)| count).sum();
    let group = found.drawn[0].items.iter().position(|item| *item == Item::Group(1)).unwrap();
    let links = found.drawn[0].links.iter().filter(|link| link.from == group);
    assert!(crossing > 0);
    assert_eq!(links.map(|link| link.count).sum::<usize>(), crossing);
    assert!(found.drawn[0].enter.is_empty() && found.drawn[0].leave.is_empty());
}

#[test]
fn links_lead_on_and_a_circle_is_broken_at_its_first_box() {
    let link = |from, to| Link { from, to, tensor: OutputRef { layer: LayerId::new(0), output: 0 }, count: 1 };
    assert_eq!(sorted(&[3, 1, 2], &[link(0, 1), link(1, 2)]), [0, 1, 2]);
    assert_eq!(sorted(&[3, 1, 2], &[link(0, 1), link(1, 0), link(1, 2)]), [1, 2, 0]);
}
