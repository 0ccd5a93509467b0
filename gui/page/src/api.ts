// The server's routes and what they answer. docs: gui/README.md.

import type { ModelBrief } from "./modelapi";
import type { Answers, Route } from "./routes";

export interface Column {
    name: string;
    /** Numbers of dates are days since 1970-01-01. */
    kind: "number" | "text" | "date";
    missing: number;
    distinct: number;
    min?: number;
    max?: number;
    mean?: number;
    sd?: number;
    histogram?: number[];
    /** Of dates: how one is written. */
    example?: string;
    values?: { text: string; count: number }[];
}

export interface DataAbout {
    id: string;
    name: string;
    format: string;
    bytes: number;
    rows: number;
    /** Left out of the state where there are very many. */
    columns?: Column[];
    column_count: number;
    target: string | null;
    /** Several where the file has several by convention (MATLAB's Y). */
    targets?: string[];
    marker: string | null;
    /** The column that only names the rows, as R and pandas write it. */
    row_names?: string | null;
    /** What was found when the file was read, and for each the setting that reads it otherwise. */
    notes?: string[];
    undo?: (Record<string, string> | null)[];
    /** Of a CSV file: names are in the first line; what separates the cells. */
    header?: boolean;
    delimiter?: string | null;
    task_guess: "regression" | "classification" | null;
    /** One of those that come along. */
    sample?: boolean;
    /** How a CSV file was read, where not by default. */
    reading?: Partial<Reading>;
}

export interface Builtin {
    name: string;
    title: string;
    rows: number;
    columns: number;
    target: string;
    task: string;
    note: string;
    /** What suits it, beside its target. */
    settings?: Settings;
}

/** Some rows of a table that comes along, to be drawn small; `group` tells two classes apart. */
export interface SamplePicture {
    x_name: string;
    y_name: string;
    x: number[];
    y: number[];
    group?: number[];
}

export type Status = "queued" | "running" | "done" | "stopped" | "failed";

export interface RunAbout {
    id: string;
    name: string;
    status: Status;
    created: string;
    seconds: number;
    data: { id: string; name: string };
    summary?: {
        task: string;
        loss?: string;
        n: number;
        m: number;
        lambda: number | null;
        score: number | null;
        measure: string;
        scored_on: string;
    } | null;
    settings?: Settings;
    /** What people say of it. */
    tags?: string[];
    note?: string;
    /** Of a failed run: why. */
    error?: string;
    /** Of a queued run: how many come first. */
    before?: number;
}

export type Value = string | number | boolean | string[] | null;

/** Values by the names of GET /api/settings; what is not there has its default. */
export type Settings = Record<string, Value>;

/** What a run is asked for. */
export interface Asked {
    data: string;
    /** Tables of their own for test rows and validation rows. */
    test_data: string | null;
    validation_data: string | null;
    settings: Settings;
}

/** A row of the library's table of settings. */
export interface SettingAbout {
    name: string;
    kind: "flag" | "switch" | "choice" | "text" | "column" | "number" | "count" | "list";
    scope: "run" | "reading" | "lambda";
    choices: string[];
    /** Written as a value; "" where there is none. */
    default: string;
    /** What a value looks like: "COLUMN=VALUE". */
    value: string;
    section: string;
    label: string;
    sentence: string;
    help: string;
    least: number | null;
    most: number | null;
}

export type Scores = Record<string, number>;

export interface Point {
    lambda: number;
    objective: number;
    /** Null where numbers overflow. */
    gap: number | null;
    iterations: number;
    factorizations: number;
    df: number | null;
    selected: number;
    outcome: string;
    seconds: number | null;
    train: Scores;
    test?: Scores;
    cvm?: number | null;
    cvsd?: number | null;
    nzero?: number | null;
    /** Of each interval of a row: the share of left-out rows within, and its mean width, when it is
     *  calibrated on the left-out rows of other splits; with `interval`. */
    intervals?: {
        coverage: number | null;
        coverage_se: number | null;
        width: number | null;
        width_se: number | null;
    }[];
    gcv?: number | null;
    cp?: number | null;
    aic?: number | null;
    bic?: number | null;
    loo?: number | null;
}

