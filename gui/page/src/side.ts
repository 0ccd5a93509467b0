// The left side: data, settings step by step, the button that starts.

import { api, ServerError, type Checked, type Failure, type Normalise, type Settings } from "./api";
import { fill, h, say } from "./dom";
import { bytes, count } from "./numbers";
import { changed, clearFailure, openRun, report, startRun, state, useData, type Part } from "./state";

let checked: Checked | null = null;
let wrong: Failure | null = null;
let checking: AbortController | null = null;
let timer = 0;

/** Asks the library what it thinks of the settings, a moment after the last change. */
function checkSoon(): void {
    clearTimeout(timer);
    checking?.abort();
    if (!state.settings || state.settings.target.length === 0) {
        checked = wrong = null;
        renderChecks();
        return;
    }
    timer = window.setTimeout(async () => {
        checking = new AbortController();
        try {
            checked = await api.check(state.settings!, checking.signal);
            wrong = null;
        } catch (error) {
            if (!(error instanceof ServerError)) return;
            checked = null;
            wrong = error.failure;
        }
        renderChecks();
    }, 250);
}

function set<K extends keyof Settings>(key: K, value: Settings[K]): void {
    if (!state.settings) return;
    state.settings[key] = value;
    clearFailure();
    checkSoon();
}

// ---- fields ----

let nextId = 0;

/** A field with its label, its hint, and room for the sentence that says what is wrong with it. */
function field(name: string, label: string, control: HTMLElement, hint = ""): HTMLElement {
    const id = `f${nextId++}`;
    control.id = id;
    control.setAttribute("aria-describedby", `${id}-note`);
    return h("div", { class: "field", "data-field": name }, h("label", { for: id }, label), control, hint ? h("div", { class: "hint" }, hint) : null, h("div", { class: "wrong", id: `${id}-note` }));
}

function select<T extends string>(value: T, options: [T, string][], onchange: (value: T) => void): HTMLSelectElement {
    return h("select", { value, onchange: (e: Event) => onchange((e.target as HTMLSelectElement).value as T) }, options.map(([v, text]) => h("option", { value: v }, text)));
}

function number(value: number, attributes: Record<string, unknown>, onchange: (value: number) => void): HTMLInputElement {
    return h("input", { type: "number", step: "any", value, ...attributes, oninput: (e: Event) => {
        const v = (e.target as HTMLInputElement).valueAsNumber;
        if (Number.isFinite(v)) onchange(v);
    } });
}

function tick(label: string, checked: boolean, onchange: (value: boolean) => void, hint = ""): HTMLElement {
    return h("div", { class: "field tick" }, h("label", {}, h("input", { type: "checkbox", checked, onchange: (e: Event) => onchange((e.target as HTMLInputElement).checked) }), " ", label), hint ? h("div", { class: "hint" }, hint) : null);
}

function step(title: string, open: boolean, ...children: (HTMLElement | null)[]): HTMLElement {
    return h("details", { class: "step", open }, h("summary", {}, title), h("div", { class: "step-body" }, children));
}

// ---- data ----

export async function takeFile(file: File): Promise<void> {
    state.uploading = 0;
    changed("upload");
    try {
        await useData(await api.upload(file, (share) => {
            state.uploading = share;
            changed("upload");
        }));
        say(`${file.name} is loaded`);
    } catch (error) {
        report(error);
    } finally {
        state.uploading = null;
        changed("upload");
    }
}

async function takeBuiltin(name: string): Promise<void> {
    try {
        const about = state.builtin.find((b) => b.name === name);
        await useData(await api.builtin(name), { ...(about?.drop ? { drop: about.drop } : {}), ...(about?.test ? { test: about.test } : {}) });
    } catch (error) {
        report(error);
    }
}

function fileButton(): HTMLElement {
    const input = h("input", { type: "file", class: "hidden-text", id: "file", "aria-label": "Data file", onchange: (e: Event) => {
        const file = (e.target as HTMLInputElement).files?.[0];
        if (file) void takeFile(file);
        (e.target as HTMLInputElement).value = "";
    } });
    return h("label", { class: "button", for: "file" }, input, "Open a file…");
}

function uploadBar(): HTMLElement | null {
    return state.uploading === null ? null : h("progress", { max: 1, value: state.uploading, "aria-label": "Sending the file" });
}

