// Models: of files that were opened, or of one λ of a run. Both are asked the same things.

import {
    call,
    forget,
    predictTable,
    type Confusion,
    type Detail,
    type Explanation,
    type InputEffect,
    type KernelWeight,
    type ModelInput,
    type Predicted,
    type Scores,
} from "./api";

/** How rows fared that were left out when λ was chosen. */
export interface LeftOutScore {
    measure: string;
    rises: boolean;
    score: number | null;
    error: number | null;
    splits: number;
}

/** A model file, as the list has it. */
export interface ModelBrief {
    id: string;
    name: string;
    bytes: number;
    created: string;
    task: "regression" | "classification";
    targets: string[];
    loss: string;
    /** Rows it was learned from. */
    n: number;
    lambda: number | null;
    left_out: LeftOutScore | null;
}

/** All there is to say of a model. */
export interface ModelAbout extends Omit<ModelBrief, "id" | "bytes" | "created"> {
    /** Of a file. */
    id?: string;
    bytes?: number;
    created?: string;
    /** Of a run. */
    run?: string;
    data?: { id: string; name: string };
    outputs: string[];
    classes: string[];
    losses: string[];
    probabilities: boolean;
    intercept_free: boolean;
    /** It keeps no rows. */
    compact: boolean;
    inputs: ModelInput[];
    input_count: number;
    certificate: Detail["certificate"] & { df: number | null; selected: number };
    /** Kernels of the dictionary, and its text. */
    m: number;
    dictionary: string;
    missing: string;
    examples: string;
    features: string;
    fingerprint: string | null;
    interval: { level: number; correction: number; rows: number; within: number } | null;
    measure: string;
    learned: { name: string; base: number | null; kernels: KernelWeight[] }[];
    relevance?: Detail["relevance"];
    stack?: Detail["stack"];
    row_weights?: string;
}

/** What a prediction of one output is made of: base and parts sum to what is said. */
export interface RowParts {
    name: string;
    base: number | null;
    /** A value for each row. `inputs` of kernels, `member` of a stack. */
    parts: { inputs?: string[]; member?: string; values: (number | null)[] }[];
}

/** What a model says of the rows of a table: of the first ones, where there are many. */
export interface RowsTold extends Predicted {
    /** Of the model, whether it looks at them or not. */
    inputs: number;
    /** Rows of the table, from 1, their columns and cells. */
    numbers: number[];
    columns: string[];
    cells: string[][];
    /** On the scale of the response, and on that on which parts add up: a list for each output. */
    fitted: number[][];
    said: number[][];
    labels?: (string | null)[];
    probabilities?: number[][];
    lower?: number[][];
    upper?: number[][];
    parts: RowParts[];
    /** Where the target is in the table: of each output, null where it is not known. */
    actual?: (number | null)[][];
    /** Of all rows whose target is known. `strangers` have a label that is none of the classes. */
    score?: {
        measure: string;
        rises: boolean;
        scores: Scores;
        rows: number;
        strangers: number;
    };
    confusion?: { classes: string[]; counts: Confusion["train"] };
}

export interface ModelSource {
    /** In the address: an id, or that of a run and the number of a λ. */
    readonly key: string;
    about: () => Promise<ModelAbout>;
    /** `typed`: the page itself has written the table. */
    rows: (table: Blob | string, name: string, typed?: boolean) => Promise<RowsTold>;
    /** The table with predictions beside its cells, as CSV. */
    file: (table: File) => Promise<{ text: string; summary: Predicted }>;
    effect: (input: number, output: number) => Promise<InputEffect>;
    explanation: (output: number) => Promise<Explanation>;
}

/** How a table of rows is sent: under its name, and how it is read where the page wrote it. */
const rowsQuery = (name: string, typed: boolean): string =>
    `name=${encodeURIComponent(name)}${typed ? "&delimiter=,&header=yes" : ""}`;
const cellsQuery = (table: File): string => `cells=1&name=${encodeURIComponent(table.name)}`;

export function openedModel(id: string): ModelSource {
    const output = (o: number): { query: string } => ({ query: `output=${o}` });
    return {
        key: id,
        about: () => call("GET /api/models/:id", [id]),
        rows: (bytes, name, typed = false) =>
            call("POST /api/models/:id/rows", [id], { query: rowsQuery(name, typed), bytes }),
        file: (table) => predictTable(`/api/models/${id}/predict?${cellsQuery(table)}`, table),
        effect: (input, o) => call("GET /api/models/:id/effect/:n", [id, input], output(o)),
        explanation: (o) => call("GET /api/models/:id/explanation", [id], output(o)),
    };
}

export function runModel(run: string, point: number): ModelSource {
    const at: [string, number] = [run, point];
    const output = (o: number): { query: string } => ({ query: `output=${o}` });
    return {
        key: `${run}.${point}`,
        about: () => call("GET /api/runs/:id/about/:n", at),
        rows: (bytes, name, typed = false) =>
            call("POST /api/runs/:id/rows/:n", at, { query: rowsQuery(name, typed), bytes }),
        file: (table) =>
            predictTable(`/api/runs/${run}/predict/${point}?${cellsQuery(table)}`, table),
        effect: (input, o) => call("GET /api/runs/:id/effect/:n/:n", [...at, input], output(o)),
        explanation: (o) => call("GET /api/runs/:id/explanation/:n", at, output(o)),
    };
}

/** What an address or a click names. */
export function modelOf(key: string): ModelSource {
    const [id, point] = key.split(".");
    return point === undefined ? openedModel(id!) : runModel(id!, Number(point));
}

/** Sends a file; the library checks it. */
export function openModelFile(file: File): Promise<ModelBrief> {
    const query = `name=${encodeURIComponent(file.name)}`;
    return call("POST /api/models", [], { query, bytes: file });
}

export const forgetModel = (id: string): Promise<void> => forget("models", id);

/** Model files begin with the length of a JSON text and that text. */
export async function isModelFile(file: File): Promise<boolean> {
    const head = new DataView(await file.slice(0, 9).arrayBuffer());
    if (head.byteLength < 9 || head.getUint8(8) !== "{".charCodeAt(0)) return false;
    const length = head.getBigUint64(0, true);
    return length > 1n && length < BigInt(file.size);
}
