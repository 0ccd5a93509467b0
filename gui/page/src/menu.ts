// A button that opens a list of things to do.

import { h } from "./dom";

export function menu(label: string, items: HTMLElement[]): HTMLElement {
    const details = h("details", { class: "menu" }) as HTMLDetailsElement;
    details.append(
        h("summary", { class: "button" }, `${label} ▾`),
        h("div", { class: "menu-items left" }, items),
    );
    details.addEventListener("click", (e) => {
        if ((e.target as Element).closest("button")) details.open = false;
    });
    details.addEventListener("keydown", (e) => {
        if (e.key !== "Escape") return;
        details.open = false;
        details.querySelector("summary")?.focus();
    });
    return details;
}

/** Menus close when something else is looked at. */
function closeOthers(e: Event): void {
    for (const d of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]"))
        if (!d.contains(e.target as Node)) d.open = false;
}

document.addEventListener("pointerdown", closeOthers);
document.addEventListener("focusin", closeOthers);
