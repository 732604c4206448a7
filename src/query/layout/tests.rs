use super::*;
use proptest::prelude::*;

const BOX: Size = Size { width: 100, height: 40, above: 0, below: 12, follows: false, end: None };

fn overlaps(a: (&Place, &Size), b: (&Place, &Size)) -> bool {
    let beside = a.0.x + a.1.width <= b.0.x || b.0.x + b.1.width <= a.0.x;
    let apart = a.0.y + a.1.height + a.1.below <= b.0.y - b.1.above;
    let above = b.0.y + b.1.height + b.1.below <= a.0.y - a.1.above;
    !beside && !apart && !above
}

#[test]
fn a_chain_is_straight() {
    let found = layout(&[BOX; 4], &[(0, 1), (1, 2), (2, 3)]);
    assert!(found.places.iter().all(|place| place.x == 0));
    assert_eq!((found.width, found.height), (100, 4 * 52 + 3 * BETWEEN));
}

#[test]
fn two_arms_stand_side_by_side_below_the_middle_of_their_source() {
    let found = layout(&[BOX; 4], &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    let x: Vec<i32> = found.places.iter().map(|place| place.x).collect();
    assert_eq!(x, [62, 0, 124, 62]);
    assert_eq!(found.places[1].y, found.places[2].y);
}

#[test]
fn inputs_are_the_first_rows_and_outputs_the_last() {
    let top = Size { end: Some(End::Top), ..BOX };
    let bottom = Size { end: Some(End::Bottom), ..BOX };
    let found = layout(&[top, bottom, BOX, BOX, top, bottom], &[(0, 1), (0, 2), (2, 3), (4, 3), (3, 5)]);
    let y = |at: usize| found.places[at].y;
    assert!(y(0) == y(4) && y(4) < y(2) && y(2) < y(3) && y(3) < y(1) && y(1) == y(5));
}

#[test]
fn weights_stand_right_above_what_takes_them() {
    let found = layout(&[BOX; 5], &[(0, 2), (2, 3), (3, 4), (1, 4)]);
    assert_eq!(found.places[1].y, found.places[3].y);
}

#[test]
fn weights_do_not_push_a_chain_aside() {
    let weights = Size { follows: true, ..BOX };
    let found = layout(&[BOX, BOX, weights, BOX, weights, BOX, BOX], &[(0, 1), (1, 3), (2, 3), (3, 5), (4, 5), (5, 6)]);
    let x: Vec<i32> = [0, 1, 3, 5, 6].map(|at| found.places[at].x).into();
    assert!(x.iter().all(|one| (one - x[0]).abs() < 20), "{x:?}");
}

#[test]
fn a_link_around_a_box_does_not_cross_it() {
    let found = layout(&[BOX; 3], &[(0, 1), (1, 2), (0, 2)]);
    let route = found.routes[2].as_ref().unwrap();
    assert_eq!(route.len(), 4);
    let (left, right) = (found.places[1].x, found.places[1].x + BOX.width);
    assert!(route[1].x < left || route[1].x > right, "{route:?} passes {left}..{right}");
}

#[test]
fn links_up_and_far_down_jump() {
    let chain: Vec<(usize, usize)> = (0..20).map(|at| (at, at + 1)).collect();
    let links = [chain, vec![(0, 20), (20, 0), (0, 10)]].concat();
    let found = layout(&[BOX; 21], &links);
    let jumps: Vec<usize> = (0..links.len()).filter(|at| found.routes[*at].is_none()).collect();
    assert_eq!(jumps, [20, 21]);
}

#[test]
fn boxes_without_links_form_a_grid() {
    let found = layout(&[BOX; 200], &[]);
    assert!(found.width < 1000, "{}", found.width);
}

#[test]
fn nothing_is_no_layout() {
    assert_eq!(layout(&[], &[]), Layout { places: vec![], routes: vec![], width: 0, height: 0 });
}

/// Boxes of some sizes, and links between them in any direction.
fn drawings() -> impl Strategy<Value = (Vec<Size>, Vec<(usize, usize)>)> {
    let size = (1..200_i32, 1..200_i32, 0..30_i32, 0..30_i32, any::<bool>());
    let size = size.prop_map(|(width, height, above, below, follows)| Size {
        width,
        height,
        above,
        below,
        follows,
        end: None,
    });
    proptest::collection::vec(size, 1..60).prop_flat_map(|boxes| {
        let count = boxes.len();
        (Just(boxes), proptest::collection::vec((0..count, 0..count), 0..150))
    })
}

proptest! {
    #[test]
    fn boxes_stand_apart_within_the_size_and_links_lead_down((boxes, links) in drawings()) {
        let found = layout(&boxes, &links);
        prop_assert_eq!(found.places.len(), boxes.len());
        prop_assert_eq!(found.routes.len(), links.len());
        for (at, one) in found.places.iter().zip(&boxes).enumerate() {
            prop_assert!(one.0.x >= 0 && one.0.x + one.1.width <= found.width + 1);
            prop_assert!(one.0.y >= one.1.above && one.0.y + one.1.height + one.1.below <= found.height);
            for other in found.places.iter().zip(&boxes).skip(at + 1) {
                prop_assert!(!overlaps(one, other), "{one:?} {other:?}");
            }
        }
        for ((from, to), route) in links.iter().zip(&found.routes) {
            if let Some(route) = route {
                prop_assert!(found.places[*from].y < found.places[*to].y);
                prop_assert!(route.is_sorted_by_key(|point| point.y));
                prop_assert_eq!(route.len() % 2, 0);
                prop_assert!(route.len() <= 2 * (PASSED + 1));
            } else if from < to {
                let rows = rows(&boxes, &links);
                prop_assert!(rows[*to] - rows[*from] > PASSED + 1);
            }
        }
        prop_assert_eq!(layout(&boxes, &links), found);
    }
}
