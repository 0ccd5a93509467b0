// The page put together.

import { api } from "./api";
import { dataView, welcome } from "./dataview";
import { byId, fill, h } from "./dom";
import { compareView, progressView, RunView } from "./runview";
import { takeFile, updateSide } from "./side";
import { changed, clearFailure, listen, openRun, report, state, type Part } from "./state";

const main = byId("main");
const side = byId("side");
const alertBox = h("div", { class: "alert", role: "alert", hidden: true });
let shown: RunView | null = null;
let shownRun = "";

// ---- head ----

function setTheme(theme: string): void {
    document.documentElement.dataset["theme"] = theme;
    try {
        localStorage.setItem("rls2-theme", theme);
    } catch {
        // it is forgotten then
    }
}

function renderTop(): void {
    let theme = "auto";
    try {
        theme = localStorage.getItem("rls2-theme") ?? "auto";
    } catch {
        // the browser keeps nothing
    }
    document.documentElement.dataset["theme"] = theme;
    fill(
        byId("top"),
        h("strong", {}, "rls2"),
        h("span", { class: "hint" }, state.version),
        h("span", { class: "grow" }),
        h("label", { class: "hint" }, "Theme ", h("select", { value: theme, onchange: (e: Event) => setTheme((e.target as HTMLSelectElement).value) }, ["auto", "light", "dark"].map((t) => h("option", { value: t }, t)))),
    );
}

// ---- middle ----

function renderAlert(): void {
    const f = state.failure;
    alertBox.hidden = !f || f.field !== null;
    fill(alertBox, f?.message ?? "", h("button", { class: "link", onclick: clearFailure, "aria-label": "Close" }, "×"));
}

async function renderMain(): Promise<void> {
    const run = state.run;
    shown = null;
    shownRun = "";
    if (state.compare.length > 1) {
        const ids = [...state.compare];
        try {
            const view = await compareView(ids);
            if (state.compare.length === ids.length) fill(main, alertBox, view);
        } catch (error) {
            report(error);
        }
        return;
    }
    if (!run) return fill(main, alertBox, state.current ? dataView(state.current) : welcome());
    if (run.result && run.result.points.length > 0) {
        shown = new RunView(run);
        shownRun = run.id;
        return fill(main, alertBox, shown.element);
    }
    if (run.status === "queued" || run.status === "running") return fill(main, alertBox, progressView(run));
    fill(main, alertBox, h("section", {}, h("h1", {}, run.name), h("p", { class: "wrong" }, run.error?.message ?? (run.status === "stopped" ? "It was stopped before the first λ was finished." : "It failed."))));
}

function update(parts: Set<Part>): void {
    updateSide(side, parts);
    if (parts.has("failure")) renderAlert();
    const whole = parts.has("run") || parts.has("compare") || parts.has("data");
    const same = shown && state.run?.id === shownRun && !parts.has("compare") && state.compare.length < 2;
    if (whole && !(same && !parts.has("data"))) void renderMain();
    else if (parts.has("settings") && !state.run && state.current) void renderMain();
    if (parts.has("point") && same) shown?.update();
}

// ---- dropping a file ----

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
        const file = e.dataTransfer?.files[0];
        if (file) void takeFile(file);
    });
}

async function begin(): Promise<void> {
    listen(update);
    acceptDrops();
    renderTop();
    try {
        const s = await api.state();
        Object.assign(state, { version: s.version, builtin: s.builtin, data: s.data, runs: s.runs });
        renderTop();
        changed("data", "runs", "run");
        const id = /^#run=([a-z0-9]+)$/.exec(location.hash)?.[1];
        if (id && s.runs.some((r) => r.id === id)) await openRun(id);
    } catch (error) {
        report(error);
        changed("data");
    }
}

void begin();
