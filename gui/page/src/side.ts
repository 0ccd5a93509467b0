// The left side: data, settings, the button that starts, the runs so far.

import {
    api,
    ServerError,
    type Checked,
    type DataAbout,
    type Failure,
    type Reading,
    type RunAbout,
} from "./api";
import { fill, h, keepFocus, say } from "./dom";
import {
    field,
    fileButton,
    firstNotNumber,
    forgetSummaries,
    refreshSummaries,
    restartIds,
    select,
    showWrong,
    type Option,
} from "./fields";
import { forecastOf } from "./forecast";
import { showKernelCount } from "./kernelbuilder";
import { count, short } from "./numbers";
import {
    changed,
    closeRun,
    columnNames,
    compare,
    dropRun,
    leaveRun,
    listRuns,
    openRun,
    report,
    startRun,
    state,
    useData,
    type Part,
} from "./state";
import { isModelFile } from "./modelapi";
import { modelButton, modelList, takeModel } from "./modelside";
import { columnNamesList } from "./settingfields";
import { listOf, partsOf } from "./settings";
import {
    columnStep,
    kernelStep,
    lambdaStep,
    otherSteps,
    preprocessingStep,
    targetStep,
    validationStep,
} from "./steps";
import { measureName } from "./verdict";

// ---- asking the library what it thinks of the settings ----

let wrong: Failure | null = null;
let checking: AbortController | null = null;
let timer = 0;

function take(checked: Checked | null, failure: Failure | null): void {
    state.checked = checked;
    wrong = failure;
    changed("checked");
}

const missing = (field: string, message: string): Failure => ({ message, field, position: null });

/** A rule COLUMN=VALUE that was begun and has not both. */
function isHalf(rule: unknown): boolean {
    return typeof rule === "string" && rule !== "none" && partsOf(rule, columnNames()).value === "";
}

/** What the page itself knows to be missing. */
function unfinished(): Failure | null {
    const asked = state.asked;
    if (!asked) return null;
    const s = asked.settings;
    if (asked.validation_data === "")
        return missing("validation_data", "Choose the file with the validation rows.");
    if (isHalf(s["validation_rows"]))
        return missing(
            "validation_rows",
            "Choose the column and the value that mark the validation rows.",
        );
    if (s["fold_column"] === "")
        return missing("fold_column", "Choose the column that holds the folds.");
    if (typeof s["kernels"] === "string" && s["kernels"].trim() === "")
        return missing("kernels", "Write which kernels to learn from.");
    if (asked.test_data === "") return missing("test_data", "Choose the file with the test rows.");
    if (isHalf(s["test_rows"]))
        return missing("test_rows", "Choose the column and the value that mark the test rows.");
    return firstNotNumber()?.failure ?? null;
}

const hasTarget = (): boolean => listOf(state.asked?.settings ?? {}, "target").length > 0;

/** A moment after the last change. What was said of other settings is no longer true. */
function checkSoon(): void {
    clearTimeout(timer);
    checking?.abort();
    checking = null;
    if (!hasTarget() || unfinished()) {
        take(null, null);
        return renderChecks();
    }
    renderChecks();
    timer = window.setTimeout(() => void check(), 200);
}

async function check(): Promise<void> {
    const mine = new AbortController();
    checking = mine;
    try {
        take(await api.check(state.asked!, mine.signal), null);
    } catch (error) {
        if (!(error instanceof ServerError) || mine.signal.aborted) return;
        take(null, error.failure);
    }
    if (checking !== mine) return;
    checking = null;
    renderChecks();
}

// ---- data ----

export async function takeFile(file: File, way: Reading | null = null): Promise<void> {
    if (way === null && (await isModelFile(file))) return takeModel(file);
    state.uploading = 0;
    changed("upload");
    try {
        const data = await api.upload(
            file,
            (share) => {
                state.uploading = share;
                changed("upload");
            },
            way,
        );
        state.uploading = null;
        await useData(data);
        say(`${file.name} is loaded: ${count(data.rows, "row")}`);
    } catch (error) {
        if (!(error instanceof ServerError) || error.code === 0) report(error);
        else {
            leaveRun();
            Object.assign(state, { unread: { file, why: error.message }, run: null, compare: [] });
            changed("run", "compare");
        }
    } finally {
        state.uploading = null;
        changed("upload");
    }
}

export async function takeBuiltin(name: string): Promise<void> {
    try {
        const about = state.builtin.find((b) => b.name === name);
        const there = state.data.find((d) => d.sample && d.name === `${name}.csv` && !d.reading);
        await useData(there ?? (await api.builtin(name)), about?.settings);
        say(`${about?.title ?? name} is loaded`);
    } catch (error) {
        report(error);
    }
}

