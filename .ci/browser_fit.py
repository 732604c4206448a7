"""Whether everything on a page fits: no horizontal scroll, no cut word, and no label on another one, on a box or on an edge."""

from playwright.sync_api import Page

# The sizes of a laptop and of a telephone.
SIZES = [(1400, 900), (390, 844)]

FAULTS = r"""() => {
    const faults = [];
    const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
    const name = (element) => `${element.tagName.toLowerCase()}${element.id ? "#" + element.id : ""}.${element.getAttribute("class") ?? ""} ${element.textContent.trim().slice(0, 40)}`;
    if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const element of document.querySelectorAll("body *:not(svg *)")) {
        if (!seen(element) || element.closest("svg")) continue;
        const style = getComputedStyle(element);
        if (style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1 && element.tagName !== "INPUT") faults.push(`scrolls: ${name(element)}`);
        const { left, right, width } = element.getBoundingClientRect();
        if (width && (left < -1 || right > innerWidth + 1)) faults.push(`outside: ${name(element)}`);
        if (style.overflowY !== "clip") continue;
        const outer = element.getBoundingClientRect();
        for (const child of element.children) {
            const inner = child.getBoundingClientRect();
            if (inner.top < outer.bottom - 1 && (inner.bottom > outer.bottom + 1 || inner.right > outer.right + 1)) faults.push(`cut: ${name(child)}`);
        }
    }
    // Letters of a word below each other: narrower than two letters, and many lines.
    for (const cell of document.querySelectorAll("td, th")) {
        if (seen(cell) && cell.textContent.trim().length > 3 && cell.clientWidth < 30 && cell.clientHeight > 60) faults.push(`narrow: ${name(cell)}`);
    }
    const scene = document.querySelector("#scene");
    if (!scene || !seen(scene)) return faults;
    const scale = current.view.k;
    const rect = (element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { element, left: left / scale, right: right / scale, top: top / scale, bottom: bottom / scale };
    };
    const meet = (a, b, by) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > by && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > by;
    const holds = (outer, inner) => outer.left <= inner.left + 1 && outer.right >= inner.right - 1 && outer.top <= inner.top + 1.5 && outer.bottom >= inner.bottom - 1.5;
    const texts = [...scene.querySelectorAll("text")].map(rect);
    const boxes = [...scene.querySelectorAll(".box > rect:first-of-type")].map(rect);
    const near = new Map();
    const rows = ({ top, bottom }) => Array.from({ length: Math.floor(bottom / 40) - Math.floor(top / 40) + 1 }, (_, at) => Math.floor(top / 40) + at);
    texts.forEach((text) => rows(text).forEach((row) => near.set(row, [...(near.get(row) ?? []), text])));
    const said = new Set();
    const say = (text) => !said.has(text) && said.add(text) && faults.push(text);
    for (const row of near.values()) {
        row.forEach((a, at) => row.slice(at + 1).forEach((b) => {
            if (meet(a, b, 1.5)) say(`text on text: ${name(a.element)} | ${name(b.element)}`);
        }));
    }
    for (const box of boxes) {
        const group = box.element.parentNode;
        for (const row of rows(box)) {
            for (const text of near.get(row) ?? []) {
                if (!meet(box, text, 1.5)) continue;
                const isInside = holds(box, text) && (group.contains(text.element) || group.classList.contains("frame"));
                if (!isInside) say(`text on box: ${name(text.element)} | ${group.getAttribute("aria-label").slice(0, 40)}`);
            }
        }
    }
    for (const path of scene.querySelectorAll(".edge")) {
        const matrix = path.getScreenCTM();
        const length = path.getTotalLength();
        for (let along = 0; along <= length; along += 3) {
            const { x, y } = path.getPointAtLength(along).matrixTransform(matrix);
            const [left, top] = [x / scale, y / scale];
            for (const text of near.get(Math.floor(top / 40)) ?? []) {
                const isOn = left > text.left + 1 && left < text.right - 1 && top > text.top + 2 && top < text.bottom - 2;
                if (isOn && !text.element.closest(".box")) say(`text on edge: ${name(text.element)}`);
            }
        }
    }
    return faults;
}"""


def faults(page: Page) -> list[str]:
    """What does not fit on the page as it is, in every pane that is in view."""
    found: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        panes = ["findings", "graph", "details"] if width < 640 and page.is_visible("#model") else [None]
        for pane in panes:
            if pane:
                button = page.locator(f"#panes [data-pane={pane}]")
                if button.is_disabled():
                    continue
                button.click()
            found += [f"{width} {pane or ''}: {fault}" for fault in page.evaluate(FAULTS)]
    page.set_viewport_size({"width": 1400, "height": 850})
    return found
