// What the page knows, and who wants to be told.

import {
    api,
    deletedHere,
    doubt,
    ServerError,
    type Asked,
    type Builtin,
    type Checked,
    type DataAbout,
    type Failure,
    type LivePoint,
    type Progress,
    type Result,
    type Run,
    type RunAbout,
    type Settings,
    type State,
    type Status,
    type Value,
} from "./api";
import { defaults, isGuess } from "./defaults";
import { say } from "./dom";
import { modelOf, type ModelBrief, type ModelSource } from "./modelapi";
import { listOf, partsOf, put, textOf } from "./settings";

export interface AppState {
    version: string;
    builtin: Builtin[];
    data: DataAbout[];
    runs: RunAbout[];
    /** The data set whose settings are on screen. */
    current: DataAbout | null;
    asked: Asked | null;
    /** The run on screen, and the place on its path. */
    run: Run | null;
    point: number;
    /** Model files, and the model on screen. */
    models: ModelBrief[];
    model: ModelSource | null;
    /** The table of all runs is on screen. */
    listing: boolean;
    compare: string[];
    failure: Failure | null;
    uploading: number | null;
    /** A file that was opened and could not be read. */
    unread: { file: File; why: string } | null;
    /** What is predicted was guessed, and nobody has said yes or no. */
    guessed: boolean;
    /** What the library makes of the settings; null while it is being asked. */
    checked: Checked | null;
}

export const state: AppState = {
    version: "",
    builtin: [],
    data: [],
    runs: [],
    current: null,
    asked: null,
    run: null,
    point: 0,
    models: [],
    model: null,
    listing: false,
    compare: [],
    failure: null,
    uploading: null,
    unread: null,
    guessed: false,
    checked: null,
};

export type Part =
    | "data"
    | "settings"
    | "check"
    | "checked"
    | "runs"
    | "run"
    | "live"
    | "point"
    | "failure"
    | "upload"
    | "compare";
const listeners: ((parts: Set<Part>) => void)[] = [];
let waiting: Set<Part> | null = null;

export function listen(f: (parts: Set<Part>) => void): void {
    listeners.push(f);
}

/** Many changes in one turn are told once. */
export function changed(...parts: Part[]): void {
    if (waiting) {
        parts.forEach((p) => waiting?.add(p));
        return;
    }
    waiting = new Set(parts);
    queueMicrotask(() => {
        const told = waiting ?? new Set<Part>();
        waiting = null;
        listeners.forEach((f) => f(told));
    });
}

export function report(error: unknown): void {
    if (error instanceof DOMException && error.name === "AbortError") return;
    state.failure =
        error instanceof ServerError
            ? { ...error.failure, offline: error.code === 0 }
            : {
                  message: error instanceof Error ? error.message : String(error),
                  field: null,
                  position: null,
              };
    changed("failure");
}

/** The program answers again. */
export function clearOffline(): void {
    if (state.failure?.offline) clearFailure();
}

export function clearFailure(): void {
    if (!state.failure) return;
    state.failure = null;
    changed("failure");
}

// ---- settings ----

export function columnNames(): string[] {
    return state.current?.columns?.map((c) => c.name) ?? [];
}

/** Sets what no other field depends on; null: back to the default. */
export function set(name: string, value: Value): void {
    if (!state.asked) return;
    put(state.asked.settings, name, value);
    if (name === "target") state.guessed = false;
    clearFailure();
    changed("check");
}

/** Sets what other fields depend on: the steps are drawn anew. */
export function choose(settings: Settings, tables: Partial<Omit<Asked, "settings">> = {}): void {
    if (state.asked) Object.assign(state.asked, tables);
    for (const [name, value] of Object.entries(settings)) set(name, value);
    clearFailure();
    changed("settings");
}

export type Role = "input" | "text" | "predicted" | "not used" | "weight" | "marker";

export function roleOf(name: string): Role {
    const s = state.asked?.settings;
    if (!s) return "input";
    const marks = (setting: string): boolean =>
        partsOf(textOf(s, setting), columnNames()).column === name;
    if (marks("test_rows") || marks("validation_rows") || textOf(s, "fold_column") === name)
        return "marker";
    if (listOf(s, "target").includes(name)) return "predicted";
    if (listOf(s, "drop").includes(name)) return "not used";
    if (textOf(s, "row_weights") === name) return "weight";
    return listOf(s, "categorical").includes(name) ? "text" : "input";
}

