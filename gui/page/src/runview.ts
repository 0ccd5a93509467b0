// A run: the path to look at, λ to move along it.

import { api, type Detail, type KernelFunction, type KernelWeight, type Point, type Profile, type Run } from "./api";
import { barChart, confusionChart, lineChart, type Bar, type Series } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { count, seconds, short } from "./numbers";
import { isGoing, ProgressStrip } from "./progress";
import { ResultFiles } from "./resultfiles";
import { FAINT, INK, MUTED, PALETTE } from "./scene";
import { clearOffline, openRun, report, setPoint, state } from "./state";
import { validationInWords } from "./steps";
import { measureName, verdict } from "./verdict";

const OUTCOME: Record<string, string> = { stalled: "rounding stopped further progress", max_iter: "the iterations allowed were not enough" };
const LAMBDA = { label: "λ (less regularised to the right)", log: true, reverse: true };

function measured(p: Point, part: "train" | "test", measure: string): number | null {
    return p[part]?.[measure] ?? null;
}

/** Nothing where there is no standard error: of one split. */
function plusMinus(p: Point): string {
    return typeof p.cvsd === "number" ? ` ± ${short(p.cvsd, 2)}` : "";
}

function nearest(values: number[], x: number): number {
    let best = 0;
    values.forEach((v, i) => {
        if (Math.abs(Math.log(v / x)) < Math.abs(Math.log(values[best]! / x))) best = i;
    });
    return best;
}

function choice<T extends string>(label: string, options: [T, string][], onchange: (v: T) => void): HTMLSelectElement {
    return h("select", { "aria-label": label, onchange: (e: Event) => onchange((e.target as HTMLSelectElement).value as T) }, options.map(([v, t]) => h("option", { value: v }, t)));
}

// ---- what can be drawn along the path ----

const BASELINES: Record<string, string> = {
    "uniform average": "all kernels, equal weights",
    "alignment average": "all kernels, weighted by alignment with the target",
    "best aligned kernel": "the one kernel best aligned with the target",
    "ridge on the inputs": "ridge regression on the inputs",
};

type Along = { key: string; label: string; log?: boolean; whole?: boolean; value: (p: Point) => number | null | undefined };

const ALONG: Along[] = [
    { key: "selected", label: "Kernels selected", whole: true, value: (p) => p.selected },
    { key: "df", label: "Degrees of freedom", value: (p) => p.df },
    { key: "seconds", label: "Seconds", value: (p) => p.seconds },
    { key: "iterations", label: "Iterations", whole: true, value: (p) => p.iterations },
    { key: "gap", label: "Certified relative gap", log: true, value: (p) => p.gap },
    { key: "objective", label: "Objective", value: (p) => p.objective },
    ...(["gcv", "loo", "aic", "bic", "cp"] as const).map((key): Along => ({ key, label: { gcv: "GCV", loo: "Leave one out", aic: "AIC", bic: "BIC", cp: "Cp" }[key], value: (p) => p[key] })),
];

// ---- kernels by the columns they look at ----

interface Group {
    name: string;
    weight: number;
    share: number;
    /** The kernel of it that counts most. */
    first: KernelWeight;
}

function inputName(k: KernelWeight): string {
    if (k.columns.length === 1) return k.columns[0]!;
    const said = k.name.split("@")[1] ?? "all";
    return said === "all" ? "all columns together" : said;
}

function sameColumns(a: KernelWeight, b: KernelWeight): boolean {
    return JSON.stringify(a.columns) === JSON.stringify(b.columns);
}

function byInput(kernels: KernelWeight[]): Group[] {
    const groups = new Map<string, Group>();
    for (const k of kernels) {
        const key = JSON.stringify(k.columns);
        const g = groups.get(key);
        if (!g) groups.set(key, { name: inputName(k), weight: k.weight, share: k.share, first: k });
        else {
            if (k.weight > g.first.weight) g.first = k;
            g.weight += k.weight;
            g.share += k.share;
        }
    }
    return [...groups.values()].sort((a, b) => b.weight - a.weight);
}