export interface Result {
    n: number;
    m: number;
    task: "regression" | "classification";
    outputs: string[];
    classes: string[];
    /** "quantile(0.05,0.5,0.95)", and the loss of each output; those of versions before 0.12 lack
     *  these and are of the square loss. */
    loss?: string;
    losses?: string[];
    /** Classes whose probabilities are known. */
    probabilities?: boolean;
    intercept_rule?: "none" | "mean" | "free";
    /** Of `intervals`. */
    interval_level?: number;
    measure: string;
    rises: boolean;
    points: Point[];
    /** Values of lambda asked for; a run that was stopped has fewer points. */
    asked?: number;
    /** by: "cv", a criterion, or null where nothing chooses. */
    best: { min: number | null; one_se: number | null; chosen: number | null; by?: string | null };
    baselines?: Record<
        string,
        { name: string; lambda: number | null; cvm: number; cvsd: number } | null
    > | null;
    stability?: Stability;
    notes: string[];
}

export interface Run extends RunAbout {
    asked: Asked;
    result?: Result;
}

export interface KernelWeight {
    index: number;
    name: string;
    columns: string[];
    /** Columns of the table that these are made from. */
    inputs: string[];
    weight: number;
    scale: number;
    share: number;
}

export type KernelShare = Pick<KernelWeight, "index" | "name" | "inputs" | "share"> & {
    /** A sign for each split, "1" where it selects the kernel; of runs since 0.12. */
    splits?: string;
};

/** Stability selection: inputs that halves of the rows selected, the most frequent first. */
export interface Stability {
    halves: number;
    rows: number;
    inputs: number;
    limit: number;
    mean: number;
    threshold: number;
    least: number;
    errors: number;
    likely_errors: number;
    selected: { name: string; selected: number }[];
}

interface RowsOfPart {
    /** Their numbers in the table they are in, from 1. */
    rows?: number[];
    actual: number[][];
    /** A list for each class. */
    probabilities?: number[][];
    /** Where rows have some. */
    weights?: number[];
}

export interface Rows extends RowsOfPart {
    fitted: number[][];
}

export interface LeftOutRows extends RowsOfPart {
    predicted: number[][];
}

export interface Confusion {
    classes: string[];
    train: number[][];
    test?: number[][];
    left_out?: number[][];
}

/** A column of the table that the model needs; `levels` of categories. */
export interface ModelInput {
    index: number;
    name: string;
    kind: "number" | "text" | "date";
    levels?: string[];
}

export interface Detail {
    lambda: number;
    inputs: ModelInput[];
    /** Of the table, whether the model looks at them or not. */
    input_count?: number;
    /** `binned`: of rows that were binned on knots, which are not quite the rows themselves. */
    certificate: { gap: number; primal: number; dual: number; binned?: boolean };
    outputs: {
        name: string;
        intercept: number;
        kernels: KernelWeight[];
        coefficients?: { name: string; value: number; original: number | null }[];
        /** What kernels explain of rows that were left out, where some were; with another loss
         *  than the square one, of their predictions. Also those that only splits select. */
        left_out?: KernelShare[];
    }[];
    /** Of learned widths: each input's share of the squared distance between rows, most first. */
    relevance?: { input: string; share: number }[];
    /** Of a stack: its score on left-out rows, and the weights for each output, first that of the
     *  sparse part, which all else here is about but predictions. */
    stack?: { score: number | null; outputs: { name: string | null; weight: number }[][] };
    train: Rows;
    test?: Rows;
    left_out?: LeftOutRows;
    confusion?: Confusion;
}

export interface Profile {
    lambdas: number[];
    df: (number | null)[];
    outputs: {
        name: string;
        kernels: { index: number; name: string; weights: number[] }[];
        coefficients?: { name: string; values: number[] }[];
    }[];
}

export interface KernelFunction {
    column?: string;
    x?: number[];
    f?: number[];
    rug?: number[];
    /** Of a kernel of several columns: prediction of a training row, what the kernel adds to it. */
    rows?: [number, number][];
    unavailable?: string;
}

/** What an input does to predictions, along its values or for each of its levels. */
export interface InputEffect {
    name: string;
    kind: Column["kind"];
    /** Whether more of it means more. */
    direction: "none" | "up" | "down" | "both";
    /** `level` is a category, or "missing"; null of a value. */
    points: EffectPoint[];
}

/** Between `lower` and `upper` lie the curves of 8 of 10 rows; null where they are not known. */
export interface EffectPoint {
    value: number | null;
    level: string | null;
    rows: number;
    effect: number;
    lower: number | null;
    upper: number | null;
}

/** How much inputs count in the whole prediction, as shares of its variance over some training
 *  rows; and what two do together that neither does alone. */