/** A column has one role; what is predicted moves on unless the new one joins it. */
export function setRole(name: string, role: Role): void {
    const s = state.asked?.settings;
    if (!s) return;
    const without = (setting: string): string[] => listOf(s, setting).filter((n) => n !== name);
    const among = (setting: string, is: boolean): void =>
        put(s, setting, is ? [...without(setting), name] : without(setting));
    put(s, "target", role === "predicted" ? [name] : without("target"));
    among("drop", role === "not used");
    among("categorical", role === "text");
    if (role === "predicted") state.guessed = false;
    if (role === "weight") put(s, "row_weights", name);
    else if (textOf(s, "row_weights") === name) put(s, "row_weights", null);
    clearFailure();
    changed("settings");
}

/** What was set for each table, while the page is open. */
const remembered = new Map<string, Asked>();

/** As it was set before: here, or in its newest run. */
async function askedBefore(data: DataAbout): Promise<Asked | null> {
    const here = remembered.get(data.id);
    if (here) return here;
    const run = state.runs.find((r) => r.data.id === data.id);
    return run ? (await api.run(run.id)).asked : null;
}

export async function useData(data: DataAbout, wants: Settings = {}): Promise<void> {
    if (state.asked) remembered.set(state.asked.data, state.asked);
    const mine = leaveRun();
    await withColumns(data);
    const before = await askedBefore(data);
    if (!state.data.some((d) => d.id === data.id)) state.data.unshift(data);
    if (mine.signal.aborted) return changed("data"); // something else was opened meanwhile
    state.current = data;
    state.unread = null;
    state.asked = before ?? defaults(data, wants);
    state.guessed = !before && listOf(state.asked.settings, "target").length > 0 && isGuess(data);
    state.run = null;
    state.compare = [];
    goTo(`#data=${data.id}`);
    clearFailure();
    changed("data", "settings", "run", "compare");
}

/** A place of its own in the browser's history; nothing where it is that place already. */
function goTo(hash: string): void {
    if (location.hash !== hash)
        history.pushState(null, "", `${location.pathname}${location.search}${hash}`);
}

/** Of what was opened last: whatever is opened next aborts it, also while its answers are under
 *  way. */
let following: AbortController | null = null;

/** Lets go of the stream of the run on screen, and of answers that are still to come. */
export function leaveRun(): AbortController {
    following?.abort();
    following = new AbortController();
    state.model = null;
    state.listing = false;
    live = null;
    moved = false;
    return following;
}

/** Shows a model: of a file, or of one λ of a run. */
export function openModel(model: ModelSource): void {
    leaveRun();
    Object.assign(state, { model, run: null, unread: null, compare: [] });
    goTo(`#model=${model.key}`);
    clearFailure();
    changed("run", "runs", "compare");
}

/** Shows the table of all runs. */
export function listRuns(): void {
    leaveRun();
    Object.assign(state, { listing: true, run: null, unread: null, compare: [] });
    goTo("#runs");
    clearFailure();
    changed("run", "runs", "compare");
}

/** The run, or the model, on screen is no more. */
export function closeRun(): void {
    leaveRun();
    state.run = null;
    goTo("");
    changed("run", "runs");
}

/** To the first view, with nothing chosen. */
export function goHome(): void {
    if (state.asked) remembered.set(state.asked.data, state.asked);
    leaveRun();
    Object.assign(state, { run: null, current: null, asked: null, unread: null, compare: [] });
    goTo("");
    clearFailure();
    changed("data", "settings", "run", "runs", "compare");
}

function keepRun(run: Run): void {
    const { asked, result, ...about } = run;
    void asked;
    void result;
    const at = state.runs.findIndex((r) => r.id === run.id);
    if (at >= 0) state.runs[at] = about;
    else {
        state.runs.unshift(about);
        edition++;
    }
    changed("runs");
}

/** How far the run on screen is. */
export interface Live {
    /** Null while it waits, or has just begun. */
    progress: Progress | null;
    /** Runs that come first. */
    before: number;
    points: LivePoint[];
}
export let live: Live | null = null;
/** Has λ been moved by hand? Then new results leave it where it is. */
let moved = false;

/** The chosen place on the path, or its middle where nothing was chosen. */
function firstPoint(result: Result): number {
    const last = result.points.length - 1;
    return Math.max(0, Math.min(result.best.chosen ?? Math.floor(last / 2), last));
}

/** Very wide tables come without their columns at first. */
async function withColumns(data: DataAbout | undefined): Promise<DataAbout | null> {
    if (!data || data.columns) return data ?? null;
    return Object.assign(data, await api.data(data.id));
}

/** Answers may overtake each other: one that was asked for earlier says nothing new. */
let refreshes = 0;
let refreshed = 0;