/** Contributions of kernels that look at the same columns: at the same places, so that they can be added. */
function addUp(parts: KernelFunction[]): KernelFunction {
    const first = parts[0]!;
    const missing = parts.find((p) => p.unavailable);
    if (missing) return missing;
    const sum: KernelFunction = { ...first };
    if (first.f) sum.f = first.f.map((_, i) => parts.reduce((s, p) => s + (p.f?.[i] ?? 0), 0));
    if (first.rows) sum.rows = first.rows.map(([x], i) => [x, parts.reduce((s, p) => s + (p.rows?.[i]?.[1] ?? 0), 0)]);
    return sum;
}

export class RunView {
    readonly element = h("section", { "aria-label": "Result" });
    private readonly lambdas: number[];
    private readonly strip: ProgressStrip | null;
    private readonly curve: Figure;
    private readonly along: Figure;
    private readonly profile: Figure;
    private readonly kernels: Figure;
    private readonly outcome = new Figure("Predicted against actual");
    private readonly piece = new Figure("Contribution");
    private readonly sentence = h("p", { class: "verdict" });
    private readonly numbers = h("div", { class: "cards" });
    private readonly coefficients = h("div");
    private readonly files: ResultFiles;
    private readonly slider: HTMLInputElement;
    private readonly lambdaText = h("output");
    private alongKey = "selected";
    private kernelsBy: "kernel" | "input" = "input";
    private profileOf: "weights" | "coefficients" = "weights";
    private profileX: "lambda" | "df" = "lambda";
    private profileData: Profile | null = null;
    private profileLines: Series[] = [];
    private detail: Detail | null = null;
    private kernel: number | null = null;
    private output = 0;
    private asking: AbortController | null = null;

    constructor(private readonly run: Run) {
        const r = run.result!;
        this.lambdas = r.points.map((p) => p.lambda);
        const pointer = { hover: (x: number) => this.describe(nearest(this.lambdas, x)), drag: (x: number) => setPoint(nearest(this.lambdas, x)) };
        this.strip = isGoing(run) ? new ProgressStrip(run) : null;
        this.files = new ResultFiles(run);
        this.curve = new Figure(`${measureName(r.measure)} along the path`, pointer);
        this.along = new Figure("Along the path", { ...pointer, hover: (x) => this.describeAlong(nearest(this.lambdas, x)) }, this.alongChoice());
        this.profile = new Figure("Profile", { ...pointer, drag: (x) => setPoint(this.nearestOnProfile(x)), hover: (x, y, pixel) => this.nearestLine(x, y, pixel) }, this.profileChoice());
        this.kernels = new Figure("What the prediction rests on", { pick: (key) => this.pickKernel(Number(key)) }, this.kernelsChoice());
        this.slider = h("input", { type: "range", id: "lambda", min: 0, max: this.lambdas.length - 1, step: 1, value: state.point, "aria-label": "λ: to the right, less regularisation", oninput: (e: Event) => setPoint(Number((e.target as HTMLInputElement).value)) });
        fill(this.element, this.heading(), this.strip?.element, this.sentence, this.files.buttons, this.numbers, this.sliderRow(), this.figures(), this.baselines(), this.files.commands, this.notes());
        void this.loadProfile();
        this.update();
    }

    private get result(): NonNullable<Run["result"]> {
        return this.run.result!;
    }

    // ---- what does not change with λ ----