export interface Explanation {
    rows: number;
    inputs: {
        name: string;
        index: number;
        share: number;
        alone: number;
        interaction: number;
    }[];
    pairs: { first: string; second: string; share: number; h2: number }[];
    interacting: number;
    compared: number;
}

/** What became of new rows. */
export interface Predicted {
    rows: number;
    predicted: number;
    /** Cells that were missing and filled in. */
    imputed?: number;
    /** Cells with a category that was not there when the model was learned. */
    unseen?: number;
}

export interface Commands {
    command: string;
    python: string;
    /** The table Python reads, and where to get it if it is not the one that was opened. */
    file: string;
    table: string | null;
}

export interface Checked {
    ok: true;
    rows: number;
    test_rows: number;
    task: string;
    classes: string[];
    loss: string;
    /** Columns that are learned from, and how many columns each of them becomes. */
    inputs: { name: string; kind: Column["kind"]; columns: number }[];
    /** Those that the library left out by itself: "only names the rows". */
    left_out: { name: string; why: string }[];
    kernels: number;
    kernel_names: string[];
    /** Of the whole run; in words: "about 20 s, about 340 MB of memory". */
    forecast_bytes: number;
    forecast_seconds: number;
    forecast: string;
    /** It needs more memory than there is. */
    too_much: boolean;
    /** The dictionary as text: the one asked for, or the default. */
    dictionary: string;
    /** Columns that stay although they may give the target away. */
    suspects: { name: string; why: string }[];
    /** What becomes of rows with an empty cell; of each column with such rows how many there are,
     *  and how many of them have nothing else missing. */
    missing: {
        rule: "error" | "drop" | "impute";
        dropped: number;
        columns: { name: string; rows: number; alone: number }[];
    };
    notes: string[];
}

/** A setting with which a run takes less, and what it takes then. */
export interface Saving {
    setting: string;
    value: string;
    rows: number;
    kernels: number;
    forecast: string;
    forecast_seconds: number;
    too_much: boolean;
}

/** Of the whole run, but for done and total, which are of the stage. */
export interface Progress {
    stage: string;
    stage_number: number;
    stage_count: number;
    done: number;
    total: number;
    eta_s: number | null;
    elapsed_s: number;
    /** 0 to 1; never falls. */
    share: number;
    lambda: number;
    gap: number;
    /** GET /api/runs/ID has one, perhaps not the last word. */
    result: boolean;
}

/** A lambda of the path, told as soon as it is finished: event "points", {points: LivePoint[]}. */
export interface LivePoint {
    index: number;
    lambda: number;
    df: number | null;
    selected: number;
    gap: number | null;
    seconds: number | null;
}

export interface Failure {
    message: string;
    field: string | null;
    position: number | null;
    /** The program did not answer: it may do so again. */
    offline?: boolean;
}

/** An answer that is no answer: the library's sentence, and the field it concerns. */
export class ServerError extends Error {
    constructor(
        readonly failure: Failure,
        readonly code: number,
    ) {
        super(failure.message);
    }
}

/** The token comes in the address, or in the page where a ticket opened it; it stays with the tab,
 *  not in its address and history. */
function takeToken(): string {
    const given =
        new URLSearchParams(location.search).get("token") ||
        document.querySelector<HTMLMetaElement>('meta[name="rls2-token"]')?.content ||
        "";
    if (!given) return sessionStorage.getItem("rls2-token") ?? "";
    sessionStorage.setItem("rls2-token", given);
    history.replaceState(history.state, "", `${location.pathname}${location.hash}`);
    return given;
}

const token = takeToken();

// ---- is it still our program that listens there? ----

/** Whoever listens at this port has shown that it knows the token. Where the program ends, any user
 *  of the machine may listen there next: nothing is sent before it has shown so again. */
let proved: Promise<boolean> | null = null;

const hex = (bytes: Uint8Array): string =>
    [...bytes].map((b) => b.toString(16).padStart(2, "0")).join("");

async function prove(): Promise<boolean> {
    const drawn = hex(crypto.getRandomValues(new Uint8Array(32)));
    const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
    const signed = `${location.port || "80"} ${drawn}`;
    const how = { name: "HMAC", hash: "SHA-256" };
    const response = await fetch(`/api/proof?of=${drawn}`);
    const { proof } = (await response.json()) as { proof?: string };
    const key = await crypto.subtle.importKey("raw", bytes(token), how, false, ["sign"]);
    return proof === hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(signed))));
}

/** From the next request on a proof is asked for. */
export function doubt(): void {
    proved = null;
}