const uploadBar = h("progress", { max: 1, "aria-label": "Sending the file", hidden: true });
const uploadText = h("div", { class: "hint", role: "status" });

function renderUpload(): void {
    const share = state.uploading;
    uploadBar.hidden = share === null;
    if (share === null || share >= 1) uploadBar.removeAttribute("value");
    else uploadBar.value = share;
    uploadText.textContent =
        share === null ? "" : share < 1 ? "Sending the file…" : "Reading the file…";
}

/** Tables of one name are told apart by when they came. */
function dataLabel(d: DataAbout): string {
    const twins = state.data.filter((e) => e.name === d.name && e.rows === d.rows);
    const number = twins.length > 1 ? ` – ${twins.length - twins.indexOf(d)}` : "";
    return `${d.name} (${count(d.rows, "row")})${number}`;
}

function dataStep(): HTMLElement {
    const current = state.current;
    const examples = select(
        "",
        [
            ["", "Examples…"],
            ...state.builtin.map((b): Option<string> => [
                b.name,
                `${b.title} – ${b.rows} rows, ${b.task}`,
            ]),
        ],
        (v) => v && void takeBuiltin(v),
    );
    examples.setAttribute("aria-label", "Examples");
    const choices = state.data.map((d): Option<string> => [d.id, dataLabel(d)]);
    const use = (id: string): void => {
        const data = state.data.find((d) => d.id === id);
        if (data) void useData(data).catch(report);
    };
    return h(
        "section",
        { class: "data-step", "aria-label": "Data" },
        h(
            "div",
            { class: "row" },
            fileButton("file", "Open a file…", "Open a file", (file) => void takeFile(file)),
            state.builtin.length ? examples : null,
        ),
        modelButton(),
        uploadBar,
        uploadText,
        choices.length > 0
            ? field(
                  "data",
                  "Data set",
                  select(
                      current?.id ?? "",
                      current ? choices : [["", "choose one…"], ...choices],
                      use,
                  ),
              )
            : null,
        current
            ? null
            : h(
                  "div",
                  { class: "hint" },
                  "Or drop a file anywhere: CSV, TSV, LIBSVM, NumPy, MATLAB (X, Y, T). " +
                      "It stays on this machine.",
              ),
    );
}

// ---- the button that starts ----

const checks = h("div", { class: "checks", role: "status" });
const startButton = h(
    "button",
    { class: "primary", id: "train", onclick: () => void startRun() },
    "Train",
);

function inWords(c: Checked): string {
    const task =
        c.task === "classification" ? `Classification, ${c.classes.length} classes` : "Regression";
    const test = c.test_rows ? `, ${count(c.test_rows, "test row")}` : "";
    return `${task}: ${count(c.rows, "training row")}${test}, ${count(c.kernels, "kernel")}.`;
}

/** Folded: they are many, and Train stays in sight. */
function notesOf(notes: string[]): HTMLElement | null {
    if (notes.length === 0) return null;
    return h(
        "details",
        { class: "help", "data-step": "decided", open: notesOpen, ontoggle: keepNotes },
        h("summary", {}, `${count(notes.length, "thing")} decided for you`),
        notes.map((n) => h("p", {}, n)),
    );
}

let notesOpen = false;
const keepNotes = (e: Event): void => void (notesOpen = (e.target as HTMLDetailsElement).open);

function whereWrong(within: Element): HTMLElement {
    const holder = within.querySelector(".has-error");
    const label = holder?.querySelector("label")?.textContent?.trim() ?? "something";
    const go = (): void => {
        holder?.scrollIntoView({ block: "center" });
        holder?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    };
    return h(
        "button",
        { class: "link wrong", onclick: go },
        `'${label}' needs a change: show it`,
    );
}

function renderChecks(): void {
    const side = document.getElementById("side");
    if (!side) return;
    const failure = unfinished() ?? (state.failure?.field ? state.failure : wrong);
    const shown = showWrong(failure, side);
    startButton.disabled = !hasTarget() || failure !== null;
    if (!state.asked) return fill(checks);
    if (!hasTarget())
        return fill(checks, h("p", { class: "hint" }, "Choose the column to predict."));
    if (failure)
        return fill(checks, shown ? whereWrong(side) : h("p", { class: "wrong" }, failure.message));
    const checked = state.checked;
    if (!checked) return fill(checks, h("p", { class: "hint" }, "…"));
    // those of the table are beside its columns
    const told = new Set(state.current?.notes ?? []);
    fill(
        checks,
        h("p", { class: "hint" }, inWords(checked)),
        forecastOf(checked),
        notesOf(checked.notes.filter((n) => !told.has(n))),
    );
}

// ---- runs ----