    private heading(): HTMLElement {
        const r = this.result;
        const rename = (e: Event): void => {
            const text = (e.target as HTMLInputElement).value.trim();
            if (!text) (e.target as HTMLInputElement).value = this.run.name;
            else if (text !== this.run.name) void api.rename(this.run.id, text).then(() => openRun(this.run.id)).catch(report);
        };
        const task = r.task === "classification" ? `${r.classes.length} classes` : "regression";
        const stopped = this.run.status === "stopped" ? " – stopped before the end" : this.run.status === "failed" ? " – failed before the end" : "";
        const time = isGoing(this.run) ? "" : ` in ${seconds(this.run.seconds)}`;
        const how = ` – validation: ${validationInWords(this.run.settings)}`;
        return h(
            "div",
            {},
            h("h1", { class: "hidden-text" }, this.run.name),
            h("button", { class: "link rename", onclick: () => (this.element.querySelector("#name") as HTMLInputElement | null)?.select() }, "Rename"),
            h("input", { class: "name", id: "name", value: this.run.name, title: "Type to rename", "aria-label": "Name of the run", onchange: rename }),
            h("p", { class: "hint" }, `${this.run.data.name}: ${task}, ${count(r.n, "row")}, ${count(r.m, "kernel")}, ${count(r.points.length, "value")} of λ${time}${how}${stopped}`),
            this.run.status === "failed" && this.run.error ? h("p", { class: "wrong" }, this.run.error) : null,
        );
    }

    private notes(): HTMLElement | null {
        return this.result.notes.length ? h("ul", { class: "notes" }, this.result.notes.map((n) => h("li", {}, n))) : null;
    }

    private alongChoice(): HTMLElement {
        const there = ALONG.filter((a) => this.result.points.some((p) => typeof a.value(p) === "number"));
        return choice("What is shown along the path", there.map((a): [string, string] => [a.key, a.label]), (v) => {
            this.alongKey = v;
            this.drawAlong();
        });
    }

    private kernelsChoice(): HTMLElement {
        return choice("Bars for", [["input", "each input"], ["kernel", "each kernel"]], (v) => {
            this.kernelsBy = v;
            this.drawKernels();
            void this.drawPiece();
        });
    }

    private profileChoice(): HTMLElement {
        const of = choice("What is drawn", [["weights", "weights of kernels"], ["coefficients", "coefficients"]], (v) => {
            this.profileOf = v;
            this.drawProfile();
        });
        const against = choice("Against", [["lambda", "against λ"], ["df", "against df"]], (v) => {
            this.profileX = v;
            this.drawProfile();
        });
        return h("span", { class: "choices" }, of, against);
    }

    private outputChoice(): HTMLElement | null {
        if (this.result.outputs.length < 2) return null;
        const what = this.result.task === "classification" ? "Class" : "Target";
        const pick = choice(`${what} whose kernels are shown`, this.result.outputs.map((o, i): [string, string] => [String(i), o]), (v) => {
            this.output = Number(v);
            this.drawProfile();
            this.drawDetail();
        });
        return h("label", { class: "choices hint" }, `${what} shown `, pick);
    }

    private sliderRow(): HTMLElement {
        const best = this.result.best;
        const jump = (label: string, title: string, i: number | null): HTMLElement | null => (i === null || i < 0 ? null : h("button", { class: "link", title, onclick: () => setPoint(i) }, label));
        return h(
            "div",
            { class: "slider" },
            h("label", {}, "simpler", this.slider, "more flexible"),
            this.lambdaText,
            this.outputChoice(),
            jump("best (λ min)", "The λ with the best score on the validation rows", best.min),
            jump("simplest good (λ 1se)", "The simplest model within one standard error of the best", best.one_se === best.min ? null : best.one_se),
        );
    }

    private figures(): HTMLElement {
        return h("div", { class: "grid" }, this.curve.element, this.outcome.element, h("div", {}, this.kernels.element, this.coefficients), this.piece.element, this.along.element, this.profile.element);
    }

    private baselines(): HTMLElement | null {
        const list = Object.values(this.result.baselines ?? {}).filter((b) => b !== null);
        if (list.length === 0) return null;
        const chosen = this.result.points[this.result.best.chosen ?? -1];
        const row = (name: string, score: number | null | undefined, error: number | null | undefined, ours: boolean): HTMLElement => h("tr", { class: ours ? "target" : "" }, h("th", { scope: "row" }, name), h("td", { class: "num" }, short(score)), h("td", { class: "num" }, short(error)));
        const head = [measureName(this.result.measure), "± standard error"].map((t) => h("th", { scope: "col", class: "num" }, t));
        return h(
            "details",
            { open: true, class: "more" },
            h("summary", {}, "Beside simpler models, on the same splits"),
            h("table", {}, h("thead", {}, h("tr", {}, h("td"), head)), h("tbody", {}, row("learned (RLS2)", chosen?.cvm, chosen?.cvsd, true), list.map((b) => row(BASELINES[b.name] ?? b.name, b.cvm, b.cvsd, false)))),
            this.betterBaseline(list.map((b): [string, number] => [BASELINES[b.name] ?? b.name, b.cvm]), chosen?.cvm),
        );
    }

