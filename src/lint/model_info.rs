//! Checks of the `<model_info>` in the `<rt_info>` of a model, from which Model API configures its wrappers: numbers that
//! cannot be read, and labels for another number of classes.

use super::Checked;
use super::heads::{length, yolo_classes};
use super::settings::Section;
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink};
use crate::ir::{Layer, Net, Role};
use crate::text::counted;

pub(crate) static MODEL_INFO: Rule = Rule::error(
    Group::File,
    "model-info",
    "Model API cannot use an entry of `<model_info>`, or it does not fit the model",
    "Model API reads the `<model_info>` in the `<rt_info>` of a model: the type of the model, its labels, thresholds and \
     preprocessing. If the wrapper of that type takes a number and the entry is none, Model API does not load the model. If \
     there are more or fewer `labels` than classes, results have wrong labels or none. Model API adds the label `other` to a \
     classifier that lacks one.\n\n\
     Correct the entry, or export the model again.",
)
.accepted(Severity::Warning);

/// The wrappers of Model API, by what they read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wrapper {
    Classifier,
    Yolo,
    Detector,
    Segmenter,
    Anomaly,
    /// Any other wrapper of a model of pictures.
    Picture,
}

/// The wrappers by the texts of `model_type`, in lower case.
const WRAPPERS: [(&str, Wrapper); 16] = [
    ("classification", Wrapper::Classifier),
    ("yolo", Wrapper::Yolo),
    ("yolov5", Wrapper::Yolo),
    ("yolov8", Wrapper::Yolo),
    ("yolo11", Wrapper::Yolo),
    ("ssd", Wrapper::Detector),
    ("yolov4", Wrapper::Detector),
    ("yolof", Wrapper::Detector),
    ("yolox", Wrapper::Detector),
    ("yolov3-onnx", Wrapper::Detector),
    ("maskrcnn", Wrapper::Detector),
    ("detrinstseg", Wrapper::Detector),
    ("yolo-seg", Wrapper::Detector),
    ("segmentation", Wrapper::Segmenter),
    ("anomalydetection", Wrapper::Anomaly),
    ("keypoint_detection", Wrapper::Picture),
];

/// The numbers that wrappers read, and whether they are whole.
const NUMBERS: [(&str, bool, &[Wrapper]); 14] = {
    use Wrapper::{Anomaly, Classifier, Detector, Picture, Segmenter, Yolo};
    const ALL: &[Wrapper] = &[Classifier, Yolo, Detector, Segmenter, Anomaly, Picture];
    const BOXES: &[Wrapper] = &[Yolo, Detector];
    [
        ("pad_value", true, ALL),
        ("orig_height", true, ALL),
        ("orig_width", true, ALL),
        ("intensity_max_value", false, ALL),
        ("confidence_threshold", false, &[Classifier, Yolo, Detector]),
        ("topk", true, &[Classifier]),
        ("iou_threshold", false, BOXES),
        ("nms_max_predictions", true, BOXES),
        ("blur_strength", true, &[Segmenter]),
        ("soft_threshold", false, &[Segmenter]),
        ("image_threshold", false, &[Anomaly]),
        ("pixel_threshold", false, &[Anomaly]),
        ("normalization_scale", false, &[Anomaly]),
        ("intensity_min_value", false, ALL),
    ]
};

/// Checks the entries by the type of the model.
pub(super) fn check(checked: &Checked, net: &Net, sink: &mut Sink) {
    let Some(section) = Section::read(net, checked.scope.source, &["model_info"]) else { return };
    let ty = section.value("model_type").unwrap_or_default().to_ascii_lowercase();
    let Some((_, wrapper)) = WRAPPERS.iter().find(|(name, _)| *name == ty) else { return };
    for (key, is_whole, readers) in NUMBERS {
        let Some(entry) = section.get(key).filter(|_| readers.contains(wrapper)) else { continue };
        let text = section.value(key).unwrap_or_default();
        if !is_number(text, is_whole) {
            let wanted = if is_whole { "a whole number" } else { "a number" };
            let message = format!("`{key}` is `{text}`, wanted {wanted}");
            sink.report(Diagnostic::new(&MODEL_INFO, entry.span(), message));
        }
    }
    let is_set = |key: &str| section.value(key).is_some_and(|value| !["", "None", "False", "NO"].contains(&value));
    let Some(entry) = section.get("labels").filter(|_| is_set("labels")) else { return };
    if is_set("path_to_labels") || is_set("hierarchical") {
        return;
    }
    let labels = section.value("labels").unwrap_or_default().split_whitespace().count();
    let Some(classes) = classes(checked, *wrapper).and_then(|classes| usize::try_from(classes).ok()) else { return };
    let may_lack_one = *wrapper == Wrapper::Classifier && labels + 1 == classes;
    if labels != classes && !may_lack_one {
        let message = format!("`labels` has {}, but the model has {classes} classes", counted(labels, "label"));
        sink.report(Diagnostic::new(&MODEL_INFO, entry.span(), message));
    }
}

/// Returns the number of classes that the graph shows; `None` if it does not.
fn classes(checked: &Checked, wrapper: Wrapper) -> Option<i64> {
    let (graph, facts) = (checked.scope.graph, checked.facts);
    let results = || graph.layers.iter().filter(|layer| graph.kind(layer).role == Role::Result);
    match wrapper {
        Wrapper::Yolo => results().find_map(|result| yolo_classes(graph, facts, result)),
        Wrapper::Classifier => {
            let only = |layer: &Layer| {
                let fact = facts.of_port(graph.inputs(layer).first()?)?;
                let is_vector = match fact.shape.rank()? {
                    2 => true,
                    4 => length(fact, 2) == Some(1) && length(fact, 3) == Some(1),
                    _ => false,
                };
                length(fact, 1).filter(|_| is_vector)
            };
            let mut results = results();
            let (first, more) = (results.next()?, results.next());
            if more.is_some() { None } else { only(first) }
        }
        _ => None,
    }
}

/// Whether Python reads a text as a number; an empty text and `None` leave the default.
fn is_number(text: &str, is_whole: bool) -> bool {
    let digits = text.replace('_', "");
    let is_read = if is_whole { digits.parse::<i64>().is_ok() } else { digits.parse::<f64>().is_ok() };
    is_read || ["", "None"].contains(&text)
}