function dataStep(): HTMLElement {
    const s = state.current;
    const choices = state.data.map((d): [string, string] => [d.id, `${d.name} (${d.rows} rows)`]);
    return h(
        "section",
        { class: "data-step", "aria-label": "Data" },
        h("div", { class: "row" }, fileButton(), select("", [["", "Examples…"], ...state.builtin.map((b): [string, string] => [b.name, `${b.title} – ${b.rows} rows, ${b.task}`])], (v) => v && void takeBuiltin(v))),
        uploadBar(),
        choices.length > 1 && s ? field("data", "Data set", select(s.id, choices, (id) => {
            const data = state.data.find((d) => d.id === id);
            if (data) void useData(data).catch(report);
        })) : null,
        h("div", { class: "hint" }, "Or drop a file anywhere: CSV, TSV, LIBSVM, NumPy, MATLAB (X, Y, T). It stays on this machine."),
    );
}

// ---- columns ----

function columnNames(): string[] {
    return state.current?.columns?.map((c) => c.name) ?? [];
}

function targetField(s: Settings): HTMLElement {
    const names = columnNames();
    const control = select(s.target[0] ?? "", [["", "choose a column…"], ...names.map((n): [string, string] => [n, n])], (v) => {
        set("target", v ? [v] : []);
        changed("settings");
    });
    return field("target", "Predict", control);
}

function manyColumns(key: "drop" | "categorical", label: string, hint: string): HTMLElement {
    const s = state.settings!;
    const left = columnNames().filter((n) => !s[key].includes(n) && !s.target.includes(n));
    return h(
        "div",
        {},
        field(key, label, select("", [["", "add a column…"], ...left.map((n): [string, string] => [n, n])], (v) => {
            if (!v) return;
            set(key, [...s[key], v]);
            changed("settings");
        }), hint),
        h("div", { class: "chips" }, s[key].map((n) => h("button", { class: "chip", title: `Remove ${n}`, onclick: () => {
            set(key, s[key].filter((m) => m !== n));
            changed("settings");
        } }, n, " ×"))),
    );
}

function columnStep(s: Settings): HTMLElement {
    return step(
        "Columns",
        s.target.length === 0,
        targetField(s),
        field("task", "As", select(s.task, [["auto", "found from the column"], ["regression", "a number"], ["classification", "classes"]], (v) => set("task", v))),
        manyColumns("drop", "Leave out", "Names, sample numbers, what would not be known when predicting."),
        manyColumns("categorical", "Take as text", "Numbers that are names, such as a batch or a region."),
        field("weights", "Weights of rows", select(s.weights ?? "", [["", "each counts once"], ...columnNames().map((n): [string, string] => [n, n])], (v) => set("weights", v || null))),
        field("class_weights", "Weights of classes", h("input", { type: "text", placeholder: "none, balanced, or a=2,b=1", value: s.class_weights, oninput: (e: Event) => set("class_weights", (e.target as HTMLInputElement).value.trim()) })),
    );
}

// ---- preprocessing ----

const NORMALISE: [Normalise, string][] = [["none", "as it is"], ["center", "centre"], ["standardize", "standardise"], ["unit", "unit length"]];

function preprocessingStep(s: Settings): HTMLElement {
    const hasTest = s.test.kind !== "none";
    return step(
        "Preprocessing",
        false,
        field("features", "Each feature", select(s.features, NORMALISE, (v) => set("features", v)), "Measured over the training rows. Standardise where columns have different units."),
        field("examples", "Each example", select(s.examples, NORMALISE, (v) => set("examples", v)), "Over its columns, before the features: for spectra and expression profiles."),
        tick("Shuffle the rows first", s.shuffle, (v) => set("shuffle", v)),
        hasTest ? tick("Measure features over the test rows too", s.transductive_features, (v) => set("transductive_features", v), "Their target is never used.") : null,
        hasTest ? tick("Scale kernels by the test rows too (transductive)", s.transductive, (v) => set("transductive", v)) : null,
    );
}

// ---- kernels ----

type KernelChoice = "default" | "linear" | "paper" | "custom";

function kernelChoice(s: Settings): KernelChoice {
    if (s.kernels === null) return "default";
    return s.kernels === "linear" || s.kernels === "paper" ? s.kernels : "custom";
}