async function trust(): Promise<void> {
    if (!token) return;
    proved ??= prove();
    let known = false;
    try {
        known = await proved;
    } catch {
        doubt();
        throw new TypeError("nobody answers");
    }
    if (known) return;
    doubt();
    throw new ServerError(
        {
            message:
                "Another program answers at this address, or `rls2 gui` with another folder. " +
                "Use the address that `rls2 gui` printed.",
            field: null,
            position: null,
        },
        403,
    );
}

document.addEventListener("visibilitychange", doubt);

export async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
        await trust();
        response = await fetch(path, {
            ...init,
            headers: { "X-RLS2-Token": token, ...init.headers },
        });
    } catch (error) {
        if (error instanceof ServerError) throw error;
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        doubt();
        throw new ServerError(
            {
                message: "The program does not answer. Is `rls2 gui` still running?",
                field: null,
                position: null,
            },
            0,
        );
    }
    if (response.ok) return response;
    const body = (await response.json().catch(() => null)) as { error?: Failure } | null;
    throw new ServerError(
        body?.error ?? {
            message: `The program answered ${response.status}.`,
            field: null,
            position: null,
        },
        response.status,
    );
}

/** What a request has beside its route: `query` "point=3", a body of JSON or of bytes. */
interface Sent {
    query?: string;
    json?: unknown;
    bytes?: BodyInit;
    signal?: AbortSignal;
}

/** Asks a route of the server's table, with ids and numbers in the places of ":id" and ":n". */
export async function call<R extends Route>(
    route: R,
    places: (string | number)[] = [],
    sent: Sent = {},
): Promise<Answers[R]> {
    const [method, pattern] = route.split(" ") as [string, string];
    let next = 0;
    const path = pattern.replace(/:(id|n)\b/g, () => String(places[next++]));
    const response = await ask(sent.query ? `${path}?${sent.query}` : path, {
        method,
        body: sent.bytes ?? (sent.json === undefined ? null : JSON.stringify(sent.json)),
        headers: sent.json === undefined ? {} : { "Content-Type": "application/json" },
        signal: sent.signal ?? null,
    });
    return (await response.json()) as Answers[R];
}

export interface State {
    version: string;
    threads: number;
    data: DataAbout[];
    models?: ModelBrief[];
    runs: RunAbout[];
    builtin: Builtin[];
}

/** How a CSV file is to be read; empty: as it is found to be. */
export interface Reading {
    delimiter: string;
    decimal: string;
    header: string;
    na: string[];
}

function readingQuery(way: Reading | null): URLSearchParams {
    const query = new URLSearchParams();
    if (way?.delimiter) query.set("delimiter", way.delimiter);
    if (way?.decimal) query.set("decimal", way.decimal);
    if (way?.header) query.set("header", way.header);
    for (const text of way?.na ?? []) query.append("na", text);
    return query;
}

/** The same file, read in another way: it becomes another table. */
function reread(id: string, way: Reading): Promise<DataAbout> {
    const query = readingQuery(way).toString();
    return call("POST /api/data/:id/reread", [id], { query, json: {} });
}

/** Sends a file, telling how far it is; fetch cannot say that. */
function upload(
    file: File,
    onProgress: (share: number) => void,
    way: Reading | null = null,
): Promise<DataAbout> {
    return new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        const query = readingQuery(way);
        query.set("name", file.name);
        request.open("POST", `/api/data?${query.toString()}`);
        request.setRequestHeader("X-RLS2-Token", token);
        request.upload.onprogress = (e) => onProgress(e.total ? e.loaded / e.total : 0);
        request.upload.onload = () => onProgress(1);
        const fail = (message: string, code: number): void =>
            reject(new ServerError({ message, field: null, position: null }, code));
        request.onerror = () => {
            doubt();
            fail(
                "The file could not be sent. Is `rls2 gui` still running, " +
                    "and is the file smaller than 512 MB?",
                0,
            );
        };
        request.onload = () => {
            let body: unknown = null;
            try {
                body = JSON.parse(request.responseText);
            } catch {
                return fail(`The program answered ${request.status}.`, request.status);
            }
            if (request.status < 300) return resolve(body as DataAbout);
            const failure = (body as { error?: Failure }).error;
            return fail(
                failure?.message ?? `The program answered ${request.status}.`,
                request.status,
            );
        };
        void trust().then(() => request.send(file), reject);
    });
}

