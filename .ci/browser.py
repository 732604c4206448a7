"""Opens reports in a browser and clicks through them.

    browser.py CHROMIUM OVLINT FOLDER CORPUS

Every page must stay free of errors and of requests, and do what a reader asks of it.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from browser_fit import SIZES, faults
from browser_models import chain, hostile, large
from playwright.sync_api import Browser, Page, sync_playwright

chromium, tool, folder, corpus = sys.argv[1], sys.argv[2], Path(sys.argv[3]), Path(sys.argv[4])
failures: list[str] = []


def expect(holds: bool, what: str) -> None:
    if not holds:
        print(f"FAILED: {what}", flush=True)
        failures.append(what)


def report(name: str, *arguments: object) -> tuple[Path, float]:
    """Writes a page; where it is, and the seconds that took."""
    path = folder / f"{name}.html"
    start = time.monotonic()
    done = subprocess.run([tool, "report", "-o", path, *arguments], capture_output=True, text=True)
    expect(done.returncode == 0, f"{name}: exit code {done.returncode}: {done.stderr[:400]}")
    return path, time.monotonic() - start


def opened(browser: Browser, path: Path, **options: object) -> Page:
    """A page that fails the test when it errs or asks for anything but itself."""
    page = browser.new_page(viewport={"width": 1400, "height": 850}, **options)
    page.on("console", lambda message: expect(message.type not in ("error", "warning"), f"{path.name}: {message.text}"))
    page.on("pageerror", lambda error: expect(False, f"{path.name}: {error}"))
    page.on("dialog", lambda dialog: (expect(False, f"{path.name}: a dialog says {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: expect(request.url.split("#")[0] == path.as_uri(), f"{path.name}: asks for {request.url}"))
    page.goto(path.as_uri())
    return page


def show(page: Page, model: int) -> None:
    page.evaluate("at => { delete document.body.dataset.ready; location.hash = `#model-${at}`; }", model)
    page.wait_for_selector(f"body[data-ready='{model}']")


SELECTED = """() => {
    const [box, canvas] = [document.querySelector('.box.selected'), document.querySelector('#canvas')];
    if (!box) return null;
    const [inner, outer] = [box.getBoundingClientRect(), canvas.getBoundingClientRect()];
    const isInView = inner.left < outer.right && inner.right > outer.left && inner.top < outer.bottom && inner.bottom > outer.top;
    return { isInView, at: current.view.selected.at, layer: current.view.selected.layer, label: box.getAttribute('aria-label') };
}"""


# The middle of the head of some box that a mouse can reach.
IN_VIEW = """() => {
    for (const box of document.querySelectorAll('.box:not(.frame)')) {
        const { left, right, top } = box.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, top + 6];
        if (document.elementFromPoint(x, y)?.closest('.box') === box) return [x, y];
    }
    return null;
}"""


def selects(page: Page, wanted: list[int], what: str) -> None:
    found = page.evaluate(SELECTED)
    expect(found is not None and found["isInView"], f"{what}: nothing is selected and in view")
    expect(found is not None and [found["at"], found["layer"]] == wanted, f"{what}: selected {found}, wanted {wanted}")
    expect(page.is_visible("#details"), f"{what}: no details")


def fits(page: Page, what: str) -> None:
    found = faults(page)
    expect(not found, f"{what}: {len(found)} do not fit: {found[:3]}")


def click_through(page: Page, what: str, most: int = 2) -> None:
    """Findings, search, why, bodies and keys of the model that is open."""
    facts = page.evaluate("""() => ({
        boxes: document.querySelectorAll('.box').length,
        graphs: current.view ? current.model.graphs.length : 0,
        findings: current.model.rows.filter(({ row }) => row.parentNode.id === "findings").map(({ finding }) => finding.layer ?? null),
        bodies: [...current.model.bodies.keys()],
    })""")
    expect(facts["boxes"] <= 500, f"{what}: {facts['boxes']} boxes")
    for at, layer in list(enumerate(facts["findings"]))[:most]:
        button = page.locator("#findings > .finding > button").nth(at)
        if button.get_attribute("aria-expanded") == "false":
            button.click()
        expect(page.locator("#findings > .finding pre").nth(0).is_visible(), f"{what}: no excerpt")
        if layer is not None:
            selects(page, layer, f"{what}, finding {at}")
    if not facts["graphs"]:
        expect(page.is_visible("#empty"), f"{what}: nothing says why there is no graph")
        return
    search(page, what)
    for key in facts["bodies"][:1]:
        open_bodies(page, key, what)
    keys(page, what)


def search(page: Page, what: str) -> None:
    place = page.evaluate("""() => {
        const { model } = current;
        const at = model.graphs.length - 1;
        return { at, layer: model.graphs[at].name.length - 1, name: model.graphs[at].name.at(-1), id: model.graphs[0].id.at(-1) };
    }""")
    for query in (place["name"], place["id"]):
        if not query.strip():
            continue
        page.fill("#search", query)
        page.keyboard.press("Enter")
        found = page.evaluate(SELECTED)
        expect(found is not None and found["isInView"], f"{what}: searching {query[:60]!r} selects nothing")
    # Of the selected layer, or of the first that has an output.
    page.evaluate("""() => {
        const { model, view } = current;
        const layer = model.graphs[0].outputs.findIndex((all) => all.length > 0);
        if (layer >= 0) view.go(0, layer);
    }""")
    if page.locator("#details [data-why]").count():
        page.locator("#details [data-why]").first.click()
        expect(page.locator(".why li").count() > 0, f"{what}: why says nothing")
        expect(page.locator(".fact.selected").count() <= 1, f"{what}: several tensors are selected")


def open_bodies(page: Page, key: str, what: str) -> None:
    at, layer = map(int, key.split("/"))
    page.evaluate("([at, layer]) => { current.view.closeAll(); current.view.focus(current.view.go(at, layer)); }", [at, layer])
    before = page.locator(".box").count()
    page.keyboard.press("Enter")
    expect(page.locator(".box.frame").count() > 0, f"{what}: bodies do not open")
    expect(page.locator(".box").count() > before, f"{what}: there is nothing in the bodies")


def keys(page: Page, what: str) -> None:
    page.evaluate("() => { current.view.closeAll(); current.view.focus(current.view.parts.items[0]); }")
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "+", "-", "0", "n", "p", "Escape"):
        page.keyboard.press(key)
    expect(page.evaluate("document.activeElement.closest('.box') !== null"), f"{what}: keys lose the focus")
    page.keyboard.press("/")
    expect(page.evaluate("document.activeElement.id") == "search", f"{what}: / does not search")
    page.keyboard.press("Escape")


def all_models(browser: Browser, name: str, *arguments: object, most: int = 2) -> None:
    start = time.monotonic()
    path, seconds = report(name, *arguments)
    page = opened(browser, path)
    page.wait_for_selector("#list table")
    fits(page, name)
    models = page.evaluate("current.list.models.filter(({ closed }) => closed === null).map(({ at }) => at)")
    for model in models:
        show(page, model)
        what = f"{name} {page.inner_text('#title')}"
        fits(page, what)
        click_through(page, what, most)
        fits(page, what)
    size = path.stat().st_size
    page.close()
    print(f"{name}: {len(models)} models, {size:,} bytes in {seconds:.2f} s, clicked through in {time.monotonic() - start:.0f} s", flush=True)


def speed(browser: Browser, name: str, model: Path) -> None:
    """How fast a large model is written, and until a box can be clicked; medians of five."""
    written = [report(name, model) for _ in range(5)]
    path, seconds = written[0][0], median(seconds for _, seconds in written)
    clickable = []
    for _ in range(5):
        page = browser.new_page(viewport={"width": 1400, "height": 850})
        start = time.monotonic()
        page.goto(path.as_uri(), wait_until="commit")
        page.mouse.click(*page.wait_for_function(IN_VIEW).json_value())
        page.wait_for_selector(".box.selected, #status:not(:empty)", state="attached")
        clickable.append(time.monotonic() - start)
        page.close()
    size = path.stat().st_size
    print(f"{name}: {size:,} bytes in {seconds:.2f} s, a box is clickable after {median(clickable):.2f} s", flush=True)
    expect(seconds <= 1 and size <= 500_000 and median(clickable) <= 1.2, f"{name} is too slow or too large")
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    for place, kind in (("top", "Parameter"), ("bottom", "Result")):
        end = page.locator(f".ends.{place} button").first
        expect(end.is_visible(), f"{name}: no {kind} is in view")
        end.click()
        expect(page.inner_text("#details h2").startswith(kind), f"{name}: the {place} does not lead to a {kind}")
        expect(page.evaluate(SELECTED)["isInView"], f"{name}: the {kind} is not in view")
        expect(page.locator(".box.end.selected").count() == 1, f"{name}: the {kind} is in no box of its own")
    click_through(page, name)
    groups = page.evaluate("""() => {
        const { view, model } = current;
        const [graph] = model.graphs;
        for (const { items } of graph.groups.slice(-40)) view.go(0, graph.boxes[items.find(([isGroup]) => !isGroup)?.[1] ?? 0]);
        return document.querySelectorAll('.box').length;
    }""")
    expect(groups <= 500, f"{name}: {groups} boxes after opening 40 groups")
    page.close()


def behaviour(browser: Browser, path: Path) -> None:
    """What a reader sees in one broken model, in detail."""
    page = opened(browser, path, color_scheme="dark")
    page.wait_for_selector("body[data-ready]")
    expect(page.inner_text("#verdict").startswith("1 error"), "the verdict is not in the head")
    selects(page, [0, 3], "the first error")
    expect("split_lengths [1, 2, 4] sum to 7" in page.inner_text("#findings pre"), "the excerpt is not that of the text report")
    expect("vsplit" in page.inner_text("#details h2"), "the details are not of the layer")
    page.locator("#details .head button").click()
    expect(page.is_hidden("#details") and page.evaluate("document.activeElement.matches('.box.selected')"), "closing loses the focus")
    page.keyboard.press("Enter")
    expect(page.locator(".box.error").count() == 1, "the layer is not red")
    expect(page.locator(".box.assumed").count() == 1 and page.locator(".edge.assumed").count() == 3, "what is assumed is not grey")
    page.keyboard.press("Escape")
    expect(page.is_hidden("#details") and not page.locator(".box.selected").count(), "Escape closes nothing")
    page.locator(".fact", has_text="f32[6,12]").click()
    expect("dim 0 = 6" in page.inner_text(".why"), "why does not say where a dimension comes from")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 800, "height": 1100})
    parts = ["#findings pre", "#canvas", "#details", ".ends.top", "#panes"]
    expect([page.is_visible(part) for part in parts] == [True] * 3 + [False] * 2, "not all is printed, or more than that")
    page.pdf(path=folder / "print.pdf")
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 1400, "height": 850})
    page.locator("#help").click()
    expect(page.is_visible("#keys"), "the keys are not listed")
    page.close()


def cost(browser: Browser, path: Path) -> None:
    """What a sound model costs: shown at once, and its layers a click away."""
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    section = page.locator(".about", has=page.locator("summary", has_text="Cost"))
    expect("Convolution, 4 layers" in section.inner_text(), "the cost is not shown")
    row = section.locator("tr", has_text="peak memory")
    row.locator("button").click()
    expect(page.evaluate(SELECTED)["isInView"] and "neck.cat3" in page.inner_text("#details h2"), "the peak does not lead to its layer")
    layers = section.locator(".layers tbody tr")
    shares = [int(text.split()[-2]) for text in layers.locator("td:nth-child(2)").all_inner_texts()]
    expect(len(shares) == 4 and shares == sorted(shares, reverse=True), f"the layers are not sorted by MACs: {shares}")
    section.locator(".layers th button", has_text="bytes").click()
    sizes = [int(text.split()[0].replace(",", "")) for text in layers.locator("td:nth-child(3)").all_inner_texts()]
    expect(len(sizes) > 3 and sizes == sorted(sizes, reverse=True), f"the layers are not sorted by weights: {sizes}")
    layers.first.locator("button").click()
    expect(page.evaluate(SELECTED)["isInView"] and "Convolution" in page.inner_text("#details h2"), "a layer of the table is not shown")
    section.locator("summary").press("Enter")
    expect(row.is_hidden(), "the cost does not close")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(row.is_visible(), "the cost is not printed")
    page.close()


def consequences(browser: Browser, path: Path) -> None:
    """Findings that follow from another: below it, and on paper; the keys go round."""
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    expect(page.locator("#findings > .finding").count() == 1, "what follows is shown beside its cause")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".finding pre:visible").count() == 7, "not all findings are printed")
    page.keyboard.press("p")
    expect(page.evaluate("current.model.rows.findLast(({ finding }) => finding.layer) === current.entry"), "p does not start at the end")
    page.close()


def pictures(browser: Browser) -> None:
    """Takes the pictures of the documentation anew, if it is to be updated."""
    views = [("finding", "bad/split-lengths-sum/model.xml", "light"), ("why", "models/attention.xml", "dark")]
    for name, model, scheme in views if os.environ.get("OVLINT_UPDATE") else []:
        page = opened(browser, report(f"picture-{name}", f"ir-samples/{model}")[0], color_scheme=scheme)
        page.set_viewport_size({"width": 1280, "height": 680})
        page.reload()
        page.wait_for_selector("body[data-ready]")
        if name == "why":
            page.evaluate("""() => {
                const { view, model } = current;
                view.go(0, model.graphs[0].name.indexOf("attn.masked"), 0);
                document.querySelector("#card").open = false;
                view.centre(view.selectedItem());
            }""")
        page.screenshot(path=f"docs/images/report-{name}.png")
        page.close()


def another_model(browser: Browser, path: Path) -> None:
    """What was found in one model is forgotten in the next."""
    page = opened(browser, path)
    page.wait_for_selector("#list table")
    show(page, 0)
    page.fill("#search", "r")
    show(page, 1)
    page.focus("#search")
    page.keyboard.press("Enter")
    expect(page.evaluate(SELECTED) is None, "a layer that was found in another model is selected")
    page.close()


def no_path_of_the_machine(browser: Browser, path: Path) -> None:
    """Names are relative to the folder, wherever that is."""
    page = opened(browser, path)
    page.wait_for_selector("#list table")
    texts = page.evaluate("""async () => JSON.stringify(await Promise.all(
        [...document.querySelectorAll("[type='application/octet-stream']")].map(({ id }) => unpacked(id))))""")
    expect(str(Path.cwd()) not in texts + page.content(), "a path of the machine is in the page")
    page.close()


def addresses(browser: Browser, path: Path) -> None:
    """What is selected has an address, which a reload and Back keep."""
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    address = "location.hash"
    expect(page.evaluate(address) == "#model-0/finding-0", "the first error has no address")
    page.locator(".box", has_text="out1").click()
    expect(page.evaluate(address) == "#model-0/layer-5", "a layer has no address")
    page.locator(".fact", has_text="f32[6,12]").click()
    expect(page.evaluate(address) == "#model-0/layer-0:0", "an output has no address")
    page.reload()
    page.wait_for_selector("body[data-ready]")
    selects(page, [0, 0], "after a reload")
    expect(page.is_visible(".why"), "after a reload: why is gone")
    page.go_back()
    page.wait_for_function("current.view.selected?.layer === 5")
    selects(page, [0, 5], "Back")
    page.keyboard.press("Escape")
    expect(page.evaluate(address) == "#model-0", "what is not selected has an address")
    page.evaluate("location.hash = '#model-0/finding-0'")
    page.wait_for_selector(".finding[data-current]")
    selects(page, [0, 3], "the address of a finding")
    page.close()


def telephone(browser: Browser, path: Path) -> None:
    """On a narrow screen findings, graph and layer are one at a time."""
    page = opened(browser, path)
    page.set_viewport_size(dict(zip(("width", "height"), SIZES[1])))
    page.reload()
    page.wait_for_selector("body[data-ready]")
    parts = ("#findings", "#graph", "#details")

    def alone(part: str, what: str) -> None:
        expect([page.is_visible(one) for one in parts] == [one == part for one in parts], f"{what}: {part} is not alone")

    alone("#findings", "at first")
    button = page.locator("#findings .finding > button").first
    button.click()
    button.click()
    alone("#findings", "a finding is tapped")
    excerpt = page.locator("#findings pre").first.bounding_box()
    expect(excerpt["y"] >= 0 and excerpt["y"] + excerpt["height"] <= SIZES[1][1], "a tapped finding is not readable")
    page.locator("#panes button", has_text="Graph").click()
    alone("#graph", "Graph")
    expect(page.evaluate(SELECTED)["isInView"], "the layer of the finding is not in view")
    page.locator(".box", has_text="out1").click()
    alone("#details", "a box is tapped")
    page.locator("#details .head button").click()
    alone("#graph", "the layer is closed")
    page.evaluate("location.hash = '#model-0/layer-5'; location.reload()")
    page.wait_for_function("document.body.dataset.ready && current.view.selected.layer === 5")
    alone("#graph", "the address of a layer")
    page.locator("#panes button", has_text="Findings").click()
    page.locator("#findings summary", has_text="Cost").click()
    page.locator(".about button", has_text="show").first.click()
    alone("#graph", "a layer that costs most is shown")
    page.close()


def whole(browser: Browser, path: Path) -> None:
    """`Fit` shows all boxes."""
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    page.locator("#fit").click()
    outside = page.evaluate("""() => {
        const outer = document.querySelector("#canvas").getBoundingClientRect();
        const isOutside = ({ left, right, top, bottom }) => left < outer.left || right > outer.right || top < outer.top || bottom > outer.bottom;
        return [...document.querySelectorAll(".box")].filter((box) => isOutside(box.getBoundingClientRect())).length;
    }""")
    expect(outside == 0, f"Fit leaves {outside} boxes outside")
    page.close()


def card(browser: Browser, path: Path, model: str) -> None:
    """Above the graph stand the lines of `ovlint info`."""
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    lines = subprocess.run([tool, "info", model], capture_output=True, text=True, check=True).stdout.split()
    expect(page.inner_text("#card").split()[4:] == lines[1:], f"the card is not what info prints: {page.inner_text('#card')}")
    expect(page.locator("#card").bounding_box()["y"] < page.locator("#canvas").bounding_box()["y"], "the card is not above the graph")
    page.close()


def the_list(browser: Browser, path: Path) -> None:
    """The table of models: errors first, sorted by a click, searched and filtered, with totals."""
    page = opened(browser, path)
    page.wait_for_selector("#list table")
    verdicts = page.locator("#list tbody td:nth-child(2)")
    errors = [int(text.split()[0]) if "error" in text else 0 for text in verdicts.all_inner_texts()]
    expect(page.locator("#list > p").count() == 3, "the notes are not a line each")
    expect(errors == sorted(errors, reverse=True) and errors[0] > 0, "the models with errors are not first")
    count = len(errors)
    names = page.locator("#list tbody td:first-child")
    page.locator("#list th button", has_text="model").click()
    expect(names.all_inner_texts() == sorted(names.all_inner_texts()), "the models are not sorted by name")
    page.locator("#list th button", has_text="layers").click()
    layers = [int(text.replace(",", "")) for text in page.locator("#list tbody td:nth-child(3)").all_inner_texts()]
    expect(layers == sorted(layers, reverse=True), "the models are not sorted by layers")
    total = page.locator("#list tfoot td")
    expect(total.nth(0).inner_text() == f"{count} models" and total.nth(2).inner_text() == f"{sum(layers):,}", "the totals are wrong")
    page.keyboard.press("/")
    page.keyboard.type("split-lengths")
    expect(0 < names.count() < 10 and all("split-lengths" in name for name in names.all_inner_texts()), "the search finds no models")
    page.fill("#search", "")
    page.locator(".filters select").nth(1).select_option("axis-range")
    expect(0 < names.count() < 20, "the rule filters nothing")
    page.locator(".filters select").nth(0).select_option("no errors")
    expect(all("error" not in text for text in verdicts.all_inner_texts()), "the severity filters nothing")
    page.locator(".filters select").nth(0).select_option("all models")
    first = names.nth(0)
    expect(first.locator("a").get_attribute("href").startswith("#model-"), "a row is no link")
    title = first.inner_text()
    first.locator("a").click()
    page.wait_for_selector("body[data-ready]")
    expect(page.inner_text("#title").startswith(title), "a row leads to another model")
    page.close()


def operations(browser: Browser, path: Path) -> None:
    """The search knows operations and their counts."""
    page = opened(browser, path)
    page.wait_for_selector("body[data-ready]")
    page.focus("#search")
    hits = page.locator("#hits li")
    expect("Convolution 6 layers" in hits.all_inner_texts(), "the operations are not listed")
    page.fill("#search", "convol")
    page.keyboard.press("Enter")
    expect(hits.count() == 6 and all(text.startswith("Convolution ") for text in hits.all_inner_texts()), "not all layers of an operation are found")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.evaluate(SELECTED)["isInView"] and page.inner_text("#details h2").startswith("Convolution"), "no layer of an operation is selected")
    page.close()


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    broken = report("behaviour", "ir-samples/bad/split-lengths-sum/model.xml")[0]
    behaviour(browser, broken)
    addresses(browser, broken)
    telephone(browser, broken)
    bad = report("folder", Path("ir-samples/bad").absolute())[0]
    no_path_of_the_machine(browser, bad)
    the_list(browser, bad)
    detector = report("detector", "ir-samples/models/detector.xml")[0]
    whole(browser, detector)
    operations(browser, detector)
    card(browser, detector, "ir-samples/models/detector.xml")
    cost(browser, report("cost", "ir-samples/models/feature_pyramid.xml")[0])
    consequences(browser, report("consequences", "ir-samples/bad/contradicted-value/constant/model.xml")[0])
    another_model(browser, report("another", "ir-samples/models")[0])
    all_models(browser, "models", "ir-samples/models")
    all_models(browser, "bad", "ir-samples/bad")
    all_models(browser, "pipelines", "ir-samples/pipelines")
    (folder / "hostile").mkdir()
    hostile(folder / "hostile")
    all_models(browser, "hostile", folder / "hostile")
    (folder / "large.xml").write_text(large(65))
    speed(browser, "large", folder / "large.xml")
    (folder / "flat.xml").write_text(chain([f"Relu_{at}" for at in range(8_000)]))
    speed(browser, "flat", folder / "flat.xml")
    real = sorted(corpus.rglob("*.xml"))
    if real:
        step = max(1, len(real) // 100)
        (folder / "real.txt").write_text("\n".join(map(str, real[::step][:100])))
        all_models(browser, "real", "--files-from", folder / "real.txt", "--skip-others", most=1)
    pictures(browser)
    browser.close()

print(f"{len(failures)} failures")
sys.exit(bool(failures))