function kernelStep(s: Settings): HTMLElement {
    const choice = kernelChoice(s);
    const text = h("textarea", { rows: 3, spellcheck: "false", value: s.kernels ?? "", placeholder: "rbf(0.01:10:4)@all,each; linear", oninput: (e: Event) => set("kernels", (e.target as HTMLTextAreaElement).value) });
    return step(
        "Kernels",
        false,
        field("method", "Learn from", select(choice, [["default", "what suits the data"], ["paper", "polynomials and Gaussians (RLS2)"], ["linear", "each column (linear RLS2)"], ["custom", "a dictionary of my own…"]], (v) => {
            set("kernels", v === "default" ? null : v === "custom" ? (s.kernels ?? "rbf(0.01:10:4)@all,each; linear") : v);
            changed("settings");
        })),
        choice === "custom" ? field("kernels", "Dictionary", text, "kernel(parameters)@columns, separated by ; — for instance rbf(0.1)@all; poly(2)@each; spline@age") : null,
        field("scaling", "Scaling", select(s.scaling, [["trace", "trace"], ["fisher", "Fisher (classes)"], ["fisher-sqrt", "root of Fisher (classes)"], ["none", "none"]], (v) => set("scaling", v))),
        field("intercept", "Intercept", select(s.intercept, [["auto", "as it suits"], ["mean", "mean of the target"], ["none", "none"]], (v) => set("intercept", v))),
    );
}

// ---- lambda ----

function lambdaStep(s: Settings): HTMLElement {
    const own = s.lambdas && "lo" in s.lambdas ? s.lambdas : null;
    const change = (part: Partial<{ lo: number; hi: number; count: number }>): void => set("lambdas", { lo: 1e-6, hi: 1, count: 30, ...(s.lambdas && "lo" in s.lambdas ? s.lambdas : {}), ...part });
    return step(
        "Regularisation",
        false,
        field("lambdas", "Values of λ", select(own ? "own" : "auto", [["auto", "30, from the data"], ["own", "a range of my own…"]], (v) => {
            set("lambdas", v === "own" ? { lo: 1e-6, hi: 1, count: 30 } : null);
            changed("settings");
        })),
        own ? h("div", { class: "row" }, field("lambdas", "from", number(own.lo, { min: 0 }, (lo) => change({ lo }))), field("lambdas", "to", number(own.hi, { min: 0 }, (hi) => change({ hi }))), field("lambdas", "how many", number(own.count, { min: 1, max: 1000, step: 1 }, (n) => change({ count: Math.round(n) })))) : null,
        field("solver", "Solver", select(s.solver, [["newton", "Newton, to a certified gap"], ["alternate", "the paper's Algorithm 1"]], (v) => set("solver", v))),
        h("div", { class: "row" }, field("gap_tol", "Gap", number(s.gap_tol, { min: 0 }, (v) => set("gap_tol", v))), field("max_iter", "Iterations at most", number(s.max_iter, { min: 1, step: 1 }, (v) => set("max_iter", Math.round(v))))),
    );
}

// ---- validation ----

function splitFields(s: Settings): (HTMLElement | null)[] {
    const kind = s.splits.kind;
    const change = (part: Partial<Settings["splits"]>): void => set("splits", { ...s.splits, ...part });
    const columns = columnNames().map((n): [string, string] => [n, n]);
    if (kind === "folds") return [h("div", { class: "row" }, field("folds", "Folds", number(s.splits.folds ?? 10, { min: 2, step: 1 }, (v) => change({ folds: Math.round(v) }))), field("repeats", "Repeats", number(s.splits.repeats ?? 1, { min: 1, step: 1 }, (v) => change({ repeats: Math.round(v) }))))];
    if (kind === "random") return [h("div", { class: "row" }, field("count", "Splits", number(s.splits.count ?? 20, { min: 1, step: 1 }, (v) => change({ count: Math.round(v) }))), field("share", "Share for training", number(s.splits.share ?? 0.7, { min: 0, max: 1 }, (v) => change({ share: v }))))];
    if (kind === "column") return [field("splits", "Column of folds", select(s.splits.column ?? "", [["", "choose…"], ...columns], (v) => change({ column: v })))];
    if (kind === "validation") return [h("div", { class: "row" }, field("splits", "Rows where", select(s.splits.column ?? "", [["", "choose…"], ...columns], (v) => change({ column: v }))), field("splits", "is", h("input", { type: "text", value: s.splits.value ?? "", oninput: (e: Event) => change({ value: (e.target as HTMLInputElement).value }) })))];
    return [];
}

