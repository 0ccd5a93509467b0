// A chart on the page: with its caption, its three downloads, and what the pointer does.

import type { Placed } from "./chart";
import { download, h } from "./dom";
import { report, state } from "./state";
import { toElement, toPdf, toPng, toSvg, type Scene } from "./scene";

function fileName(title: string): string {
    return (
        title
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, "-")
            .replace(/^-|-$/g, "") || "figure"
    );
}

/** The three ways out, of whatever is drawn when they are pressed. */
function exports(scene: () => Scene | null): HTMLElement {
    const save = async (
        ending: string,
        make: (s: Scene) => Blob | Promise<Blob>,
    ): Promise<void> => {
        const drawn = scene();
        if (!drawn) return;
        try {
            download(
                fileName(`${state.run?.name.replace(/\.csv\b/g, "") ?? ""} ${drawn.title}`) +
                    `.${ending}`,
                await make(drawn),
            );
        } catch (error) {
            report(error);
        }
    };
    const button = (ending: string, make: (s: Scene) => Blob | Promise<Blob>): HTMLElement =>
        h(
            "button",
            {
                class: "link",
                title: `Save as ${ending.toUpperCase()}`,
                onclick: () => void save(ending, make),
            },
            ending.toUpperCase(),
        );
    return h(
        "span",
        { class: "exports", hidden: true },
        button("svg", toSvg),
        button("png", (s) => toPng(s)),
        button("pdf", toPdf),
    );
}

export interface Pointer {
    /** Told the values under the pointer, and how much of y a pixel is; returns what to show there.
     */
    hover?: (x: number, y: number, pixel: number) => string;
    /** Told the value of x while it is dragged. */
    drag?: (x: number) => void;
    /** Told which bar was clicked. */
    pick?: (key: string) => void;
}

function attach(svg: SVGSVGElement, placed: Placed, pointer: Pointer): HTMLElement {
    const tip = h("div", { class: "tip", hidden: true });
    let dragging = false;
    const height = (e: PointerEvent): number =>
        ((e.clientY - svg.getBoundingClientRect().top) / svg.getBoundingClientRect().height) *
        placed.scene.height;
    const at = (e: PointerEvent): number => {
        const box = svg.getBoundingClientRect();
        const x = ((e.clientX - box.left) / box.width) * placed.scene.width;
        return placed.fromX(Math.max(placed.left, Math.min(placed.right, x)));
    };
    svg.addEventListener("pointermove", (e) => {
        const x = at(e);
        if (dragging) pointer.drag?.(x);
        const text =
            pointer.hover?.(
                x,
                placed.fromY(height(e)),
                Math.abs(placed.fromY(1) - placed.fromY(0)),
            ) ?? "";
        tip.hidden = !text;
        tip.textContent = text;
        const box = svg.getBoundingClientRect();
        const left = e.clientX - box.left;
        tip.style.left = left > box.width / 2 ? "" : `${left + 14}px`;
        tip.style.right = left > box.width / 2 ? `${box.width - left + 14}px` : "";
        tip.style.top = `${Math.max(0, e.clientY - box.top - 20)}px`;
    });
    svg.addEventListener("pointerleave", () => (tip.hidden = true));
    if (!pointer.drag) return tip;
    svg.style.cursor = "ew-resize";
    svg.style.touchAction = "pan-y";
    svg.addEventListener("pointerdown", (e) => {
        dragging = true;
        svg.setPointerCapture(e.pointerId);
        pointer.drag?.(at(e));
        e.preventDefault();
    });
    svg.addEventListener("pointerup", () => (dragging = false));
    svg.addEventListener("pointercancel", () => (dragging = false));
    return tip;
}

/** A picture whose content can be drawn anew in place, so that a drag that has begun goes on. */
export class Figure {
    readonly element: HTMLElement;
    private readonly holder = h("div", { class: "plot" });
    private scene: Scene | null = null;
    private readonly tools = exports(() => this.scene);
    private readonly title = h("span");
    /** Below the picture. */
    readonly foot = h("div", { class: "foot" });
    private placed: Placed | null = null;
    private svg: SVGSVGElement | null = null;

    constructor(
        caption: string,
        private readonly pointer: Pointer = {},
        ...extra: (HTMLElement | null)[]
    ) {
        this.title.textContent = caption;
        this.element = h(
            "figure",
            {},
            h("figcaption", {}, this.title, ...extra, this.tools),
            this.holder,
            this.foot,
        );
        this.holder.addEventListener("click", (e) => {
            const key = (e.target as Element).closest("[data-pick]")?.getAttribute("data-pick");
            if (key) this.pointer.pick?.(key);
        });
    }

    /** What the picture is of, where that changes. */
    caption(text: string): void {
        this.title.textContent = text;
    }

    draw(chart: Placed | Scene): void {
        const scene = "scene" in chart ? chart.scene : chart;
        const fresh = toElement(scene);
        fresh.style.maxWidth = `${Math.round(scene.width * 1.35)}px`;
        if (this.svg && this.placed && "scene" in chart) {
            Object.assign(this.placed, chart);
            this.svg.replaceChildren(...fresh.childNodes);
            this.svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
            this.svg.setAttribute("aria-label", fresh.getAttribute("aria-label") ?? scene.title);
        } else {
            this.svg = fresh;
            this.placed = "scene" in chart ? { ...chart } : null;
            this.holder.replaceChildren(
                fresh,
                ...(this.placed && (this.pointer.hover || this.pointer.drag)
                    ? [attach(fresh, this.placed, this.pointer)]
                    : []),
            );
        }
        this.scene = scene;
        this.tools.hidden = false;
    }

    say(text: string): void {
        this.svg = this.placed = this.scene = null;
        this.foot.replaceChildren();
        this.holder.replaceChildren(h("p", { class: "hint" }, text));
        this.tools.hidden = true;
    }
}
