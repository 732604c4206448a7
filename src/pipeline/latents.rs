//! The checks of the latents of diffusion pipelines: their channels, and their size beside that of the picture.

use super::check::{Check, Place, called, elsewhere, with};
use super::companion::integer;
use super::demand::{Which, differ, dim, span};
use super::loader::Levels;
use super::rules::{PIPELINE_CONFIG, PIPELINE_LINK};
use crate::analysis::InputShapes;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Direction::Input;
use crate::diagnostic::Severity::{Error, Info, Off, Warning};
use crate::recipe::View;
use crate::source::Span;
use crate::types::{Dim, PartialShape, bare_fact};
use serde_json::Value;

pub(super) const UNET: &str = "unet/openvino_model";
pub(super) const DECODER: &str = "vae_decoder/openvino_model";

const ALL: Levels = Levels::all(Error);

/// The configuration of the decoder of latents.
const VAE: &str = "vae_decoder/config.json";

pub(super) fn check(check: &mut Check) {
    channels(check);
    sides(check);
    let lacks_scale = check.companion(VAE).is_some_and(|file| file.lacks("scaling_factor"));
    if lacks_scale {
        let message =
            "the file has no `scaling_factor`: latents are not scaled, and pictures look washed out".to_owned();
        let finding = Diagnostic::new(&PIPELINE_CONFIG, Span::default(), message);
        check.report(Levels { optimum: Off, ..Levels::genai(Info) }, Place::Companion(VAE.to_owned()), finding);
    }
}

/// Compares the channels of the latents: in the configurations, and in the inputs of the models.
fn channels(check: &mut Check) {
    let (unet, vae) = ("unet/config.json", VAE);
    let latent = check.value(vae, "latent_channels").as_ref().and_then(integer);
    let channels = check.value(unet, "in_channels").as_ref().and_then(integer);
    for (file, key, value, member) in [(unet, "in_channels", channels, UNET), (vae, "latent_channels", latent, DECODER)]
    {
        let Some(value) = value else { continue };
        let Some(model) = check.member(member) else { continue };
        let port = if member == UNET { Which::Named("sample") } else { Which::At(0) }.of(&model.view.inputs);
        let Some((port, fact)) = port.and_then(|port| Some((port, port.fact.as_ref()?))) else { continue };
        let Some(wanted) = dim(fact, 1).filter(|wanted| differ(Some(*wanted), Some(Dim::exact(value)))) else {
            continue;
        };
        let note = elsewhere(model, span(&model.view, Input, port), format!("this input is {}", bare_fact(fact)));
        let message = format!("`{key}` is {value}, and {} takes {wanted} channels", called(member));
        let Some(companion) = check.companion(file) else { continue };
        let finding = companion.about(&PIPELINE_LINK, key, message);
        check.report(ALL, Place::Companion(file.to_owned()), with(finding, note));
    }
    if let (Some(latent), Some(channels)) = (latent, channels)
        && ![latent, 2 * latent + 1].contains(&channels)
    {
        let message = format!("`in_channels` is {channels}, and `latent_channels` in {vae} is {latent}");
        check.about_value(ALL, unet, "in_channels", message);
    }
}

/// Compares the factor by which loaders divide the sides of a picture with that by which the decoder multiplies them.
fn sides(check: &mut Check) {
    const KEY: &str = "block_out_channels";
    /// The sides of a usual picture.
    const PIXELS: i64 = 512;
    let (blocks, levels) = match check.value(VAE, KEY) {
        Some(Value::Array(all)) => (all.len(), Levels::all(Warning)),
        // The default of openvino.genai is a list of one.
        None if check.companion(VAE).is_some_and(|file| file.lacks(KEY)) => (1, Levels::genai(Warning)),
        _ => return,
    };
    if blocks == 0 {
        let message = format!("`{KEY}` is empty, wanted an element for each block");
        return check.about_value(Levels::genai(Error), VAE, KEY, message);
    }
    // Each block but the last doubles the sides.
    let divisor = blocks.checked_sub(1).and_then(|last| 1_i64.checked_shl(u32::try_from(last).ok()?));
    let Some(divisor) = divisor.filter(|divisor| (1..=PIXELS).contains(divisor)) else { return };
    let Some(member) = check.member(DECODER) else { return };
    let Some(factor) = factor(&member.view).filter(|factor| *factor != divisor) else { return };
    let Some(output) = member.view.outputs.first() else { return };
    let note = elsewhere(member, output.layer.tag, format!("this output is {factor} times as high as the latents"));
    let made = PIXELS / divisor * factor;
    let said = match check.value(VAE, KEY) {
        Some(_) => format!("`{KEY}` has {blocks} elements, so the sides of latents are multiplied by {divisor}"),
        None => format!("the file has no `{KEY}`, so openvino.genai does not multiply the sides of latents"),
    };
    let message = format!("{said}, but vae_decoder multiplies them by {factor}");
    let Some(file) = check.companion(VAE) else { return };
    let finding = file.about(&PIPELINE_LINK, KEY, message);
    let finding = finding.note(format!("a picture of {PIXELS} x {PIXELS} comes out as {made} x {made}"));
    check.report(levels, Place::Companion(VAE.to_owned()), with(finding, note));
}

/// The height of a picture, divided by that of the latents it is made of.
fn factor(view: &View) -> Option<i64> {
    /// The sides of latents to try.
    const SIDE: i64 = 8;
    let ([input], [output]) = (view.inputs.as_slice(), view.outputs.as_slice()) else { return None };
    let height =
        |fact: &Option<crate::types::Fact>| dim(fact.as_ref().filter(|fact| fact.rank() == Some(4))?, 2)?.length();
    if let (Some(given), Some(made)) = (height(&input.fact), height(&output.fact)) {
        return (given > 0 && made % given == 0).then(|| made / given);
    }
    let channels = dim(input.fact.as_ref()?, 1)?.length()?;
    let name = view.graph().name(view.model.source(), input.layer).into_owned();
    let shape = PartialShape::exact(&[1, channels, SIDE, SIDE]);
    let reshaped = view.model.reshaped(InputShapes::of([(name, shape)])).ok().filter(|model| !model.has_errors())?;
    let made = height(&View::of(&reshaped, None)?.outputs.first()?.fact)?;
    (made % SIDE == 0).then_some(made / SIDE)
}
