// The side can be folded away, so that the middle has all the room.

import { h } from "./dom";

const KEY = "rls2-side";

function keptFolded(): boolean {
    try {
        return localStorage.getItem(KEY) === "folded";
    } catch {
        return false; // the browser keeps nothing
    }
}

function keep(folded: boolean): void {
    try {
        localStorage.setItem(KEY, folded ? "folded" : "open");
    } catch {
        // it is forgotten then
    }
}

function name(button: HTMLElement, folded: boolean): void {
    const words = `${folded ? "Show" : "Hide"} data and settings`;
    button.setAttribute("aria-expanded", folded ? "false" : "true");
    button.setAttribute("aria-label", words);
    button.setAttribute("title", words);
}

/** The button in the head. */
export function foldButton(): HTMLElement {
    const body = document.body;
    body.classList.toggle("folded", keptFolded());
    const button = h(
        "button",
        {
            class: "icon",
            id: "fold",
            "aria-controls": "side",
            onclick: () => {
                const folded = body.classList.toggle("folded");
                keep(folded);
                name(button, folded);
            },
        },
        h(
            "svg",
            { viewBox: "0 0 20 20", "aria-hidden": "true" },
            h("rect", { x: 2.5, y: 3.5, width: 15, height: 13, rx: 2.5 }),
            h("line", { x1: 8, y1: 3.5, x2: 8, y2: 16.5 }),
        ),
    );
    name(button, body.classList.contains("folded"));
    return button;
}

/** What is asked for may be on the side. */
export function unfold(): void {
    const button = document.getElementById("fold");
    if (document.body.classList.contains("folded")) button?.click();
}

/** A curve through points: the mark of the program. */
export function mark(): Element {
    return h(
        "svg",
        { class: "mark", viewBox: "0 0 22 22", "aria-hidden": "true" },
        h("path", { d: "M2 17 C7 17 7 5 12 5 S16 12 20 10" }),
        h("circle", { cx: 5, cy: 14.5, r: 2 }),
        h("circle", { cx: 12, cy: 5, r: 2 }),
        h("circle", { cx: 18, cy: 10.4, r: 2 }),
    );
}
