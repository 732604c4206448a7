use super::*;
use proptest::prelude::*;

fn named(names: impl IntoIterator<Item = String>) -> Vec<Group> {
    let names: Vec<String> = names.into_iter().collect();
    groups(&names, &vec![None; names.len()])
}

/// Checks that every box occurs once, that parents come before their children, and that no group is empty or too large.
fn hold(found: &[Group], count: usize) {
    let mut boxes = Vec::new();
    for (at, group) in found.iter().enumerate() {
        assert!(group.items.len() <= MOST, "{group:?}");
        assert!(!group.items.is_empty() || at == 0, "{group:?}");
        assert!(group.parent.map_or(at == 0, |parent| parent < at));
        for item in &group.items {
            match item {
                Item::Box(one) => boxes.push(*one),
                Item::Group(inner) => assert_eq!(found[*inner].parent, Some(at)),
            }
        }
    }
    boxes.sort_unstable();
    assert!(boxes.into_iter().eq(0..count));
    assert_eq!(found[0].size, count);
}

#[test]
fn inputs_and_outputs_stay_outside() {
    let names: Vec<String> = (0..200).map(|at| format!("model/layer_{}/part_{at}", at / 20)).collect();
    let end = |at| [(0, End::Top), (90, End::Bottom)].into_iter().find(|(own, _)| *own == at).map(|(_, end)| end);
    let found = groups(&names, &(0..200).map(end).collect::<Vec<_>>());
    hold(&found, 200);
    assert_eq!((found[0].items.first(), found[0].items.last()), (Some(&Item::Box(0)), Some(&Item::Box(90))));
    let found = groups(&names, &[vec![Some(End::Top); 100], vec![Some(End::Bottom); 100]].concat());
    hold(&found, 200);
    assert_eq!(found[0].items, [Item::Group(1), Item::Group(2)]);
}

#[test]
fn a_small_graph_has_no_groups() {
    let found = named((0..MOST).map(|at| format!("a/b.c/{at}")));
    assert_eq!(found.len(), 1);
    hold(&found, MOST);
}

#[test]
fn layers_of_a_network_are_groups_by_the_levels_of_their_names() {
    let found = named((0..200).map(|at| format!("model.layers.{}/op_{at}", at / 20)));
    assert_eq!(found.len(), 11);
    assert_eq!(found[1].path, "model.layers.0");
    assert!(found[1..].iter().all(|group| group.parent == Some(0) && group.size == 20));
    hold(&found, 200);
}

#[test]
fn a_name_without_levels_belongs_where_its_neighbours_do() {
    let name = |at: usize| if at == 35 { "Gather_7".to_owned() } else { format!("net.{}/x{at}", at / 20) };
    let found = named((0..200).map(name));
    assert!(found[2].items.contains(&Item::Box(35)), "{found:#?}");
}

#[test]
fn what_follows_each_other_without_a_name_is_cut_into_runs() {
    let found = named((0..100_000).map(|at| format!("Relu_{at}")));
    hold(&found, 100_000);
    assert_eq!(found[1].run.map(|ends| ends.0), Some(0));
    let of = |item: &Item| match item {
        Item::Group(at) => found[*at].size,
        Item::Box(_) => 1,
    };
    assert_eq!(found[0].items.iter().map(of).sum::<usize>(), 100_000);
}

#[test]
fn a_group_of_too_many_groups_is_cut_into_runs_as_well() {
    let found = named((0..10_000).map(|at| format!("net.{}/x{at}", at / 10)));
    hold(&found, 10_000);
    assert!(found.iter().any(|group| group.path == "net.999" && group.parent != Some(0)));
}

#[test]
fn a_run_of_boxes_between_many_groups_is_a_group() {
    let name = |at: usize| if at < 70 * 5 { format!("net.{}/x{at}", at / 5) } else { format!("Assign_{at}") };
    let found = named((0..450).map(name));
    hold(&found, 450);
    assert_eq!(found[0].items, [Item::Group(1), Item::Group(2)]);
    assert_eq!((found[2].run, found[2].size), (Some((350, 449)), 100));
}

#[test]
fn names_of_nothing_but_separators_are_no_levels() {
    hold(&named((0..200).map(|at| "/".repeat(at % 5) + "...")), 200);
    hold(&named((0..200).map(|at| format!("{}/{at}", "a.".repeat(5000)))), 200);
    hold(&named(std::iter::empty()), 0);
}

proptest! {
    #[test]
    fn every_box_is_in_one_group(names in proptest::collection::vec("[ab/.]{0,8}", 0..400)) {
        hold(&named(names.clone()), names.len());
        prop_assert_eq!(named(names.clone()), named(names));
    }
}