const STATUS: Record<string, string> = {
    queued: "waiting",
    running: "running",
    done: "",
    stopped: "stopped",
    failed: "failed",
};

function runWord(r: RunAbout): string {
    if (r.status === "queued" || r.status === "running") return STATUS[r.status]!;
    const on =
        r.summary?.scored_on === "train"
            ? ", training only"
            : r.summary?.scored_on === "test"
              ? ", test"
              : "";
    const score =
        r.summary && typeof r.summary.score === "number"
            ? `${measureName(r.summary.measure)} ${short(r.summary.score)}${on}`
            : "";
    return [STATUS[r.status], score].filter(Boolean).join(", ");
}

function setCompared(id: string, compared: boolean): void {
    compare(compared ? [...state.compare, id] : state.compare.filter((c) => c !== id));
}

function runRow(r: RunAbout): HTMLElement {
    const comparable = r.status === "done" || r.summary;
    return h(
        "li",
        { class: r.id === state.run?.id ? "here" : "" },
        h("input", {
            type: "checkbox",
            id: `compare-${r.id}`,
            title: "Compare",
            "aria-label": `Compare ${r.name}`,
            checked: state.compare.includes(r.id),
            disabled: !comparable,
            onchange: (e: Event) => setCompared(r.id, (e.target as HTMLInputElement).checked),
        }),
        h(
            "div",
            { class: "run" },
            h(
                "button",
                {
                    class: "link",
                    id: `open-${r.id}`,
                    title: r.created,
                    "aria-current": r.id === state.run?.id ? "true" : null,
                    onclick: () => void openRun(r.id),
                },
                r.name,
            ),
            h("div", { class: "hint" }, runWord(r)),
        ),
        h(
            "button",
            {
                class: "link",
                id: `forget-${r.id}`,
                title: "Delete this run",
                "aria-label": `Delete ${r.name}`,
                onclick: () => void forget(r.id, r.name),
            },
            "×",
        ),
    );
}

function runList(): HTMLElement | null {
    if (state.runs.length === 0) return null;
    return h(
        "section",
        { class: "runs", "aria-label": "Runs" },
        h(
            "div",
            { class: "title-row" },
            h("h2", {}, "Runs"),
            h("button", { class: "link", id: "all-runs", onclick: listRuns }, "as a table"),
        ),
        state.runs.length > 1
            ? h("div", { class: "hint" }, "Tick two or more to see them side by side.")
            : null,
        h("ul", {}, state.runs.slice(0, 200).map(runRow)),
    );
}

async function forget(id: string, name: string): Promise<void> {
    if (!confirm(`Delete the run "${name}" and its models?`)) return;
    try {
        await api.forget(id).catch((error: unknown) => {
            // another page was faster
            if (!(error instanceof ServerError && error.code === 404)) throw error;
        });
        dropRun(id);
        state.compare = state.compare.filter((c) => c !== id);
        if (state.run?.id === id) closeRun();
        changed("runs", "run", "compare");
        say(`${name} is deleted`);
    } catch (error) {
        report(error);
    }
}

// ---- all of it ----

const dataHolder = h("div");
const settingsHolder = h("div");
const runsHolder = h("div");

/** Which steps are open survives a redraw. */
function renderSettings(): void {
    const open = new Set(
        [...settingsHolder.querySelectorAll<HTMLDetailsElement>("details[open]")].map(
            (d) => d.dataset["step"],
        ),
    );
    const a = state.asked;
    const start = h("div", { class: "start" }, checks, startButton);
    forgetSummaries();
    fill(
        settingsHolder,
        a && state.current
            ? [
                  targetStep(a),
                  columnStep(a),
                  preprocessingStep(a),
                  kernelStep(a),
                  lambdaStep(a),
                  validationStep(a),
                  ...otherSteps(a),
                  start,
                  columnNamesList(),
              ]
            : null,
    );
    settingsHolder
        .querySelectorAll<HTMLDetailsElement>("details")
        .forEach((d) => (d.open = open.has(d.dataset["step"])));
}

export function updateSide(side: HTMLElement, parts: Set<Part>): void {
    if (side.childElementCount === 0) fill(side, dataHolder, settingsHolder, runsHolder);
    if (parts.has("upload")) renderUpload();
    if (parts.has("data") || parts.has("settings")) {
        keepFocus(() => {
            restartIds();
            fill(dataHolder, dataStep());
            renderSettings();
        });
        take(null, null);
        checkSoon();
    } else if (parts.has("check")) {
        refreshSummaries();
        checkSoon();
    }
    if (parts.has("runs") || parts.has("compare") || parts.has("run"))
        keepFocus(() => fill(runsHolder, runList(), modelList()));
    if (parts.has("failure")) renderChecks();
    if (parts.has("checked")) showKernelCount();
}