    private betterBaseline(list: [string, number][], ours: number | null | undefined): HTMLElement | null {
        if (typeof ours !== "number") return null;
        const better = list.filter(([, score]) => (this.result.rises ? score > ours : score < ours));
        return better.length ? h("p", { class: "hint" }, `Better on these splits than the learned kernel: ${better.map(([name]) => name).join("; ")}.`) : null;
    }

    // ---- what changes with λ: the path ----

    private marks(): { x: number; label: string; strong?: boolean; colour?: string }[] {
        const best = this.result.best;
        const at = (i: number): number => this.lambdas[i] ?? NaN;
        return [
            ...(best.min !== null && best.min >= 0 ? [{ x: at(best.min), label: "min" }] : []),
            ...(best.one_se !== null && best.one_se >= 0 && best.one_se !== best.min ? [{ x: at(best.one_se), label: "1se" }] : []),
            { x: at(state.point), label: "", strong: true, colour: INK },
        ];
    }

    private describe(i: number): string {
        const p = this.result.points[i];
        if (!p) return "";
        const m = this.result.measure;
        const parts = [`λ ${short(p.lambda)}`, `training ${short(measured(p, "train", m))}`];
        if (typeof p.cvm === "number") parts.push(`validation ${short(p.cvm)}${plusMinus(p)}`);
        if (p.test) parts.push(`test ${short(measured(p, "test", m))}`);
        parts.push(count(p.selected, "kernel"));
        return parts.join(", ");
    }

    private describeAlong(i: number): string {
        const along = ALONG.find((a) => a.key === this.alongKey) ?? ALONG[0]!;
        const p = this.result.points[i];
        return p ? `λ ${short(p.lambda)}: ${along.label.toLowerCase()} ${short(along.value(p))}` : "";
    }

    private drawCurve(): void {
        const { points, measure } = this.result;
        const x = this.lambdas;
        const dots = x.length < 60;
        const series: Series[] = [{ name: "training", x, y: points.map((p) => measured(p, "train", measure)), colour: MUTED, dots }];
        if (points.some((p) => typeof p.cvm === "number")) {
            const edge = (sign: number): (number | null)[] => points.map((p) => (typeof p.cvm === "number" && typeof p.cvsd === "number" ? p.cvm + sign * p.cvsd : null));
            series.push({ name: points.some((p) => typeof p.cvsd === "number") ? "validation (± standard error)" : "validation", x, y: points.map((p) => p.cvm), colour: PALETTE[0]!, dots, band: { lo: edge(-1), hi: edge(1) } });
        }
        if (points.some((p) => p.test)) series.push({ name: "test", x, y: points.map((p) => measured(p, "test", measure)), colour: PALETTE[1]!, dots });
        this.curve.draw(lineChart({ title: `${measureName(measure)} against lambda`, x: LAMBDA, y: { label: measureName(measure) }, series, marks: this.marks() }));
    }

    private drawAlong(): void {
        const along = ALONG.find((a) => a.key === this.alongKey) ?? ALONG[0]!;
        const y: { label: string; log?: boolean; whole?: boolean } = { label: along.label };
        if (along.log) y.log = true;
        if (along.whole) y.whole = true;
        const series: Series[] = [{ name: along.label, x: this.lambdas, y: this.result.points.map(along.value), dots: this.lambdas.length < 60 }];
        this.along.draw(lineChart({ title: `${along.label} against lambda`, x: LAMBDA, y, series, marks: this.marks() }));
    }

    private async loadProfile(): Promise<void> {
        try {
            this.profileData = await api.profile(this.run.id);
            this.drawProfile();
        } catch (error) {
            report(error);
        }
    }

