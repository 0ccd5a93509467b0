// A run: progress while it goes, then the path to look at.

import { api, type Detail, type Point, type Profile, type Run } from "./api";
import { barChart, confusionChart, lineChart, type Series } from "./chart";
import { download, fill, h } from "./dom";
import { Figure } from "./figure";
import { count, seconds, short } from "./numbers";
import { INK, PALETTE } from "./scene";
import { live, openRun, report, setPoint, state } from "./state";

const OUTCOME: Record<string, string> = { converged: "", stalled: "rounding stopped further progress", max_iter: "the iterations allowed were not enough" };

// ---- while it runs ----

export function progressView(run: Run): HTMLElement {
    const waiting = run.status === "queued";
    const share = live && live.total > 0 ? live.done / live.total : null;
    const eta = live?.eta_s !== null && live?.eta_s !== undefined ? `, about ${seconds(live.eta_s)} left` : "";
    return h(
        "section",
        { class: "progress", "aria-label": "Progress" },
        h("h1", {}, run.name),
        h("p", { "aria-live": "polite" }, waiting ? "Waiting for the run before it." : live ? `${live.stage}: ${live.done} of ${live.total}${eta}` : "Starting…"),
        h("progress", share === null ? {} : { max: 1, value: share }),
        h("button", { onclick: () => void api.stop(run.id).catch(report) }, "Stop"),
    );
}

// ---- the result ----

function measured(p: Point, part: "train" | "test", measure: string): number | null {
    return p[part]?.[measure] ?? null;
}

function nearest(values: number[], x: number): number {
    let best = 0;
    values.forEach((v, i) => {
        if (Math.abs(Math.log(v / x)) < Math.abs(Math.log(values[best]! / x))) best = i;
    });
    return best;
}

type Along = { key: string; label: string; log?: boolean; whole?: boolean; value: (p: Point) => number | null | undefined };

const ALONG: Along[] = [
    { key: "selected", label: "Kernels selected", whole: true, value: (p) => p.selected },
    { key: "df", label: "Degrees of freedom", value: (p) => p.df },
    { key: "seconds", label: "Seconds", value: (p) => p.seconds },
    { key: "iterations", label: "Iterations", whole: true, value: (p) => p.iterations },
    { key: "gap", label: "Certified relative gap", log: true, value: (p) => p.gap },
    { key: "objective", label: "Objective", value: (p) => p.objective },
];

