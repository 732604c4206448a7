//! The colours of the text report, readable on dark and on light terminals: yellow, cyan and the bright green of most
//! palettes are unreadable on white, plain blue on black. This leaves red, magenta (which some compilers use for warnings),
//! and bright blue. Notes and help are only bold. The colours of a patch only repeat its signs.

use annotate_snippets::Renderer;
use annotate_snippets::renderer::{AnsiColor, Effects, Style};

const BOLD: Style = Style::new().effects(Effects::BOLD);

/// The renderer of coloured reports.
pub(super) const fn coloured() -> Renderer {
    Renderer::styled()
        .error(AnsiColor::BrightRed.on_default().effects(Effects::BOLD))
        .warning(AnsiColor::Magenta.on_default().effects(Effects::BOLD))
        .info(AnsiColor::BrightBlue.on_default().effects(Effects::BOLD))
        .note(BOLD)
        .help(BOLD)
        .emphasis(BOLD)
        .line_num(AnsiColor::BrightBlue.on_default())
        .context(AnsiColor::BrightBlue.on_default())
        .addition(AnsiColor::Green.on_default())
        .removal(AnsiColor::BrightRed.on_default())
}