function testFields(s: Settings): (HTMLElement | null)[] {
    const change = (part: Partial<Settings["test"]>): void => set("test", { ...s.test, ...part });
    const columns = columnNames().map((n): [string, string] => [n, n]);
    if (s.test.kind === "column") return [h("div", { class: "row" }, field("test", "Rows where", select(s.test.column ?? "", [["", "choose…"], ...columns], (v) => change({ column: v }))), field("test", "is", h("input", { type: "text", value: s.test.value ?? "", oninput: (e: Event) => change({ value: (e.target as HTMLInputElement).value }) })))];
    if (s.test.kind === "share") return [field("test", "Share kept for testing", number(s.test.share ?? 0.3, { min: 0, max: 1 }, (v) => change({ share: v })))];
    if (s.test.kind === "data") return [field("test", "File", select(s.test.data ?? "", [["", "choose…"], ...state.data.filter((d) => d.id !== s.data).map((d): [string, string] => [d.id, d.name])], (v) => change({ data: v })))];
    return [];
}

const MEASURES: [string, string][] = [["auto", "what suits"], ["rmse", "root mean squared error"], ["mse", "mean squared error"], ["mae", "mean absolute error"], ["r2", "R²"], ["accuracy", "accuracy"], ["balanced-accuracy", "balanced accuracy"], ["auc", "area under the ROC curve"]];

function validationStep(s: Settings): HTMLElement {
    return step(
        "Validation",
        false,
        field("splits", "Choose λ by", select(s.select === "cv" ? s.splits.kind : s.select, [["folds", "cross-validation"], ["random", "random splits"], ["column", "folds given by a column"], ["validation", "a validation set"], ["gcv", "generalised cross-validation"], ["loo", "leave one out (kernels kept)"], ["aic", "AIC"], ["bic", "BIC"], ["cp", "Cp"], ["none", "nothing: show the path"]], (v) => {
            const criteria = ["gcv", "loo", "aic", "bic", "cp"];
            set("select", (criteria.includes(v) ? v : "cv") as Settings["select"]);
            set("splits", { ...s.splits, kind: criteria.includes(v) ? "none" : (v as Settings["splits"]["kind"]) });
            changed("settings");
        })),
        ...splitFields(s),
        field("rule", "Rule", select(s.rule, [["min", "the best λ"], ["1se", "the simplest within one standard error"]], (v) => set("rule", v))),
        field("measure", "Measure", select(s.measure, MEASURES, (v) => set("measure", v))),
        tick("Compare with kernels that are not learned", s.baselines, (v) => set("baselines", v)),
        field("test", "Test rows", select(s.test.kind, [["none", "none"], ...(state.current?.marker ? [["marker", `marked in the file (${state.current.marker})`] as [Settings["test"]["kind"], string]] : []), ["column", "those with a value in a column"], ["share", "a random share"], ["data", "another file"]], (v) => {
            set("test", { kind: v, share: 0.3 });
            changed("settings");
        }), "Scored, never learned from."),
        ...testFields(s),
        field("seed", "Seed", number(s.seed, { min: 0, step: 1 }, (v) => set("seed", Math.round(v)))),
    );
}

// ---- all of it ----

const checks = h("div", { class: "checks", "aria-live": "polite" });
const startButton = h("button", { class: "primary", onclick: () => void startRun() }, "Train");

/** "splits.share" concerns the field "share", or else "splits". */
function concerns(named: string | null, field: string | undefined): boolean {
    return named !== null && field !== undefined && (named === field || named.split(".").includes(field));
}

function showWrong(failure: Failure | null, within: Element): boolean {
    let shown = false;
    within.querySelectorAll<HTMLElement>(".field").forEach((f) => {
        const here = failure !== null && concerns(failure.field, f.dataset["field"]) && !shown;
        f.classList.toggle("has-error", here);
        const note = f.querySelector(".wrong");
        if (note) {
            note.textContent = here ? failure.message : "";
            note.classList.toggle("mono", here && failure.message.includes("\n"));
        }
        if (!here) return;
        shown = true;
        const closed = f.closest("details");
        if (closed && !closed.open) closed.open = true;
    });
    return shown;
}