export class RunView {
    readonly element = h("section", { "aria-label": "Result" });
    private readonly lambdas: number[];
    private readonly curve: Figure;
    private readonly along: Figure;
    private readonly profile: Figure;
    private readonly kernels = new Figure("Selected kernels");
    private readonly outcome = new Figure("Predicted against actual");
    private readonly piece = new Figure("What one kernel contributes");
    private readonly numbers = h("div", { class: "cards", "aria-live": "polite" });
    private readonly coefficients = h("div");
    private readonly commands = h("div");
    private readonly slider: HTMLInputElement;
    private readonly lambdaText = h("output");
    private alongKey = "selected";
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
        this.curve = new Figure(`${this.measureName()} along the path`, pointer);
        this.along = new Figure("Along the path", pointer, this.alongChoice());
        this.profile = new Figure("Profile", { ...pointer, hover: (x, y, pixel) => this.nearestLine(x, y, pixel) }, this.profileChoice());
        this.slider = h("input", { type: "range", min: 0, max: this.lambdas.length - 1, step: 1, value: state.point, "aria-label": "λ: to the right, less regularisation", oninput: (e: Event) => setPoint(Number((e.target as HTMLInputElement).value)) });
        fill(this.element, this.heading(), this.notes(), this.numbers, this.sliderRow(), this.figures(), this.baselines(), this.files(), this.commands);
        void this.loadProfile();
        this.update();
    }

    private get result(): NonNullable<Run["result"]> {
        return this.run.result!;
    }

    private measureName(): string {
        return this.result.measure.replace(/^rmse$/, "RMSE").replace(/^mse$/, "MSE").replace(/^mae$/, "MAE").replace(/^r2$/, "R²").replace("-", " ");
    }

    // ---- what does not change with λ ----

    private heading(): HTMLElement {
        const r = this.result;
        const name = h("input", { class: "name", value: this.run.name, "aria-label": "Name of the run", onchange: (e: Event) => {
            const text = (e.target as HTMLInputElement).value.trim();
            if (text) void api.rename(this.run.id, text).then(() => openRun(this.run.id)).catch(report);
        } });
        return h("div", {}, name, h("p", { class: "hint" }, `${this.run.data.name}: ${r.task === "classification" ? `${r.classes.length} classes` : "regression"}, ${count(r.n, "row")}, ${count(r.m, "kernel")}, ${r.points.length} values of λ in ${seconds(this.run.seconds)}${this.run.status === "stopped" ? " — stopped before the end" : ""}`));
    }

    private notes(): HTMLElement | null {
        return this.result.notes.length ? h("ul", { class: "notes" }, this.result.notes.map((n) => h("li", {}, n))) : null;
    }

    private alongChoice(): HTMLElement {
        return h("select", { "aria-label": "What is shown along the path", onchange: (e: Event) => {
            this.alongKey = (e.target as HTMLSelectElement).value;
            this.drawAlong();
        } }, ALONG.map((a) => h("option", { value: a.key }, a.label)), ["gcv", "loo", "aic", "bic", "cp"].map((k) => h("option", { value: k }, k.toUpperCase())));
    }

    private profileChoice(): HTMLElement {
        const choice = <T extends string>(label: string, options: [T, string][], set: (v: T) => void): HTMLElement => h("select", { "aria-label": label, onchange: (e: Event) => {
            set((e.target as HTMLSelectElement).value as T);
            this.drawProfile();
        } }, options.map(([v, t]) => h("option", { value: v }, t)));
        return h("span", {}, choice("What is drawn", [["weights", "weights of kernels"], ["coefficients", "coefficients"]], (v) => (this.profileOf = v)), choice("Against", [["lambda", "against λ"], ["df", "against df"]], (v) => (this.profileX = v)), this.outputChoice());
    }

    private outputChoice(): HTMLElement | null {
        if (this.result.outputs.length < 2) return null;
        return h("select", { "aria-label": "Output", onchange: (e: Event) => {
            this.output = Number((e.target as HTMLSelectElement).value);
            this.drawProfile();
            this.drawDetail();
        } }, this.result.outputs.map((o, i) => h("option", { value: i }, o)));
    }

    private sliderRow(): HTMLElement {
        const best = this.result.best;
        const jump = (label: string, i: number | null): HTMLElement | null => (i === null || i < 0 ? null : h("button", { class: "link", onclick: () => setPoint(i) }, label));
        return h("div", { class: "slider" }, h("label", {}, "more regularised", this.slider, "less"), this.lambdaText, jump("λ min", best.min), jump("λ 1se", best.one_se));
    }

    private figures(): HTMLElement {
        return h("div", { class: "grid" }, this.curve.element, this.along.element, h("div", {}, this.kernels.element, this.coefficients), this.outcome.element, this.profile.element, this.piece.element);
    }

    private baselines(): HTMLElement | null {
        const list = Object.values(this.result.baselines ?? {}).filter((b) => b !== null);
        if (list.length === 0) return null;
        const chosen = this.result.points[this.result.best.chosen ?? -1];
        return h("details", { open: true }, h("summary", {}, "Beside kernels that are not learned, on the same splits"), h("table", {}, h("thead", {}, h("tr", {}, ["", this.measureName(), "± standard error"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, h("tr", { class: "target" }, h("th", { scope: "row" }, "learned (RLS2)"), h("td", { class: "num" }, short(chosen?.cvm)), h("td", { class: "num" }, short(chosen?.cvsd))), list.map((b) => h("tr", {}, h("th", { scope: "row" }, b.name), h("td", { class: "num" }, short(b.cvm)), h("td", { class: "num" }, short(b.cvsd)))))));
    }

    // ---- files ----

    private save(label: string, path: () => string, name: () => string): HTMLElement {
        return h("button", { onclick: () => void api.file(path()).then((blob) => download(name(), blob)).catch(report) }, label);
    }

    private files(): HTMLElement {
        const base = `/api/runs/${this.run.id}`;
        const stem = this.run.name.replace(/[^A-Za-z0-9_.-]+/g, "-");
        const predict = h("input", { type: "file", class: "hidden-text", id: "predict-file", onchange: (e: Event) => {
            const file = (e.target as HTMLInputElement).files?.[0];
            if (file) void api.predict(this.run.id, state.point, file).then((blob) => download(`predictions-${file.name.replace(/\.[^.]*$/, "")}.csv`, blob)).catch(report);
            (e.target as HTMLInputElement).value = "";
        } });
        return h(
            "div",
            { class: "files" },
            this.save("Save the model", () => `${base}/model/${state.point}`, () => `${stem}.model`),
            this.save("Predictions (CSV)", () => `${base}/predictions/${state.point}`, () => `${stem}-predictions.csv`),
            h("label", { class: "button", for: "predict-file" }, predict, "Predict another file…"),
            this.save("Statistics (CSV)", () => `${base}/statistics.csv`, () => `${stem}-statistics.csv`),
            this.save("Statistics (JSON)", () => `${base}/statistics.json`, () => `${stem}-statistics.json`),
            h("button", { onclick: () => void this.showCommands() }, "As a command"),
        );
    }

    private async showCommands(): Promise<void> {
        try {
            const c = await api.commands(this.run.id, state.point);
            const block = (title: string, text: string): HTMLElement => h("div", {}, h("div", { class: "title-row" }, h("h3", {}, title), h("button", { class: "link", onclick: () => void navigator.clipboard.writeText(text) }, "Copy")), h("pre", { tabindex: 0 }, text));
            const table = c.table;
            const needs = table === null ? null : h("p", { class: "hint" }, "The rows were drawn or shuffled here, so the command reads a table of them: ", h("button", { class: "link", onclick: () => void api.file(table).then((blob) => download("table.csv", blob)).catch(report) }, "save it"), ".");
            fill(this.commands, needs, block("In a terminal", c.command), block("In Python", c.python));
        } catch (error) {
            report(error);
        }
    }

    // ---- what changes with λ ----

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
        const parts = [`λ ${short(p.lambda)}`, `train ${short(measured(p, "train", m))}`];
        if (p.cvm !== undefined && p.cvm !== null) parts.push(`left out ${short(p.cvm)} ± ${short(p.cvsd, 2)}`);
        if (p.test) parts.push(`test ${short(measured(p, "test", m))}`);
        parts.push(count(p.selected, "kernel"));
        return parts.join(", ");
    }

    private drawCurve(): void {
        const { points, measure } = this.result;
        const x = this.lambdas;
        const series: Series[] = [{ name: "training", x, y: points.map((p) => measured(p, "train", measure)), colour: PALETTE[5]!, dots: x.length < 60 }];
        if (points.some((p) => typeof p.cvm === "number")) {
            const edge = (sign: number): (number | null)[] => points.map((p) => (typeof p.cvm === "number" && typeof p.cvsd === "number" ? p.cvm + sign * p.cvsd : null));
            series.push({ name: "left out (± standard error)", x, y: points.map((p) => p.cvm), colour: PALETTE[0]!, dots: x.length < 60, band: { lo: edge(-1), hi: edge(1) } });
        }
        if (points.some((p) => p.test)) series.push({ name: "test", x, y: points.map((p) => measured(p, "test", measure)), colour: PALETTE[1]!, dots: x.length < 60 });
        this.curve.draw(lineChart({ title: `${this.measureName()} against lambda`, x: { label: "λ (less regularised to the right)", log: true, reverse: true }, y: { label: this.measureName() }, series, marks: this.marks() }));
    }

    private drawAlong(): void {
        const along: Along = ALONG.find((a) => a.key === this.alongKey) ?? { key: this.alongKey, label: this.alongKey.toUpperCase(), value: (p) => p[this.alongKey as "gcv"] };
        const y: { label: string; log?: boolean; whole?: boolean } = { label: along.label };
        if (along.log) y.log = true;
        if (along.whole) y.whole = true;
        const series: Series[] = [{ name: along.label, x: this.lambdas, y: this.result.points.map(along.value), dots: this.lambdas.length < 60 }];
        this.along.draw(lineChart({ title: `${along.label} against lambda`, x: { label: "λ (less regularised to the right)", log: true, reverse: true }, y, series, marks: this.marks() }));
    }

    private async loadProfile(): Promise<void> {
        try {
            this.profileData = await api.profile(this.run.id);
            this.drawProfile();
        } catch (error) {
            report(error);
        }
    }

    /** The line nearest to the pointer, if one is near. */
    private nearestLine(x: number, y: number, pixel: number): string {
        let best: { name: string; value: number; distance: number } | null = null;
        for (const s of this.profileLines) {
            const i = s.x.reduce((b, v, k) => (Math.abs(this.profileX === "df" ? v - x : Math.log(v / x)) < Math.abs(this.profileX === "df" ? s.x[b]! - x : Math.log(s.x[b]! / x)) ? k : b), 0);
            const value = s.y[i];
            if (typeof value !== "number") continue;
            const distance = Math.abs(value - y) / pixel;
            if (distance < 12 && distance < (best?.distance ?? Infinity)) best = { name: s.name, value, distance };
        }
        return best ? `${best.name}: ${short(best.value)}` : "";
    }

    private drawProfile(): void {
        const data = this.profileData;
        const output = data?.outputs[this.output];
        if (!data || !output) return;
        const lines = this.profileOf === "weights" ? output.kernels.map((k) => ({ name: k.name, values: k.weights })) : (output.coefficients ?? []).map((c) => ({ name: c.name, values: c.values }));
        if (lines.length === 0) return this.profile.say(this.profileOf === "coefficients" ? "Coefficients exist where every kernel is linear." : "No kernel is selected.");
        const size = (v: number[]): number => Math.max(...v.map(Math.abs));
        const strongest = [...lines].sort((a, b) => size(b.values) - size(a.values)).slice(0, 100);
        const byDf = this.profileX === "df" && data.df.every((v) => typeof v === "number");
        const x = byDf ? (data.df as number[]) : data.lambdas;
        const series = strongest.map((l, i): Series => ({ name: l.name, x, y: l.values, width: i < 8 ? 2 : 1, colour: i < 8 ? PALETTE[i]! : "#9aa5b1" }));
        this.profileLines = series;
        fill(this.profile.foot, series.slice(0, 8).map((l) => {
            const key = h("span", { class: "key" });
            key.style.background = l.colour ?? "";
            return h("span", { class: "legend" }, key, l.name);
        }), series.length > 8 ? h("span", { class: "hint" }, `and ${series.length - 8} more: point at a line`) : null);
        const here = x[state.point];
        this.profile.draw(lineChart({ title: this.profileOf === "weights" ? "Weights of kernels along the path" : "Coefficients along the path", x: byDf ? { label: "degrees of freedom" } : { label: "λ (less regularised to the right)", log: true, reverse: true }, y: { label: this.profileOf === "weights" ? "weight" : "coefficient" }, series, legend: false, marks: here === undefined ? [] : [{ x: here, label: "", strong: true }] }));
    }

    private card(title: string, value: string, note = ""): HTMLElement {
        return h("div", { class: "card" }, h("div", { class: "hint" }, title), h("div", { class: "big" }, value), h("div", { class: "hint" }, note));
    }

    private drawNumbers(): void {
        const p = this.result.points[state.point];
        if (!p) return;
        const m = this.result.measure;
        const leftOut = typeof p.cvm === "number";
        fill(
            this.numbers,
            leftOut ? this.card(`${this.measureName()}, left out`, short(p.cvm), `± ${short(p.cvsd, 2)}`) : null,
            p.test ? this.card(`${this.measureName()}, test`, short(measured(p, "test", m))) : null,
            this.card(`${this.measureName()}, training`, short(measured(p, "train", m))),
            this.card("Kernels", String(p.selected), `of ${this.result.m}`),
            this.card("Degrees of freedom", short(p.df, 3), `of ${this.result.n} rows`),
            this.card("Certificate", p.gap.toExponential(1), OUTCOME[p.outcome] || "largest possible excess over the best, as a share"),
        );
        this.lambdaText.textContent = `λ = ${short(p.lambda)}`;
        this.slider.value = String(state.point);
        this.slider.setAttribute("aria-valuetext", this.describe(state.point));
    }

    private async loadDetail(): Promise<void> {
        this.asking?.abort();
        this.asking = new AbortController();
        const at = state.point;
        try {
            const detail = await api.point(this.run.id, at, this.asking.signal);
            if (at !== state.point) return;
            this.detail = detail;
            this.drawDetail();
        } catch (error) {
            report(error);
        }
    }

    private drawDetail(): void {
        const output = this.detail?.outputs[this.output];
        if (!this.detail || !output) return;
        const kernels = [...output.kernels].sort((a, b) => b.weight - a.weight).slice(0, 25);
        if (this.kernel === null || !output.kernels.some((k) => k.index === this.kernel)) this.kernel = kernels[0]?.index ?? null;
        if (kernels.length === 0) this.kernels.say("No kernel is selected: the prediction is the intercept.");
        else this.kernels.draw(barChart("Selected kernels", "weight", kernels.map((k) => ({ name: k.name, value: k.weight, title: `${k.name}: weight ${short(k.weight)}, ${short(100 * k.share, 3)} % of the variance of the fit`, colour: k.index === this.kernel ? PALETTE[1]! : PALETTE[0]! }))));
        this.drawKernelList(kernels);
        this.drawOutcome();
        void this.drawPiece();
    }

    private drawKernelList(kernels: Detail["outputs"][number]["kernels"]): void {
        const output = this.detail!.outputs[this.output]!;
        const picks = h("div", { class: "chips", role: "group", "aria-label": "Show what a kernel contributes" }, kernels.map((k) => h("button", { class: "chip", "aria-pressed": k.index === this.kernel ? "true" : "false", onclick: () => {
            this.kernel = k.index;
            this.drawDetail();
        } }, k.name)));
        const list = output.coefficients?.filter((c) => c.value !== 0).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 50);
        fill(this.coefficients, picks, list?.length ? h("details", {}, h("summary", {}, "Coefficients"), h("table", {}, h("thead", {}, h("tr", {}, ["Column", "As learned", "In units of the column"].map((t) => h("th", { scope: "col" }, t)))), h("tbody", {}, list.map((c) => h("tr", {}, h("th", { scope: "row" }, c.name), h("td", { class: "num" }, short(c.value)), h("td", { class: "num" }, short(c.original))))))) : null);
    }

    private drawOutcome(): void {
        const d = this.detail!;
        if (d.confusion) {
            const part = d.confusion.test ? "test" : d.confusion.left_out ? "left_out" : "train";
            const name = { test: "test rows", left_out: "rows left out", train: "training rows" }[part];
            return this.outcome.draw(confusionChart(`Confusion, ${name}`, d.confusion.classes, d.confusion[part]!));
        }
        const o = Math.min(this.output, d.train.actual.length - 1);
        const series: Series[] = [{ name: "training", x: d.train.actual[o] ?? [], y: d.train.fitted[o] ?? [], line: false, colour: PALETTE[5]! }];
        if (d.left_out) series.push({ name: "left out", x: d.left_out.actual[o] ?? [], y: d.left_out.predicted[o] ?? [], line: false, colour: PALETTE[0]! });
        if (d.test) series.push({ name: "test", x: d.test.actual[o] ?? [], y: d.test.fitted[o] ?? [], line: false, colour: PALETTE[1]! });
        this.outcome.draw(lineChart({ title: "Predicted against actual", x: { label: "actual" }, y: { label: "predicted" }, series, diagonal: true, legend: true }));
    }

    private async drawPiece(): Promise<void> {
        if (this.kernel === null) return this.piece.say("");
        const name = this.detail?.outputs[this.output]?.kernels.find((k) => k.index === this.kernel)?.name ?? "";
        const [at, kernel] = [state.point, this.kernel];
        try {
            const f = await api.kernelFunction(this.run.id, at, kernel, this.output);
            if (at !== state.point || kernel !== this.kernel) return;
            if (f.rows) return this.piece.draw(lineChart({ title: `${name} against the prediction`, x: { label: "prediction" }, y: { label: `${name} adds` }, series: [{ name, x: f.rows.map((r) => r[0]), y: f.rows.map((r) => r[1]), line: false }] }));
            if (!f.x || !f.f) return this.piece.say(`${name}: ${f.unavailable ?? "it looks at several columns."}`);
            this.piece.draw(lineChart({ title: `${name} along ${f.column}`, x: { label: f.column ?? "" }, y: { label: "contribution" }, series: [{ name, x: f.x, y: f.f }], rug: f.rug ?? [] }));
        } catch (error) {
            report(error);
        }
    }

    /** After λ has moved. */
    update(): void {
        this.drawNumbers();
        this.drawCurve();
        this.drawAlong();
        this.drawProfile();
        void this.loadDetail();
        if (this.commands.childElementCount) void this.showCommands();
    }
}