async function refresh(id: string): Promise<void> {
    const asked = ++refreshes;
    const run = await api.run(id);
    if (asked < refreshed) return;
    refreshed = asked;
    if (state.run?.id !== id) return;
    keepRun(run);
    state.run = run;
    if (run.result && !moved) state.point = firstPoint(run.result);
    changed("run", "point");
}

function takeEvent(id: string, name: string, data: unknown): void {
    if (name === "changed") return void refreshLists().catch(report);
    if (state.run?.id !== id || !live) return;
    if (name === "points") live.points.push(...(data as { points: LivePoint[] }).points);
    if (name === "status") {
        const told = data as { status: Status; before?: number };
        live.before = told.before ?? 0;
        if (told.status === "running") state.run.status = "running";
    }
    if (name === "progress") {
        live.progress = data as Progress;
        // The path is there: it can be looked at while the rest is computed.
        if (live.progress.result && !state.run.result) void refresh(id).catch(report);
    }
    changed("live");
}

const BUSY = 503;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The stream of the lists, which that of a run takes the place of: browsers allow few streams to
 *  all pages together. */
let ofLists: AbortController | null = null;
let ofRun: Promise<void> | null = null;

/** The stream of the run on screen, while the page is looked at. */
async function listenTo(id: string, signal: AbortSignal): Promise<void> {
    let ended = (): void => undefined;
    ofRun = new Promise((resolve) => (ended = resolve));
    ofLists?.abort();
    const unseen = new AbortController();
    const look = (): void => {
        if (document.hidden) unseen.abort();
    };
    document.addEventListener("visibilitychange", look);
    try {
        live = { progress: live?.progress ?? null, before: 0, points: [] };
        await api.follow(
            id,
            (name, data) => takeEvent(id, name, data),
            AbortSignal.any([signal, unseen.signal]),
        );
    } catch (error) {
        // A TypeError is a connection that broke in the middle of the stream.
        const expected =
            unseen.signal.aborted ||
            error instanceof TypeError ||
            (error instanceof ServerError && (error.code === 0 || error.code === BUSY));
        if (!expected) throw error;
        if (error instanceof ServerError && error.code === BUSY) await pause(1500);
    } finally {
        document.removeEventListener("visibilitychange", look);
        ofRun = null;
        ended();
    }
}

/** Until it ends; a broken connection is taken up again. */
async function watch(id: string, signal: AbortSignal): Promise<void> {
    const isGoing = (): boolean =>
        !signal.aborted &&
        state.run?.id === id &&
        (state.run.status === "queued" || state.run.status === "running");
    while (isGoing()) {
        try {
            if (document.hidden) await pause(2000);
            else await listenTo(id, signal);
            if (signal.aborted) return;
            await refresh(id);
            clearOffline();
        } catch (error) {
            if (signal.aborted) return;
            report(error);
            if (error instanceof ServerError && error.code !== 0) return;
            await pause(1500);
        }
    }
    if (signal.aborted) return;
    live = null;
    if (state.run?.id === id) tellEnd(state.run);
}

const ENDS: Partial<Record<Status, string>> = {
    done: "is finished",
    stopped: "was stopped",
    failed: "has failed",
};

function tellEnd(run: Run): void {
    if (ENDS[run.status]) say(`${run.name} ${ENDS[run.status]}`);
}

export async function openRun(id: string): Promise<void> {
    const { signal } = leaveRun();
    try {
        const run = await api.run(id);
        const data = await withColumns(state.data.find((d) => d.id === run.data.id));
        if (signal.aborted) return; // another one was opened meanwhile
        keepRun(run);
        state.run = run;
        state.unread = null;
        state.compare = [];
        moved = false;
        state.point = run.result ? firstPoint(run.result) : 0;
        state.current = data;
        state.asked = structuredClone(run.asked);
        state.guessed = false;
        goTo(`#run=${id}`);
        clearFailure();
        changed("data", "settings", "run", "point", "runs", "compare");
        void watch(id, signal);
    } catch (error) {
        if (signal.aborted) return;
        report(
            error instanceof ServerError && error.code === 404
                ? new Error("That run is no longer there.")
                : error,
        );
    }
}

/** The runs side by side are a place of their own too. */
export function compare(ids: string[]): void {
    state.compare = ids;
    if (ids.length > 1) goTo(`#compare=${ids.join(",")}`);
    else if (location.hash.startsWith("#compare="))
        goTo(state.run ? `#run=${state.run.id}` : state.listing ? "#runs" : "");
    changed("compare");
}