    private profileAxis(): number[] {
        const data = this.profileData;
        return this.profileX === "df" && data?.df.every((v) => typeof v === "number") ? (data.df as number[]) : this.lambdas;
    }

    private nearestOnProfile(x: number): number {
        const axis = this.profileAxis();
        if (axis === this.lambdas) return nearest(axis, x);
        return axis.reduce((best, v, i) => (Math.abs(v - x) < Math.abs(axis[best]! - x) ? i : best), 0);
    }

    /** The line nearest to the pointer, if one is near. */
    private nearestLine(x: number, y: number, pixel: number): string {
        const at = this.nearestOnProfile(x);
        let best: { name: string; value: number; distance: number } | null = null;
        for (const s of this.profileLines) {
            const value = s.y[at];
            if (typeof value !== "number") continue;
            const distance = Math.abs(value - y) / pixel;
            if (distance < 12 && distance < (best?.distance ?? Infinity)) best = { name: s.name, value, distance };
        }
        return best ? `${best.name}: ${short(best.value)}` : "";
    }

    private drawProfile(): void {
        const output = this.profileData?.outputs[this.output];
        if (!output) return;
        const weights = this.profileOf === "weights";
        const lines = weights ? output.kernels.map((k) => ({ name: k.name, values: k.weights })) : (output.coefficients ?? []).map((c) => ({ name: c.name, values: c.values }));
        if (lines.length === 0) return this.profile.say(weights ? "No kernel is selected." : "Coefficients exist where every kernel is linear.");
        const size = (v: number[]): number => v.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
        const strongest = [...lines].sort((a, b) => size(b.values) - size(a.values)).slice(0, 100);
        const x = this.profileAxis();
        const series = strongest.map((l, i): Series => ({ name: l.name, x, y: l.values, width: i < 8 ? 2 : 1, colour: PALETTE[i] ?? FAINT }));
        this.profileLines = series;
        fill(this.profile.foot, series.length > 8 ? h("span", { class: "hint" }, `and ${lines.length - 8} more: point at a line`) : null);
        const here = x[state.point];
        this.profile.draw(
            lineChart({
                title: weights ? "Weights of kernels along the path" : "Coefficients along the path",
                x: x === this.lambdas ? LAMBDA : { label: "degrees of freedom" },
                y: { label: weights ? "weight" : "coefficient" },
                series,
                legend: "above",
                marks: here === undefined ? [] : [{ x: here, label: "", strong: true }],
            }),
        );
    }

    /** Why there is no score of rows that were not learned from. */
    private unvalidated(): string {
        if (isGoing(this.run)) return "That is the fit to rows it has seen and says little of new ones: validation is under way.";
        if (this.run.status === "stopped") return "It was stopped before it was validated: new rows will be predicted worse.";
        return "Nothing was kept aside to validate it: new rows will be predicted worse.";
    }

    private card(title: string, value: string, note = ""): HTMLElement {
        return h("div", { class: "card" }, h("div", { class: "hint" }, title), h("div", { class: "big" }, value), h("div", { class: "hint" }, note));
    }

    private drawNumbers(): void {
        const p = this.result.points[state.point];
        if (!p) return;
        const m = this.result.measure;
        const name = measureName(m);
        const many = this.result.outputs.length > 1 ? `, over ${this.result.outputs.length} ${this.result.task === "classification" ? "classes" : "targets"}` : "";
        fill(
            this.numbers,
            typeof p.cvm === "number" ? this.card(`${name}, validation`, short(p.cvm), plusMinus(p).trim()) : null,
            p.test ? this.card(`${name}, test`, short(measured(p, "test", m))) : null,
            this.card(`${name}, training`, short(measured(p, "train", m))),
            this.card("Kernels selected", String(p.selected), `of ${this.result.m}${many}`),
            this.card("Degrees of freedom", short(p.df, 3), `of ${this.result.n} rows${many}`),
            this.card("Certificate", p.gap.toExponential(1), OUTCOME[p.outcome] ?? "proved to be within this share of the best possible fit"),
        );
        this.sentence.textContent = verdict(this.result, p, this.detail, this.unvalidated());
        this.lambdaText.textContent = `λ = ${short(p.lambda)}`;
        this.slider.value = String(state.point);
        this.slider.setAttribute("aria-valuetext", this.describe(state.point));
    }

