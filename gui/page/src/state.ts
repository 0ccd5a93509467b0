// What the page knows, and who wants to be told.

import { api, ServerError, type Builtin, type DataAbout, type Failure, type Result, type Run, type RunAbout, type Settings } from "./api";

export interface AppState {
    version: string;
    builtin: Builtin[];
    data: DataAbout[];
    runs: RunAbout[];
    /** The data set whose settings are on screen. */
    current: DataAbout | null;
    settings: Settings | null;
    /** The run on screen, and the place on its path. */
    run: Run | null;
    point: number;
    compare: string[];
    failure: Failure | null;
    uploading: number | null;
}

export const state: AppState = { version: "", builtin: [], data: [], runs: [], current: null, settings: null, run: null, point: 0, compare: [], failure: null, uploading: null };

export type Part = "data" | "settings" | "runs" | "run" | "point" | "failure" | "upload" | "compare";
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
    state.failure = error instanceof ServerError ? error.failure : { message: error instanceof Error ? error.message : String(error), field: null, position: null };
    changed("failure");
}

export function clearFailure(): void {
    if (!state.failure) return;
    state.failure = null;
    changed("failure");
}

export function defaults(data: DataAbout): Settings {
    return {
        data: data.id,
        test: data.marker ? { kind: "marker" } : { kind: "none" },
        target: data.target ? [data.target] : [],
        task: "auto",
        drop: [],
        categorical: [],
        weights: null,
        class_weights: "",
        features: "standardize",
        examples: "none",
        shuffle: false,
        transductive: false,
        transductive_features: false,
        kernels: null,
        groups: {},
        scaling: "trace",
        center: false,
        lambdas: null,
        max_iter: 200,
        gap_tol: 1e-6,
        solver: "newton",
        intercept: "auto",
        splits: { kind: "folds", folds: 10, repeats: 1, count: 20, share: 0.7 },
        measure: "auto",
        rule: "min",
        select: "cv",
        baselines: false,
        seed: 1,
    };
}

export async function useData(data: DataAbout, wants: Partial<Settings> = {}): Promise<void> {
    await withColumns(data);
    if (!state.data.some((d) => d.id === data.id)) state.data.unshift(data);
    state.current = data;
    state.settings = { ...defaults(data), ...wants };
    state.run = null;
    state.compare = [];
    history.replaceState(null, "", location.search);
    clearFailure();
    changed("data", "settings", "run", "compare");
}

let following: AbortController | null = null;

function keepRun(run: Run): void {
    const { settings, result, ...about } = run;
    void settings;
    void result;
    const at = state.runs.findIndex((r) => r.id === run.id);
    if (at >= 0) state.runs[at] = about;
    else state.runs.unshift(about);
    changed("runs");
}

export interface Live {
    stage: string;
    done: number;
    total: number;
    eta_s: number | null;
}
export let live: Live | null = null;

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

async function refresh(id: string): Promise<void> {
    const run = await api.run(id);
    keepRun(run);
    if (state.run?.id !== id) return;
    state.run = run;
    if (run.result) state.point = firstPoint(run.result);
    changed("run", "point");
}

/** Until it ends; a broken connection is taken up again. */
async function watch(id: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && state.run?.id === id && (state.run.status === "queued" || state.run.status === "running")) {
        try {
            await api.follow(
                id,
                (name, data) => {
                    if (name !== "progress" || state.run?.id !== id) return;
                    live = data as Live;
                    if (state.run.status === "queued") state.run.status = "running";
                    changed("run");
                },
                signal,
            );
        } catch (error) {
            if (signal.aborted) return;
            if (error instanceof ServerError && error.code !== 0) return report(error);
        }
        if (signal.aborted) return;
        try {
            await refresh(id);
        } catch (error) {
            report(error);
            await new Promise((resolve) => setTimeout(resolve, 1500));
        }
    }
    live = null;
}

export async function openRun(id: string): Promise<void> {
    following?.abort();
    following = new AbortController();
    live = null;
    try {
        const run = await api.run(id);
        state.run = run;
        state.compare = [];
        state.point = run.result ? firstPoint(run.result) : 0;
        state.current = (await withColumns(state.data.find((d) => d.id === run.data.id))) ?? state.current;
        state.settings = { ...structuredClone(run.settings) };
        history.replaceState(null, "", `${location.search}#run=${id}`);
        clearFailure();
        changed("data", "settings", "run", "point", "runs", "compare");
        void watch(id, following.signal);
    } catch (error) {
        report(error);
    }
}

export async function startRun(): Promise<void> {
    if (!state.settings) return;
    try {
        clearFailure();
        const { id } = await api.start(state.settings);
        await openRun(id);
    } catch (error) {
        report(error);
    }
}

export function setPoint(i: number): void {
    const count = state.run?.result?.points.length ?? 0;
    const to = Math.max(0, Math.min(count - 1, Math.round(i)));
    if (to === state.point) return;
    state.point = to;
    changed("point");
}