/** What the address says: a run, several, or none. */
export function followAddress(): void {
    const id = /^#run=([a-z0-9]+)$/.exec(location.hash)?.[1];
    const several = /^#compare=([a-z0-9,]+)$/.exec(location.hash)?.[1]?.split(",") ?? [];
    const data = /^#data=([a-z0-9]+)$/.exec(location.hash)?.[1];
    const model = /^#model=([a-z0-9]+(?:\.\d+)?)$/.exec(location.hash)?.[1];
    if (several.length > 1)
        return compare(several.filter((c) => state.runs.some((r) => r.id === c)));
    state.compare = [];
    changed("compare");
    if (location.hash === "#runs") {
        if (!state.listing || state.run) listRuns();
    } else if (model) {
        if (model !== state.model?.key) openModel(modelOf(model));
    } else if (id) {
        if (id !== state.run?.id) void openRun(id);
    } else if (data && (state.run || state.model || state.listing || data !== state.current?.id)) {
        const table = state.data.find((d) => d.id === data);
        if (table) void useData(table).catch(report);
        else report(new Error("That table is no longer there."));
    } else if (state.run || state.model || state.listing) {
        leaveRun();
        state.run = null;
        changed("run", "runs");
    }
}

// ---- other runs ----

/** Changes with every run that is added or deleted here: a list asked for before is old. */
let edition = 0;

export function dropRun(id: string): void {
    edition++;
    state.runs = state.runs.filter((r) => r.id !== id);
}

/** What is on screen may have been deleted in another tab. */
function takeLists(now: State): void {
    const known = new Map(state.data.map((d) => [d.id, d]));
    state.data = now.data.map((d) => known.get(d.id) ?? d);
    state.runs = now.runs;
    state.models = now.models ?? [];
    const has = (list: { id: string }[], id: string): boolean => list.some((e) => e.id === id);
    state.compare = state.compare.filter((id) => has(now.runs, id));
    const elsewhere = (what: string, id: string): void => {
        if (!deletedHere.has(id)) report(new Error(`${what} was deleted in another tab.`));
    };
    if (state.run && !has(now.runs, state.run.id)) {
        const { id, name } = state.run;
        closeRun();
        elsewhere(`The run "${name}"`, id);
    }
    const [opened, point] = state.model?.key.split(".") ?? [];
    if (opened && !has(point === undefined ? state.models : now.runs, opened)) {
        closeRun();
        elsewhere("The model", opened);
    }
    if (state.current && !state.run && !has(now.data, state.current.id)) {
        const { id, name } = state.current;
        Object.assign(state, { current: null, asked: null });
        goTo("");
        changed("settings", "run");
        elsewhere(name, id);
    }
}

let asking = false;
let again = false;

/** One question at a time; what is told meanwhile is asked about afterwards. */
async function refreshLists(): Promise<void> {
    again = asking;
    if (asking) return;
    asking = true;
    try {
        const before = edition;
        const now = await api.state();
        const ids = (list: { id: string }[]): string => list.map((e) => e.id).join();
        const tables = ids(now.data) !== ids(state.data);
        if (edition === before) {
            takeLists(now);
            changed("runs");
            if (tables && !state.run) changed("data");
        } else again = true;
        clearOffline();
    } finally {
        asking = false;
    }
    if (again) await refreshLists();
}

/** Tables and runs as they are, whichever tab changes them; a server that went away is found again
 *  when it is back. Only while the page is looked at: browsers allow few streams. */
export async function followLists(): Promise<void> {
    for (;;) {
        if (document.hidden)
            await new Promise((seen) =>
                document.addEventListener("visibilitychange", seen, { once: true }),
            );
        while (ofRun) await ofRun;
        const unseen = new AbortController();
        ofLists = unseen;
        const look = (): void => {
            if (document.hidden) unseen.abort();
        };
        document.addEventListener("visibilitychange", look);
        try {
            await api.followLists(() => void refreshLists().catch(report), unseen.signal);
            doubt();
        } catch (error) {
            doubt();
            const gone = error instanceof ServerError && error.code === 0;
            if (!unseen.signal.aborted && gone) report(error);
        } finally {
            document.removeEventListener("visibilitychange", look);
        }
        await pause(1000);
    }
}

let starting = false;

/** A double click is one click. */
export async function startRun(): Promise<void> {
    if (!state.asked || starting) return;
    starting = true;
    try {
        clearFailure();
        const { id } = await api.start(state.asked);
        await openRun(id);
    } catch (error) {
        report(error);
    } finally {
        starting = false;
    }
}

export function setPoint(i: number): void {
    const count = state.run?.result?.points.length ?? 0;
    const to = Math.max(0, Math.min(count - 1, Math.round(i)));
    if (to === state.point) return;
    moved = true;
    state.point = to;
    changed("point");
}