    // ---- what changes with λ: the model there ----

    private async loadDetail(): Promise<void> {
        if (!state.data.some((d) => d.id === this.run.data.id)) return this.sayDataGone();
        this.asking?.abort();
        this.asking = new AbortController();
        const at = state.point;
        try {
            const detail = await api.point(this.run.id, at, this.asking.signal);
            if (at !== state.point) return;
            this.detail = detail;
            clearOffline();
            this.drawNumbers();
            this.drawDetail();
        } catch (error) {
            report(error);
        }
    }

    private sayDataGone(): void {
        for (const f of [this.kernels, this.outcome, this.piece]) f.say("The data of this run were deleted; the path and the models are still there.");
    }

    private drawDetail(): void {
        const output = this.detail?.outputs[this.output];
        if (!this.detail || !output) return;
        const strongest = [...output.kernels].sort((a, b) => b.weight - a.weight)[0];
        if (this.kernel === null || !output.kernels.some((k) => k.index === this.kernel)) this.kernel = strongest?.index ?? null;
        this.drawKernels();
        this.drawOutcome();
        void this.drawPiece();
    }

    private pickKernel(index: number): void {
        this.kernel = index;
        this.drawKernels();
        void this.drawPiece();
    }

    private drawKernels(): void {
        const output = this.detail?.outputs[this.output];
        if (!output) return;
        const kernels = [...output.kernels].sort((a, b) => b.weight - a.weight).slice(0, 25);
        const chosen = output.kernels.find((k) => k.index === this.kernel);
        const part = (share: number): string => `${short(100 * share, 3)} % of the variance of the fit`;
        const bars: Bar[] =
            this.kernelsBy === "kernel"
                ? kernels.map((k) => ({ name: k.name, value: k.weight, pick: String(k.index), title: `${k.name}: weight ${short(k.weight)}, ${part(k.share)}`, colour: k.index === this.kernel ? PALETTE[1]! : PALETTE[0]! }))
                : byInput(output.kernels).slice(0, 25).map((g) => ({ name: g.name, value: g.weight, pick: String(g.first.index), title: `${g.name}: weight ${short(g.weight)}, ${part(g.share)}`, colour: chosen && inputName(chosen) === g.name ? PALETTE[1]! : PALETTE[0]! }));
        if (bars.length === 0) this.kernels.say("No kernel is selected: the prediction is the intercept.");
        else this.kernels.draw(barChart(this.kernelsBy === "kernel" ? "Selected kernels" : "Selected inputs", "weight", bars));
        const more = output.kernels.length - kernels.length;
        fill(this.kernels.foot, more > 0 && this.kernelsBy === "kernel" ? h("span", { class: "hint" }, `and ${count(more, "kernel")} of less weight`) : null);
        this.drawKernelList(kernels);
    }

