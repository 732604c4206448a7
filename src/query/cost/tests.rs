use super::{Cost, Most, Sizes};
use crate::analysis::{Model, Options};
use crate::types::symbol::{Length, Symbol};

fn model(name: &str, shapes: &str) -> Model {
    let shapes = if shapes.is_empty() { crate::analysis::InputShapes::default() } else { shapes.parse().unwrap() };
    let options = Options { symbolic: true, shapes, ..Options::default() };
    Model::open(format!("ir-samples/models/{name}.xml").as_ref(), &options).unwrap()
}

/// Evaluates the cost of a model for dimensions: MACs, peak memory, the largest tensor; `None` for what is unknown.
fn numbers(cost: &Cost, length: &dyn Fn(Length) -> Option<i64>) -> [Option<u128>; 3] {
    let value = |symbol: Symbol| u128::try_from(cost.inputs.domain.expressions.evaluate(symbol, length)?).ok();
    let most = |most: &Most| match most {
        Most::Of { sums, .. } => sums.iter().filter_map(|sum| sum.evaluate(&value)).max(),
        Most::None | Most::Many => None,
    };
    [cost.macs.total.sum.evaluate(&value), most(&cost.tensors.peak), most(&cost.tensors.largest)]
}

/// Compares the cost as a function of dimensions with that of the same model with these dimensions fixed.
fn assert_equal_at_draws(name: &str, shapes: &dyn Fn(&[i64]) -> String, lengths: &dyn Fn(usize) -> Vec<i64>) {
    let open = model(name, "");
    let symbolic = Cost::for_programs(&open, &Sizes::default()).unwrap();
    for draw in 0..100 {
        let lengths = lengths(draw);
        let shapes = shapes(&lengths);
        let fixed = model(name, &shapes);
        let fixed = Cost::for_programs(&fixed, &Sizes::default()).unwrap();
        let places: Vec<Length> = symbolic.inputs.names.lengths().collect();
        let length = |one: Length| lengths.get(places.iter().position(|place| *place == one)?).copied();
        let known = numbers(&fixed, &|_| None);
        assert!(known.iter().all(Option::is_some), "{shapes}");
        assert_eq!(numbers(&symbolic, &length), known, "{name} with {shapes}");
    }
}

#[test]
fn functions_of_lengths_agree_with_known_lengths() {
    let draw = |draw: usize, step: usize, most: usize| i64::try_from(draw * step % most + 1).unwrap();
    assert_equal_at_draws("feature_pyramid", &|l| format!("images[{},3,{},{}]", l[0], l[1], l[2]), &|n| {
        vec![draw(n, 3, 5), 32 * draw(n, 7, 11), 32 * draw(n, 5, 13)]
    });
    assert_equal_at_draws("detector", &|l| format!("images[{},3,32,32]", l[0]), &|n| vec![draw(n, 1, 100)]);
}
