// The page put together.

import { api, type Result, type Run } from "./api";
import { dataView, showChecked, unreadView } from "./dataview";
import { byId, fill, h, keepFocus } from "./dom";
import { compareView } from "./compare";
import { redrawFigures } from "./figure";
import { isModelFile } from "./modelapi";
import { ModelView } from "./modelview";
import { isGoing, ProgressView, shareDone } from "./progress";
import { RunsView } from "./runsview";
import { RunView } from "./runview";
import { useTable } from "./settings";
import { takeFile, updateSide } from "./side";
import { foldButton, mark } from "./sidefold";
import { startView } from "./startview";
import {
    changed,
    clearFailure,
    followAddress,
    followLists,
    goHome,
    listen,
    report,
    state,
    type Part,
} from "./state";

const main = byId("main");
const side = byId("side");
const alertBox = byId("alert");
// ---- head ----

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function keptTheme(): string {
    try {
        return localStorage.getItem("rls2-theme") ?? "auto";
    } catch {
        return "auto"; // the browser keeps nothing
    }
}

function showTheme(theme: string): void {
    document.documentElement.dataset["theme"] =
        theme === "auto" ? (prefersDark.matches ? "dark" : "light") : theme;
}

function setTheme(theme: string): void {
    showTheme(theme);
    redrawFigures();
    try {
        localStorage.setItem("rls2-theme", theme);
    } catch {
        // it is forgotten then
    }
}

function renderTop(): void {
    const theme = keptTheme();
    showTheme(theme);
    fill(
        byId("top"),
        foldButton(),
        h(
            "button",
            { class: "brand", id: "home", title: "To the first view", onclick: goHome },
            mark(),
            h("strong", {}, "rls2"),
        ),
        h("span", { class: "hint" }, state.version),
        h("span", { class: "grow" }),
        h(
            "label",
            { class: "hint" },
            "Theme ",
            h(
                "select",
                {
                    value: theme,
                    onchange: (e: Event) => setTheme((e.target as HTMLSelectElement).value),
                },
                ["auto", "light", "dark"].map((t) => h("option", { value: t }, t)),
            ),
        ),
    );
}

// ---- middle ----

let shown: RunView | ProgressView | null = null;
/** What was typed and dropped there stays while it is on screen. */
let model: ModelView | null = null;
let runs: RunsView | null = null;
/** What `shown` was made of: another result of the same run is drawn anew. */
let shownPlace = "";
let shownOf: { id: string; result: Result | undefined; status: string } | null = null;

function renderAlert(): void {
    const f = state.failure;
    alertBox.hidden = !f || (f.field !== null && side.querySelector(".has-error") !== null);
    fill(
        alertBox,
        f?.message ?? "",
        h("button", { class: "link", onclick: clearFailure, "aria-label": "Close" }, "×"),
    );
}

function show(view: RunView | ProgressView | null, element: HTMLElement): void {
    const run = state.run;
    shown = view;
    shownOf = view && run ? { id: run.id, result: run.result, status: run.status } : null;
    fill(main, element);
    const table = state.listing ? "runs" : "data";
    const place = state.compare.length > 1 ? "compare" : (state.model?.key ?? run?.id ?? table);
    if (place !== shownPlace) {
        main.scrollTop = 0;
        // one below the other: what was asked for is not in sight
        if (place !== "data" && window.innerWidth <= 860) main.scrollIntoView();
    }
    shownPlace = place;
}

/** Compared runs that have a result, as they were last looked at. */
let compared = "";

function comparedChanged(): boolean {
    const now = state.runs
        .filter((r) => state.compare.includes(r.id))
        .map((r) => `${r.id} ${r.status} ${r.summary?.score}`)
        .join();
    const is = now !== compared;
    compared = now;
    return is;
}

async function showCompared(): Promise<void> {
    const ids = [...state.compare];
    try {
        const view = await compareView(ids);
        if (state.compare.join() === ids.join()) show(null, view);
    } catch (error) {
        report(error);
    }
}

function endedWithNothing(run: Run): HTMLElement {
    const why =
        run.error ??
        (run.status === "stopped"
            ? "It was stopped before the first λ was finished."
            : "It failed.");
    return h(
        "section",
        {},
        h("h1", {}, run.name),
        h("p", { class: run.status === "failed" ? "wrong" : "" }, why),
    );
}

