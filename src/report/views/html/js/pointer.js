// Dragging, scrolling and pinching move the current view.
function listenToPointer() {
  const canvas = byId("canvas");
  const pointers = new Map();
  let travelled = 0;
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    travelled = 0;
    if (current.view) current.view.isMoved = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before || !current.view) return;
    const [x, y] = [event.clientX - before[0], event.clientY - before[1]];
    travelled += Math.abs(x) + Math.abs(y);
    if (travelled < 5) return;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("moving");
    current.view.isMoved = true;
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (!others.length) return current.view.pan(x, y);
    const [[, fixed]] = others;
    const distance = (from) => Math.hypot(from[0] - fixed[0], from[1] - fixed[1]) || 1;
    const corner = canvas.getBoundingClientRect();
    const factor = distance([event.clientX, event.clientY]) / distance(before);
    current.view.zoom(factor, fixed[0] - corner.left, fixed[1] - corner.top);
  });
  const end = (event) => {
    pointers.delete(event.pointerId);
    canvas.classList.remove("moving");
    // A click that ends a drag comes after this.
    setTimeout(() => current.view && (current.view.isMoved = false), 0);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!current.view) return;
      event.preventDefault();
      const corner = canvas.getBoundingClientRect();
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        current.view.zoom(Math.exp(-event.deltaY * unit * 0.004), event.clientX - corner.left, event.clientY - corner.top);
      } else if (event.shiftKey && !event.deltaX) current.view.pan(-event.deltaY * unit, 0);
      else current.view.pan(-event.deltaX * unit, -event.deltaY * unit);
    },
    { passive: false },
  );
}