// ---- several runs ----

export async function compareView(ids: string[]): Promise<HTMLElement> {
    const all = (await Promise.all(ids.map((id) => api.run(id)))).filter((r) => r.result);
    const measure = all[0]?.result?.measure ?? "";
    const runs = all.filter((r) => r.result?.measure === measure);
    const others = all.length - runs.length;
    const figure = new Figure("Left-out score (or test, or training) along the path");
    const score = (p: Point): number | null => p.cvm ?? p.test?.[measure] ?? p.train[measure] ?? null;
    figure.draw(lineChart({ title: "Runs side by side", x: { label: "λ (less regularised to the right)", log: true, reverse: true }, y: { label: measure }, series: runs.map((r): Series => ({ name: r.name.slice(0, 24), x: r.result!.points.map((p) => p.lambda), y: r.result!.points.map(score), dots: true })), width: 760, height: 360 }));
    const row = (title: string, value: (r: Run, p: Point) => string): HTMLElement => h("tr", {}, h("th", { scope: "row" }, title), runs.map((r) => h("td", {}, value(r, r.result!.points[r.result!.best.chosen ?? 0]!))));
    const differing = Object.keys(runs[0]?.settings ?? {}).filter((k) => new Set(runs.map((r) => JSON.stringify(r.settings[k as "kernels"]))).size > 1);
    return h(
        "section",
        { "aria-label": "Comparison" },
        h("h1", {}, "Runs side by side"),
        others > 0 ? h("p", { class: "hint" }, `${count(others, "run")} measured by something else than ${measure} left out`) : null,
        figure.element,
        h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, h("td"), runs.map((r) => h("th", { scope: "col" }, h("button", { class: "link", onclick: () => void openRun(r.id) }, r.name))))), h("tbody", {}, row("data", (r) => r.data.name), row("λ chosen", (_, p) => short(p.lambda)), row(`${measure}, left out`, (_, p) => (typeof p.cvm === "number" ? `${short(p.cvm)} ± ${short(p.cvsd, 2)}` : "–")), row(`${measure}, test`, (_, p) => short(p.test?.[measure])), row(`${measure}, training`, (_, p) => short(p.train[measure])), row("kernels", (r, p) => `${p.selected} of ${r.result!.m}`), row("degrees of freedom", (_, p) => short(p.df, 3)), row("certified gap", (_, p) => p.gap.toExponential(1)), row("time", (r) => seconds(r.seconds)), differing.map((k) => h("tr", {}, h("th", { scope: "row" }, k.replace("_", " ")), runs.map((r) => h("td", {}, JSON.stringify(r.settings[k as "kernels"])))))))),
    );
}