function renderMain(): void {
    const run = state.run;
    const unread = state.unread;
    if (state.compare.length > 1) return void showCompared();
    if (state.model) {
        if (model?.key !== state.model.key) model = new ModelView(state.model);
        return show(null, model.element);
    }
    model = null;
    if (state.listing) {
        runs ??= new RunsView();
        runs.update();
        return show(null, runs.element);
    }
    if (unread)
        return show(
            null,
            unreadView(unread.file, unread.why, (way) => void takeFile(unread.file, way)),
        );
    if (!run) return show(null, state.current ? dataView(state.current) : startView());
    if (run.result?.points.length) {
        const view = new RunView(
            run,
            shown instanceof RunView && shownOf?.id === run.id ? shown.chosen : undefined,
        );
        return show(view, view.element);
    }
    if (!isGoing(run)) return show(null, endedWithNothing(run));
    const view = new ProgressView(run);
    show(view, view.element);
}

function isShown(): boolean {
    const run = state.run;
    return (
        shown !== null &&
        shownOf !== null &&
        state.compare.length < 2 &&
        shownOf.id === run?.id &&
        shownOf.result === run.result &&
        (shownOf.status === run.status || isGoing(run))
    );
}

function renderTitle(): void {
    const share = state.run && isGoing(state.run) ? shareDone() : null;
    const about = model?.name ?? state.run?.name ?? state.current?.name;
    const progress = share === null ? "" : `${Math.round(100 * share)} % – `;
    document.title = progress + (about ? `${about} – rls2` : "rls2");
}

/** Something else than a table is on screen. */
const elsewhere = (): boolean => Boolean(state.run || state.model || state.listing);

function update(parts: Set<Part>): void {
    updateSide(side, parts);
    if (parts.has("failure")) renderAlert();
    if (parts.has("runs") && state.listing && state.compare.length < 2) runs?.update();
    const waits = state.compare.length > 1 && parts.has("runs") && comparedChanged();
    if (waits) void showCompared();
    const asked = parts.has("run") || parts.has("compare") || parts.has("data");
    if (asked && !(isShown() && !parts.has("data") && !parts.has("compare"))) keepFocus(renderMain);
    else if (parts.has("settings") && !elsewhere() && !state.unread && state.current)
        keepFocus(renderMain);
    else if (parts.has("point") && shown instanceof RunView) shown.update();
    if (parts.has("checked") && !elsewhere()) showChecked(main);
    if (parts.has("live") && state.run)
        shown instanceof RunView ? shown.updateProgress(state.run) : shown?.update(state.run);
    renderTitle();
}

// ---- where the address leads ----

function acceptAddresses(): void {
    window.addEventListener("popstate", followAddress);
    document.querySelector(".skip")?.addEventListener("click", (e) => {
        e.preventDefault(); // the address is for runs
        main.focus();
    });
}

// ---- dropping a file ----

/** On a model's page tables are to be predicted. */
async function takeDropped(file: File): Promise<void> {
    if (model && state.model && !(await isModelFile(file))) return model.predict(file);
    return takeFile(file);
}

function acceptDrops(): void {
    document.addEventListener("dragover", (e) => {
        e.preventDefault();
        document.body.classList.add("dropping");
    });
    document.addEventListener("dragleave", (e) => {
        if (!e.relatedTarget) document.body.classList.remove("dropping");
    });
    document.addEventListener("drop", (e) => {
        e.preventDefault();
        document.body.classList.remove("dropping");
        const files = e.dataTransfer?.files ?? [];
        if (files.length > 1)
            report(new Error(`One file at a time, please: only ${files[0]!.name} is opened.`));
        if (files[0]) void takeDropped(files[0]);
    });
}

async function begin(): Promise<void> {
    listen(update);
    acceptDrops();
    acceptAddresses();
    prefersDark.addEventListener("change", () => setTheme(keptTheme()));
    renderTop();
    try {
        const [s, { settings }] = await Promise.all([api.state(), api.settings()]);
        useTable(settings);
        Object.assign(state, {
            version: s.version,
            builtin: s.builtin,
            data: s.data,
            runs: s.runs,
            models: s.models ?? [],
        });
        renderTop();
        changed("data", "runs", "run");
        followAddress();
        void followLists();
    } catch (error) {
        report(error);
        changed("data");
    }
}

void begin();
