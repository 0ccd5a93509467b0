// A run as one HTML file: data, settings, verdict, figures, command and certificate. It fetches
// nothing, runs nothing, and prints.

import { api, type Commands, type DataAbout, type Detail, type Point, type Run } from "./api";
import type { PaperFigure } from "./figure";
import { lossInWords } from "./losses";
import { bytes, count, power, seconds, short } from "./numbers";
import { about, listOf, textOf } from "./settings";
import { state } from "./state";
import { validationInWords } from "./steps";
import { measureName, measureTitle, scores } from "./verdict";

const ENTITIES: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
};

const esc = (text: string): string => text.replace(/[&<>"']/g, (c) => ENTITIES[c]!);

const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 900px; padding: 28px 24px 48px; color: #1b1f24;
  background: #fff; font: 14px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans",
  sans-serif; }
h1 { font-size: 26px; margin: 0 0 2px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 30px 0 8px; padding-bottom: 4px; border-bottom: 2px solid #005a8c; }
p { margin: 6px 0; }
.hint { color: #5b6570; font-size: 12px; }
.verdict { font-size: 18px; margin: 16px 0; padding: 12px 16px; background: #e8f1f7;
  border-left: 5px solid #005a8c; border-radius: 6px; }
.notice { padding: 8px 14px; border-left: 4px solid #a87400; background: #fbf5e8;
  border-radius: 6px; }
table { border-collapse: collapse; font-size: 13px; width: 100%; }
th, td { text-align: left; padding: 4px 10px 4px 0; border-bottom: 1px solid #d5dbe1;
  vertical-align: top; overflow-wrap: anywhere; }
td.num, th.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pairs th { width: 32%; color: #5b6570; font-weight: 400; }
tr.ours > * { font-weight: 600; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(360px, 1fr)); gap: 18px; }
figure { margin: 0; break-inside: avoid; min-width: 0; }
figcaption { font-weight: 600; font-size: 13px; margin-bottom: 4px; }
figure svg { width: 100%; height: auto; display: block; }
pre { background: #f4f6f8; border: 1px solid #d5dbe1; border-radius: 6px; padding: 10px;
  white-space: pre-wrap; overflow-wrap: anywhere; font-size: 12px; }
@page { size: A4; margin: 16mm 14mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 11pt; }
  .figures { grid-template-columns: 1fr 1fr; gap: 12px; }
  h2 { break-after: avoid; }
  tr, pre, .verdict { break-inside: avoid; }
}
@media (max-width: 480px) { .figures { grid-template-columns: 1fr; } body { padding: 16px; } }
`;

// ---- pieces ----

type Cell = string | { num: string };

function row(cells: Cell[], head = false, style = ""): string {
    const made = cells.map((c, i) => {
        const [text, kind] = typeof c === "string" ? [c, ""] : [c.num, ' class="num"'];
        const tag = head || i === 0 ? "th" : "td";
        const scope = head ? ' scope="col"' : i === 0 ? ' scope="row"' : "";
        return `<${tag}${scope}${kind}>${esc(text)}</${tag}>`;
    });
    return `<tr${style ? ` class="${style}"` : ""}>${made.join("")}</tr>`;
}

function table(head: Cell[], rows: string[]): string {
    return (
        `<table><thead>${row(head, true)}</thead><tbody>${rows.join("")}</tbody></table>`
    );
}

/** What is empty is left out. */
function pairs(list: [string, string][]): string {
    const rows = list.filter(([, value]) => value !== "").map(([k, v]) => row([k, v]));
    return `<table class="pairs"><tbody>${rows.join("")}</tbody></table>`;
}

const section = (title: string, ...content: string[]): string =>
    content.some((c) => c !== "")
        ? `<section><h2>${esc(title)}</h2>${content.join("")}</section>`
        : "";

const paragraph = (text: string, style = ""): string =>
    text ? `<p${style ? ` class="${style}"` : ""}>${esc(text)}</p>` : "";

// ---- what is in it ----

/** All that was seen of a run at one λ. */
export interface Reported {
    run: Run;
    point: number;
    detail: Detail | null;
    verdict: string;
    figures: PaperFigure[];
    commands: { fit: Commands; choose: Commands | null };
}

function dataSection({ run, detail }: Reported): string {
    const data: DataAbout | undefined = state.data.find((d) => d.id === run.data.id);
    const r = run.result!;
    const used = detail?.inputs.map((i) => i.name).join(", ") ?? "";
    return section(
        "Data",
        pairs([
            ["file", data ? `${data.name} (${bytes(data.bytes)})` : run.data.name],
            [
                "table",
                data ? `${count(data.rows, "row")}, ${count(data.column_count, "column")}` : "",
            ],
            ["predicted", listOf(run.asked.settings, "target").join(", ")],
            ["task", r.task === "classification" ? `classes ${r.classes.join(", ")}` : "numbers"],
            ["training rows", String(r.n)],
            ["test rows", detail?.test ? String(detail.test.actual[0]?.length ?? 0) : ""],
            ["columns used at this λ", used],
        ]),
        ...(data?.notes ?? []).map((n) => paragraph(n, "hint")),
    );
}

function settingsSection({ run }: Reported): string {
    const s = run.asked.settings;
    const r = run.result!;
    const set = Object.keys(s)
        .filter((name) => name !== "target")
        .map((name): [string, string] => [about(name).label.toLowerCase(), textOf(s, name)]);
    return section(
        "Settings",
        pairs([
            ["loss", lossInWords(r) || "square"],
            ["validation", validationInWords(run.asked)],
            ["measure", measureName(r.measure)],
            ["kernels in the dictionary", String(r.m)],
            ["values of λ", String(r.points.length)],
            ...set,
        ]),
        paragraph("Settings that are not listed have their defaults.", "hint"),
    );
}

const ON = { "test rows": "test", "validation rows": "validation", "training rows": "training" };

function scoreSection({ run, point }: Reported): string {
    const r = run.result!;
    const p = r.points[point]!;
    const rows = scores(r, p).map((s) =>
        row([
            ON[s.on],
            { num: short(s.value) },
            { num: s.error === null ? "" : `± ${short(s.error, 2)}` },
        ]),
    );
    const head: Cell[] = [
        "rows",
        { num: `${measureName(r.measure)} (${r.rises ? "higher" : "lower"} is better)` },
        { num: "standard error" },
    ];
    return section("Scores", table(head, rows), baselines(run), otherScores(p, r.measure));
}

function otherScores(p: Point, measure: string): string {
    const best = p.test ?? p.train;
    const told = Object.entries(best)
        .filter(([m, v]) => m !== measure && typeof v === "number")
        .map(([m, v]) => `${measureName(m)} ${short(v)}`);
    const on = p.test ? "test" : "training";
    return told.length ? paragraph(`On ${on} rows also: ${told.join(", ")}.`, "hint") : "";
}

function baselines(run: Run): string {
    const r = run.result!;
    const list = Object.values(r.baselines ?? {}).filter((b) => b !== null);
    const chosen = r.points[r.best.chosen ?? -1];
    if (list.length === 0) return "";
    const line = (name: string, v?: number | null, e?: number | null, style = ""): string =>
        row([name, { num: short(v) }, { num: short(e) }], false, style);
    return (
        "<p><b>Beside baselines, on the same splits</b></p>" +
        table(
            ["method", { num: measureTitle(r.measure) }, { num: "standard error" }],
            [
                line("learned kernels (RLS2)", chosen?.cvm, chosen?.cvsd, "ours"),
                ...list.map((b) => line(b.name, b.cvm, b.cvsd)),
            ],
        )
    );
}

const MOST_KERNELS = 40;

function kernelSection({ detail }: Reported): string {
    if (!detail) return "";
    const one = (output: Detail["outputs"][number]): string => {
        const kernels = [...output.kernels].sort((a, b) => b.weight - a.weight);
        const more = kernels.length - MOST_KERNELS;
        const title = detail.outputs.length > 1 ? `<p><b>${esc(output.name)}</b></p>` : "";
        return (
            title +
            table(
                ["kernel", { num: "weight" }, { num: "% of the fit" }],
                kernels
                    .slice(0, MOST_KERNELS)
                    .map((k) =>
                        row([
                            k.name,
                            { num: short(k.weight) },
                            { num: short(100 * (k.share ?? NaN), 3) },
                        ]),
                    ),
            ) +
            (more > 0 ? paragraph(`And ${count(more, "kernel")} of less weight.`, "hint") : "")
        );
    };
    return section("Kernels selected", ...detail.outputs.map(one));
}

function certificateSection({ run, point, detail }: Reported): string {
    const p = run.result!.points[point]!;
    const c = detail?.certificate;
    return section(
        "Certificate",
        paragraph(
            "The duality gap bounds how far the objective is from its optimum, whatever the " +
                "solver did on the way; it is recomputed from the data.",
        ),
        pairs([
            ["λ", String(p.lambda)],
            ["relative duality gap", power(p.gap)],
            ["primal objective", c ? String(c.primal) : ""],
            ["dual objective", c ? String(c.dual) : ""],
            ["iterations", String(p.iterations)],
            ["kernels selected", `${p.selected} of ${run.result!.m}`],
            ["degrees of freedom", typeof p.df === "number" ? short(p.df) : ""],
        ]),
    );
}

function commandSection({ commands }: Reported): string {
    const block = (title: string, text: string): string =>
        `<p><b>${esc(title)}</b></p><pre>${esc(text)}</pre>`;
    const { fit, choose } = commands;
    return section(
        "To do it again",
        choose ? block("In a terminal, λ chosen as here", choose.command) : "",
        block("In a terminal, at this λ", fit.command),
        block("In Python", (choose ?? fit).python),
    );
}

function figureSection({ figures }: Reported): string {
    const made = figures.map(
        (f) =>
            `<figure><figcaption>${esc(f.caption)}</figcaption>${f.svg}` +
            `${paragraph(f.note, "hint")}</figure>`,
    );
    return section("Figures", made.length ? `<div class="figures">${made.join("")}</div>` : "");
}

/** The file. Figures are SVG as the library of charts wrote it; all other text is escaped. */
export function reportOf(all: Reported): string {
    const { run, point, verdict } = all;
    const r = run.result!;
    const at = r.points[point]!;
    const chosen =
        r.best.chosen === point
            ? `, chosen by ${r.best.by === "cv" ? "cross-validation" : (r.best.by ?? "hand")}`
            : ", set by hand";
    const made = new Date().toISOString().slice(0, 16).replace("T", " ");
    const body = [
        `<h1>${esc(run.name)}</h1>`,
        paragraph(
            `rls2 ${state.version}, run of ${run.created.replace("T", " ").slice(0, 16)} in ` +
                `${seconds(run.seconds)}; report of ${made} UTC; model at λ = ` +
                `${short(at.lambda)}${chosen}.`,
            "hint",
        ),
        paragraph(verdict, "verdict"),
        ...(run.status === "done" ? [] : [paragraph(`The run was ${run.status}.`, "notice")]),
        ...r.notes.map((n) => paragraph(n, "hint")),
        dataSection(all),
        scoreSection(all),
        figureSection(all),
        kernelSection(all),
        settingsSection(all),
        certificateSection(all),
        commandSection(all),
    ];
    return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${esc(run.name)} – rls2</title><style>${STYLE}</style></head>
<body><main>${body.join("\n")}</main></body></html>
`;
}

/** Asks for the commands, too. */
export async function makeReport(seen: Omit<Reported, "commands">): Promise<Blob> {
    const { run, point } = seen;
    const chosen = run.result?.best.chosen ?? null;
    const [fit, choose] = await Promise.all([
        api.commands(run.id, point),
        chosen === null || chosen !== point ? null : api.commands(run.id, null),
    ]);
    return new Blob([reportOf({ ...seen, commands: { fit, choose } })], { type: "text/html" });
}