/** Server-sent events over fetch, which can carry the token. */
async function stream(
    path: string,
    onEvent: (name: string, data: unknown) => void,
    signal: AbortSignal,
): Promise<void> {
    const response = await ask(path, { signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!reader) return;
    let rest = "";
    for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        rest += value;
        let end: number;
        while ((end = rest.indexOf("\n\n")) >= 0) {
            const lines = rest.slice(0, end).split("\n");
            rest = rest.slice(end + 2);
            const name = lines
                .find((l) => l.startsWith("event:"))
                ?.slice(6)
                .trim();
            const data = lines
                .filter((l) => l.startsWith("data:"))
                .map((l) => l.slice(5))
                .join("\n");
            if (name) onEvent(name, JSON.parse(data || "null"));
        }
    }
}

export async function predictTable(
    path: string,
    body: BodyInit,
): Promise<{ text: string; summary: Predicted }> {
    const response = await ask(path, { method: "POST", body });
    const summary = JSON.parse(response.headers.get("X-RLS2-Summary") ?? "{}") as Predicted;
    return { text: await response.text(), summary };
}

/** Tables and runs that this tab deletes: it need not be told of these. */
export const deletedHere = new Set<string>();

export async function forget(kind: "data" | "models" | "runs", id: string): Promise<void> {
    deletedHere.add(id);
    await call(`DELETE /api/${kind}/:id`, [id]);
}

export const api = {
    state: () => call("GET /api/state"),
    upload,
    reread,
    builtin: (name: string) => call("POST /api/data/builtin", [], { json: { name } }),
    samplePicture: (name: string) =>
        call("GET /api/data/builtin", [], { query: `name=${encodeURIComponent(name)}` }),
    data: (id: string) => call("GET /api/data/:id", [id]),
    rows: (id: string, from: number, count: number) =>
        call("GET /api/data/:id/rows", [id], { query: `from=${from}&count=${count}` }),
    forgetData: (id: string) => forget("data", id),
    settings: () => call("GET /api/settings"),
    check: (asked: Asked, signal: AbortSignal) =>
        call("POST /api/check", [], { json: asked, signal }),
    savings: (asked: Asked, signal: AbortSignal) =>
        call("POST /api/savings", [], { json: asked, signal }),
    start: (asked: Asked) => call("POST /api/runs", [], { json: asked }),
    run: async (id: string) => {
        const run = await call("GET /api/runs/:id", [id]);
        // not every run was started by this page
        const nothing = { test_data: null, validation_data: null, settings: {} };
        return { ...run, asked: { ...nothing, ...run.asked } };
    },
    /** Tells of the lists too: browsers allow few streams. */
    follow: (id: string, onEvent: (name: string, data: unknown) => void, signal: AbortSignal) =>
        stream(`/api/runs/${id}/events?lists=1`, onEvent, signal),
    /** Tells when tables or runs were added, deleted or changed, by whichever tab. */
    followLists: (onEvent: (name: string, data: unknown) => void, signal: AbortSignal) =>
        stream("/api/events", onEvent, signal),
    stop: (id: string) => call("POST /api/runs/:id/stop", [id], { json: {} }),
    forget: (id: string) => forget("runs", id),
    rename: (id: string, name: string) =>
        call("POST /api/runs/:id/name", [id], { json: { name } }),
    note: (id: string, change: { tags?: string[]; note?: string }) =>
        call("POST /api/runs/:id/notes", [id], { json: change }),
    point: (id: string, i: number, signal: AbortSignal) =>
        call("GET /api/runs/:id/point/:n", [id, i], { signal }),
    profile: (id: string) => call("GET /api/runs/:id/profile", [id]),
    kernelFunction: (id: string, i: number, k: number, output: number) =>
        call("GET /api/runs/:id/function/:n/:n", [id, i, k], { query: `output=${output}` }),
    inputEffect: (id: string, i: number, input: number, output: number) =>
        call("GET /api/runs/:id/effect/:n/:n", [id, i, input], { query: `output=${output}` }),
    /** At one λ, or with the way it was chosen. */
    commands: (id: string, i: number | null) =>
        call("GET /api/runs/:id/commands", [id], i === null ? {} : { query: `point=${i}` }),
    /** A table of new rows; the answer has its cells and the predictions. */
    predict: (id: string, i: number, file: File) =>
        predictTable(
            `/api/runs/${id}/predict/${i}?cells=1&name=${encodeURIComponent(file.name)}`,
            file,
        ),
    file: async (path: string) => (await ask(path)).blob(),
};
