// A chart on the page: its caption, its menu, what the pointer does, and its ways out of the page.

import type { Chart } from "./chart";
import { onPage, onPaper } from "./colours";
import { download, h } from "./dom";
import { init, type Drawn } from "./echarts";
import { report, state } from "./state";

export type { Chart };

export interface Pointer {
    /** Told the value of x while it is dragged. */
    drag?: (x: number) => void;
    /** Told the values that a box was drawn around; of a click what is near. */
    box?: (x: [number, number], y: [number, number]) => void;
    /** Told which bar was clicked. */
    pick?: (key: string) => void;
}

function fileName(title: string): string {
    return (
        title
            .toLowerCase()
            .replace(/[^a-z0-9]+/g, "-")
            .replace(/^-|-$/g, "") || "figure"
    );
}

// ---- ways out ----

/** Drawn anew for paper: in light colours, at the size it has on the page. */
function paperSvg(chart: Chart, width: number, height: number): string {
    const drawn = init(null, null, { renderer: "svg", ssr: true, width, height });
    drawn.setOption(chart.option(onPaper, width, true));
    const text = drawn.renderToSVGString();
    drawn.dispose();
    return text;
}

const asImage = (svg: string): string =>
    `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;

async function toPng(svg: string, width: number, height: number, scale = 2): Promise<Blob> {
    const image = new Image();
    image.src = asImage(svg);
    await image.decode();
    const canvas = h("canvas", { width: width * scale, height: height * scale });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser cannot draw");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) =>
        canvas.toBlob(
            (b) => (b ? resolve(b) : reject(new Error("no picture could be made"))),
            "image/png",
        ),
    );
}

/** The browser prints the figure alone on a page of its size. Its PDF has the fonts embedded, so
 *  any script is written; to do that here would take a font of megabytes. */
async function printAlone(svg: string, name: string, width: number, height: number): Promise<void> {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`@page { size: ${width}px ${height}px; margin: 0 }`);
    const image = h("img", { id: "printed", alt: name, width, height, src: asImage(svg) });
    const title = document.title;
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    document.body.append(image);
    document.body.classList.add("printing-one");
    document.title = name;
    window.addEventListener(
        "afterprint",
        () => {
            image.remove();
            document.body.classList.remove("printing-one");
            document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== sheet);
            document.title = title;
        },
        { once: true },
    );
    await image.decode();
    window.print();
}

function toCsv(rows: (string | number)[][]): Blob {
    const cell = (v: string | number): string =>
        /[",\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : String(v);
    return new Blob([`${rows.map((r) => r.map(cell).join(",")).join("\n")}\n`], {
        type: "text/csv",
    });
}

/** A figure on paper: what it is of, what is said below it, and the picture. */
export interface PaperFigure {
    caption: string;
    note: string;
    svg: string;
}

const PAPER_WIDTH = 480;

// ---- figures that are on the page ----

const figures = new Set<Figure>();

/** The library keeps what is not let go. */
function sweep(): void {
    for (const f of figures) f.letGo();
}

/** After the theme has changed. */
export function redrawFigures(): void {
    sweep();
    for (const f of figures) f.redraw();
}

const resized = new ResizeObserver((entries) => {
    for (const e of entries)
        for (const f of figures) if (f.holder === e.target) f.fit();
});

/** A picture whose content can be drawn anew in place, so that a drag that has begun goes on. */
export class Figure {
    readonly element: HTMLElement;
    readonly holder = h("div", { class: "plot" });
    private readonly canvas = h("div", { class: "canvas" });
    private readonly words = h("p", { class: "hint" });
    private readonly title = h("span", { class: "caption" });
    private readonly menu: HTMLElement;
    /** Below the picture. */
    readonly foot = h("div", { class: "foot" });
    private chart: Chart | null = null;
    private drawn: Drawn | null = null;
    private wasThere = false;

    constructor(
        caption: string,
        private readonly pointer: Pointer = {},
        ...extra: (HTMLElement | null)[]
    ) {
        this.title.textContent = caption;
        this.menu = this.makeMenu();
        this.element = h(
            "figure",
            {},
            h("figcaption", {}, this.title, ...extra, this.menu),
            this.holder,
            this.foot,
        );
        this.holder.append(this.canvas);
        if (pointer.drag) this.acceptDrags(pointer.drag);
        if (pointer.box) this.acceptBoxes(pointer.box);
        sweep();
        figures.add(this);
        resized.observe(this.holder);
    }

    /** What the picture is of, where that changes. */
    caption(text: string): void {
        this.title.textContent = text;
    }

    /** What is drawn is old: the new is being asked for. */
    loading(on: boolean): void {
        this.element.classList.toggle("loading", on);
    }

    draw(chart: Chart): void {
        const before = this.chart;
        this.chart = chart;
        this.menu.hidden = false;
        this.words.remove();
        this.canvas.hidden = false;
        this.loading(false);
        this.holder.style.minHeight = `${chart.height}px`;
        if (!this.drawn || !before) return this.redraw();
        const moved = chart.moved?.(before, onPage());
        if (moved) this.drawn.setOption(moved);
        else this.redraw(before.title !== chart.title);
        this.name();
    }

    say(text: string): void {
        this.chart = null;
        this.loading(false);
        this.foot.replaceChildren();
        this.words.textContent = text;
        this.holder.style.minHeight = "";
        this.canvas.hidden = true;
        this.holder.append(this.words);
        this.menu.hidden = true;
        this.drawn?.dispose();
        this.drawn = null;
    }

    /** For a report; null where nothing is drawn. */
    paper(): PaperFigure | null {
        const chart = this.chart;
        if (!chart || this.element.hidden || !this.element.isConnected) return null;
        const size = `viewBox="0 0 ${PAPER_WIDTH} ${chart.height}"`;
        const svg = paperSvg(chart, PAPER_WIDTH, chart.height).replace(
            /^<svg [^>]*>/,
            `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${chart.title
                .replaceAll("&", "&amp;")
                .replaceAll('"', "&quot;")
                .replaceAll("<", "&lt;")}">`,
        );
        const note = [...this.foot.querySelectorAll(".hint")].map((e) => e.textContent ?? "");
        return { caption: this.title.textContent ?? "", note: note.join(" ").trim(), svg };
    }

    // ---- drawing ----

    redraw(anew = true): void {
        const [width, height] = [this.holder.clientWidth, this.holder.clientHeight];
        if (!this.chart || width === 0 || height === 0) return; // until it has a place
        if (!this.drawn) {
            this.drawn = init(this.canvas, null, { renderer: "svg", width, height });
            this.listen(this.drawn);
        }
        const option = this.chart.option(onPage(), width);
        // without `anew` what was zoomed or hidden stays so
        if (anew) this.drawn.setOption(option, { notMerge: true });
        else this.drawn.setOption(option, { replaceMerge: ["series"] });
        this.name();
    }

    /** Its place has another size. */
    fit(): void {
        this.wasThere = true;
        const [width, height] = [this.holder.clientWidth, this.holder.clientHeight];
        if (!this.chart || width === 0) return;
        if (!this.drawn) return this.redraw();
        if (this.drawn.getWidth() === width && this.drawn.getHeight() === height) return;
        this.drawn.resize({ width, height });
        this.redraw(false);
    }

    letGo(): void {
        if (!this.wasThere || this.element.isConnected) return;
        resized.unobserve(this.holder);
        figures.delete(this);
        this.drawn?.dispose();
        this.drawn = null;
    }

    private name(): void {
        const svg = this.canvas.querySelector("svg");
        if (!svg || !this.chart) return;
        svg.setAttribute("role", "img");
        svg.setAttribute("aria-label", `${this.chart.title}. ${this.chart.description}`);
    }

    // ---- the pointer ----

    private listen(drawn: Drawn): void {
        drawn.on("click", (e) => {
            const about = e as { componentType: string; dataIndex?: number; value?: unknown };
            const keys = this.chart?.keys;
            const named = this.chart?.rows().findIndex((r) => r[0] === about.value) ?? -1;
            const at = about.componentType === "yAxis" ? named - 1 : (about.dataIndex ?? -1);
            const key = keys?.[at];
            if (key !== undefined) this.pointer.pick?.(key);
        });
        drawn.on("datazoom", () => this.seen());
        drawn.getZr().on("dblclick", () => this.zoom(null));
    }

    private range(axis: "x" | "y"): [number, number] {
        const scale = this.chart![axis]!;
        const zooms = (this.drawn!.getOption() as { dataZoom?: Zoomed[] }).dataZoom ?? [];
        const z = zooms[axis === "x" ? 0 : 1];
        const part = (p: number): number => scale.lo + (p / 100) * (scale.hi - scale.lo);
        return [part(z?.start ?? 0), part(z?.end ?? 100)];
    }

    /** Ticks are those of the part that is seen. */
    private seen(): void {
        const option = this.chart?.ticks?.(
            this.range("x"),
            this.range("y"),
            this.holder.clientWidth,
        );
        if (option) this.drawn?.setOption(option);
    }

    /** Nearer by a factor, or all of it. */
    private zoom(factor: number | null): void {
        if (!this.drawn || !this.chart?.ticks) return;
        const zooms = (this.drawn.getOption() as { dataZoom?: Zoomed[] }).dataZoom ?? [];
        zooms.forEach((z, dataZoomIndex) => {
            const [from, to] = [z.start ?? 0, z.end ?? 100];
            const half = factor === null ? 50 : Math.min(50, ((to - from) / 2) * factor);
            const middle = Math.min(100 - half, Math.max(half, (from + to) / 2));
            this.drawn!.dispatchAction({
                type: "dataZoom",
                dataZoomIndex,
                start: middle - half,
                end: middle + half,
            });
        });
    }

    private acceptDrags(drag: (x: number) => void): void {
        const at = (e: PointerEvent): void => {
            const scale = this.chart?.x;
            if (!this.drawn || !scale) return;
            const box = this.holder.getBoundingClientRect();
            const [x] = this.drawn.convertFromPixel({ gridIndex: 0 }, [
                e.clientX - box.left,
                e.clientY - box.top,
            ]) as [number, number];
            drag(scale.from(Math.max(scale.lo, Math.min(scale.hi, x))));
        };
        const inGrid = (e: PointerEvent): boolean => {
            const box = this.holder.getBoundingClientRect();
            return (
                this.drawn?.containPixel({ gridIndex: 0 }, [
                    e.clientX - box.left,
                    e.clientY - box.top,
                ]) ?? false
            );
        };
        this.holder.classList.add("dragged");
        this.holder.addEventListener("pointerdown", (e) => {
            if (e.shiftKey || e.button !== 0 || !inGrid(e)) return;
            const end = (): void => {
                window.removeEventListener("pointermove", at);
                window.removeEventListener("pointerup", end);
                window.removeEventListener("pointercancel", end);
            };
            window.addEventListener("pointermove", at);
            window.addEventListener("pointerup", end);
            window.addEventListener("pointercancel", end);
            at(e);
        });
    }

    /** Values at a place of the window; null where that is outside the axes. */
    private valuesAt(x: number, y: number): [number, number] | null {
        const chart = this.chart;
        const box = this.holder.getBoundingClientRect();
        const at = [x - box.left, y - box.top];
        if (!this.drawn || !chart?.x || !chart.y) return null;
        const found = this.drawn.convertFromPixel({ gridIndex: 0 }, at) as [number, number];
        return [chart.x.from(found[0]), chart.y.from(found[1])];
    }

    private acceptBoxes(take: NonNullable<Pointer["box"]>): void {
        const NEAR = 7;
        const frame = h("div", { class: "pick-box", hidden: true });
        this.holder.append(frame);
        this.holder.classList.add("picked");
        const sides = (a: PointerEvent, b: PointerEvent): [number, number, number, number] => {
            const near = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) < 5 ? NEAR : 0;
            return [
                Math.min(a.clientX, b.clientX) - near,
                Math.min(a.clientY, b.clientY) - near,
                Math.max(a.clientX, b.clientX) + near,
                Math.max(a.clientY, b.clientY) + near,
            ];
        };
        this.holder.addEventListener("pointerdown", (from) => {
            const inside = this.holder.getBoundingClientRect();
            const place = [from.clientX - inside.left, from.clientY - inside.top];
            if (from.shiftKey || from.button !== 0) return;
            if (!this.drawn?.containPixel({ gridIndex: 0 }, place)) return;
            const move = (e: PointerEvent): void => {
                const [x1, y1, x2, y2] = sides(from, e);
                frame.hidden = false;
                frame.style.left = `${x1 - inside.left}px`;
                frame.style.top = `${y1 - inside.top}px`;
                frame.style.width = `${x2 - x1}px`;
                frame.style.height = `${y2 - y1}px`;
            };
            const end = (e: PointerEvent): void => {
                window.removeEventListener("pointermove", move);
                window.removeEventListener("pointerup", end);
                window.removeEventListener("pointercancel", end);
                frame.hidden = true;
                if (e.type === "pointercancel") return;
                const [x1, y1, x2, y2] = sides(from, e);
                const [a, b] = [this.valuesAt(x1, y2), this.valuesAt(x2, y1)];
                if (a && b) take([Math.min(a[0], b[0]), Math.max(a[0], b[0])], [a[1], b[1]]);
            };
            window.addEventListener("pointermove", move);
            window.addEventListener("pointerup", end);
            window.addEventListener("pointercancel", end);
        });
    }

    // ---- the menu ----

    private makeMenu(): HTMLElement {
        type Work = () => void | Promise<void>;
        const item = (label: string, title: string, work: Work): HTMLElement =>
            h(
                "button",
                {
                    title,
                    onclick: () => {
                        details.open = false;
                        void (async () => work())().catch(report);
                    },
                },
                label,
            );
        const details = h("details", { class: "menu" }) as HTMLDetailsElement;
        details.append(
            h("summary", { "aria-label": "Save or zoom this figure", title: "Save or zoom" }, "⋯"),
            h(
                "div",
                { class: "menu-items" },
                item("SVG", "Save as SVG", () => this.save("svg")),
                item("PNG", "Save as PNG", () => this.save("png")),
                item("PDF", "Print, or save as PDF, this figure alone", () => this.save("pdf")),
                item("CSV", "Save the numbers that are drawn", () => this.save("csv")),
                item("Zoom in", "Also by Ctrl and the wheel", () => this.zoom(0.5)),
                item("Zoom out", "Also by Ctrl and the wheel", () => this.zoom(2)),
                item("Show all", "Also by a double click", () => this.zoom(null)),
            ),
        );
        details.addEventListener("focusout", (e) => {
            if (!details.contains(e.relatedTarget as Node | null)) details.open = false;
        });
        details.addEventListener("keydown", (e) => {
            if (e.key === "Escape") details.open = false;
        });
        details.hidden = true;
        return details;
    }

    private async save(ending: "svg" | "png" | "pdf" | "csv"): Promise<void> {
        const chart = this.chart;
        if (!chart) return;
        const run = state.run?.name.replace(/\.csv\b/g, "") ?? "";
        const name = fileName(`${run} ${chart.title}`);
        const [width, height] = [this.holder.clientWidth, this.holder.clientHeight];
        if (ending === "csv") return download(`${name}.csv`, toCsv(chart.rows()));
        const svg = paperSvg(chart, width, height);
        if (ending === "pdf") return printAlone(svg, name, width, height);
        download(
            `${name}.${ending}`,
            ending === "svg"
                ? new Blob([svg], { type: "image/svg+xml" })
                : await toPng(svg, width, height),
        );
    }
}

interface Zoomed {
    start?: number;
    end?: number;
}