    private drawKernelList(kernels: KernelWeight[]): void {
        const output = this.detail!.outputs[this.output]!;
        const chosen = output.kernels.find((k) => k.index === this.kernel);
        const isChosen = (k: KernelWeight): boolean => (this.kernelsBy === "kernel" || !chosen ? k.index === this.kernel : sameColumns(k, chosen));
        const chip = (k: KernelWeight): HTMLElement => h("button", { class: "chip", id: `kernel-${k.index}`, "aria-pressed": isChosen(k) ? "true" : "false", onclick: () => this.pickKernel(k.index) }, this.kernelsBy === "kernel" ? k.name : inputName(k));
        const listed = this.kernelsBy === "kernel" ? kernels : byInput(output.kernels).slice(0, 25).map((g) => g.first);
        const focused = document.activeElement?.id;
        const list = output.coefficients?.filter((c) => c.value !== 0).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 50) ?? [];
        const open = this.coefficients.querySelector("details")?.open ?? false;
        const head = ["Column", "As learned", "In units of the column"].map((t) => h("th", { scope: "col" }, t));
        const rows = list.map((c) => h("tr", {}, h("th", { scope: "row" }, c.name), h("td", { class: "num" }, short(c.value)), h("td", { class: "num" }, short(c.original))));
        fill(
            this.coefficients,
            h("div", { class: "chips", role: "group", "aria-label": "Show what it contributes" }, listed.map(chip)),
            list.length ? h("details", { class: "more", open }, h("summary", {}, "Coefficients"), h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))) : null,
        );
        if (focused?.startsWith("kernel-")) document.getElementById(focused)?.focus();
    }

    private drawOutcome(): void {
        const d = this.detail!;
        if (d.confusion) {
            const part = d.confusion.test ? "test" : d.confusion.left_out ? "left_out" : "train";
            const name = { test: "test rows", left_out: "validation rows", train: "training rows" }[part];
            this.outcome.caption(`Right and wrong, ${name}`);
            return this.outcome.draw(confusionChart(`Confusion, ${name}`, d.confusion.classes, d.confusion[part]!));
        }
        const o = Math.min(this.output, d.train.actual.length - 1);
        const target = this.run.settings.target[o] ?? "";
        const series: Series[] = [{ name: "training", x: d.train.actual[o] ?? [], y: d.train.fitted[o] ?? [], line: false, colour: MUTED }];
        if (d.left_out) series.push({ name: "validation", x: d.left_out.actual[o] ?? [], y: d.left_out.predicted[o] ?? [], line: false, colour: PALETTE[0]! });
        if (d.test) series.push({ name: "test", x: d.test.actual[o] ?? [], y: d.test.fitted[o] ?? [], line: false, colour: PALETTE[1]! });
        this.outcome.draw(lineChart({ title: "Predicted against actual", x: { label: `actual ${target}` }, y: { label: `predicted ${target}` }, series, diagonal: true, legend: true }));
    }

    /** The kernels whose contributions are added up: the one picked, or all that look at its columns. */
    private picked(): KernelWeight[] {
        const all = this.detail?.outputs[this.output]?.kernels ?? [];
        const one = all.find((k) => k.index === this.kernel);
        if (!one) return [];
        return this.kernelsBy === "kernel" ? [one] : all.filter((k) => sameColumns(k, one));
    }

    private async drawPiece(): Promise<void> {
        const kernels = this.picked();
        if (kernels.length === 0) return this.piece.say("");
        const wanted = (): string => `${state.point} ${this.output} ${this.picked().map((k) => k.index).join()}`;
        const asked = wanted();
        const [at, output] = [state.point, this.output];
        try {
            const parts = await Promise.all(kernels.map((k) => api.kernelFunction(this.run.id, at, k.index, output)));
            if (asked !== wanted()) return;
            const name = this.kernelsBy === "kernel" ? kernels[0]!.name : inputName(kernels[0]!);
            this.piece.caption(`Contribution of ${name}${kernels.length > 1 ? ` (${kernels.length} kernels)` : ""}`);
            this.drawContribution(name, addUp(parts));
        } catch (error) {
            report(error);
        }
    }

    private drawContribution(name: string, f: KernelFunction): void {
        const y = { label: "contribution" };
        if (f.rows) this.piece.draw(lineChart({ title: `${name} against the prediction`, x: { label: "prediction" }, y, series: [{ name, x: f.rows.map((r) => r[0]), y: f.rows.map((r) => r[1]), line: false }] }));
        else if (!f.x || !f.f) this.piece.say(f.unavailable ?? "It looks at several columns.");
        else this.piece.draw(lineChart({ title: `${name} along ${f.column}`, x: { label: f.column ?? "" }, y, series: [{ name, x: f.x, y: f.f }], rug: f.rug ?? [] }));
    }

    /** After the server has told how far it is. */
    updateProgress(run: Run): void {
        this.strip?.update(run);
    }

    /** After λ has moved. */
    update(): void {
        this.drawNumbers();
        this.drawCurve();
        this.drawAlong();
        this.drawProfile();
        void this.loadDetail();
        this.files.moved();
    }
}