function renderChecks(): void {
    const side = document.getElementById("side");
    if (!side) return;
    const failure = state.failure?.field ? state.failure : wrong;
    const shown = showWrong(failure, side);
    startButton.disabled = !state.settings || state.settings.target.length === 0 || wrong !== null;
    if (!state.settings) return fill(checks);
    if (state.settings.target.length === 0) return fill(checks, h("p", { class: "hint" }, "Choose the column to predict."));
    if (failure) return fill(checks, shown ? null : h("p", { class: "wrong" }, failure.message));
    if (!checked) return fill(checks);
    fill(
        checks,
        h("p", { class: "hint" }, `${count(checked.rows, "row")}${checked.test_rows ? ` and ${checked.test_rows} to test on` : ""}, ${checked.task === "classification" ? `${checked.classes.length} classes` : checked.task}, ${count(checked.kernels, "kernel")}${checked.forecast_bytes >= 1e6 ? `, about ${bytes(checked.forecast_bytes)}` : ""}`),
        checked.notes.map((n) => h("p", { class: "hint" }, n)),
    );
}

/** Which steps are open survives a redraw. */
function render(side: HTMLElement): void {
    const open = new Set([...side.querySelectorAll<HTMLDetailsElement>("details[open] > summary")].map((e) => e.textContent));
    const first = side.querySelector("details") === null;
    nextId = 0;
    const s = state.settings;
    fill(
        side,
        dataStep(),
        s && state.current ? [columnStep(s), preprocessingStep(s), kernelStep(s), lambdaStep(s), validationStep(s), h("div", { class: "start" }, checks, startButton)] : null,
        runList(),
    );
    if (!first) side.querySelectorAll<HTMLDetailsElement>("details.step").forEach((d) => (d.open = open.has(d.querySelector("summary")?.textContent ?? "")));
    renderChecks();
}

const STATUS: Record<string, string> = { queued: "waiting", running: "running", done: "", stopped: "stopped", failed: "failed" };

function runList(): HTMLElement | null {
    if (state.runs.length === 0) return null;
    return h(
        "section",
        { class: "runs", "aria-label": "Runs" },
        h("h2", {}, "Runs"),
        h("ul", {}, state.runs.slice(0, 100).map((r) => h(
            "li",
            { class: r.id === state.run?.id ? "here" : "" },
            h("input", { type: "checkbox", title: "Compare", "aria-label": `Compare ${r.name}`, checked: state.compare.includes(r.id), disabled: r.status !== "done" && r.status !== "stopped", onchange: (e: Event) => {
                state.compare = (e.target as HTMLInputElement).checked ? [...state.compare, r.id] : state.compare.filter((id) => id !== r.id);
                changed("compare");
            } }),
            h("button", { class: "link", onclick: () => void openRun(r.id) }, r.name),
            h("span", { class: "hint" }, STATUS[r.status] || (r.summary ? `${r.summary.measure} ${r.summary.score?.toPrecision(4) ?? ""}` : "")),
            h("button", { class: "link", title: "Forget this run", "aria-label": `Forget ${r.name}`, onclick: () => void forget(r.id, r.name) }, "×"),
        ))),
    );
}

async function forget(id: string, name: string): Promise<void> {
    if (!confirm(`Forget the run "${name}" and its models?`)) return;
    try {
        await api.forget(id);
        state.runs = state.runs.filter((r) => r.id !== id);
        state.compare = state.compare.filter((c) => c !== id);
        if (state.run?.id === id) state.run = null;
        changed("runs", "run", "compare");
    } catch (error) {
        report(error);
    }
}

export function updateSide(side: HTMLElement, parts: Set<Part>): void {
    if (parts.has("data") || parts.has("settings") || parts.has("runs") || parts.has("upload") || parts.has("compare")) {
        // A field that is being typed in keeps its cursor: redraws come from choices, not from typing.
        const focused = document.activeElement?.id;
        render(side);
        if (focused) document.getElementById(focused)?.focus();
        if (parts.has("data") || parts.has("settings")) checkSoon();
    } else if (parts.has("failure")) renderChecks();
}
