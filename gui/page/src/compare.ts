// Runs side by side.

import { api, type Point, type Run } from "./api";
import { lineChart, type Series } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { count, power, seconds, short } from "./numbers";
import { PALETTE } from "./colours";
import { about, listOf, textOf } from "./settings";
import { openRun } from "./state";
import { validationInWords } from "./steps";
import { measureAxis, measureName, measureTitle } from "./verdict";

type Scored = "validation" | "test" | "training";

/** On which rows the runs of one figure are compared: the best that all of them have. */
function scoredOn(runs: Run[], measure: string): Scored {
    const every = (has: (p: Point) => boolean): boolean =>
        runs.every((r) => r.result!.points.some(has));
    if (every((p) => typeof p.cvm === "number")) return "validation";
    return every((p) => typeof p.test?.[measure] === "number") ? "test" : "training";
}

function score(p: Point, measure: string, on: Scored): number | null {
    const value =
        on === "validation" ? p.cvm : on === "test" ? p.test?.[measure] : p.train[measure];
    return value ?? null;
}

/** Two runs may have one name. */
function names(runs: Run[]): string[] {
    return runs.map((r) =>
        runs.filter((o) => o.name === r.name).length > 1
            ? `${r.name} (${r.created.replace("T", " ").slice(11, 19)})`
            : r.name,
    );
}

/** Runs whose scores may stand in one figure: of one target and measure. */
interface Group {
    target: string;
    measure: string;
    runs: Run[];
}

const targetOf = (r: Run): string =>
    `${listOf(r.asked.settings, "target").join(", ")} of ${r.data.name}`;

function groupsOf(runs: Run[]): Group[] {
    const groups: Group[] = [];
    for (const r of runs) {
        const [target, measure] = [targetOf(r), r.result!.measure];
        const there = groups.find((g) => g.target === target && g.measure === measure);
        if (there) there.runs.push(r);
        else groups.push({ target, measure, runs: [r] });
    }
    return groups;
}

function figureOf(all: Run[], labels: string[], group: Group, several: boolean): HTMLElement {
    const { runs, measure } = group;
    const on = scoredOn(runs, measure);
    const series = runs.map((r): Series => {
        const points = r.result!.points;
        const place = all.indexOf(r);
        const line: Series = {
            name: labels[place]!,
            x: points.map((p) => p.lambda),
            y: points.map((p) => score(p, measure, on)),
            dots: points.length < 60,
            colour: PALETTE[place % PALETTE.length]!,
        };
        if (on === "validation" && runs.length < 4)
            line.band = { lo: points.map((p) => edge(p, -1)), hi: points.map((p) => edge(p, 1)) };
        return line;
    });
    const of = several ? `, ${group.target}` : "";
    const figure = new Figure(`${measureTitle(measure)} on ${on} rows${of}`);
    figure.draw(
        lineChart({
            title: `${measureTitle(measure)} of ${runs.length} runs, ${on}`,
            x: { label: "λ (less regularised to the right)", log: true, reverse: true },
            y: { label: measureAxis(runs[0]!.result!) },
            series,
            legend: "above",
        }),
    );
    fill(figure.foot, h("span", { class: "hint" }, cautionOf(runs, on)));
    return figure.element;
}

/** What to bear in mind when these are compared. */
function cautionOf(runs: Run[], on: Scored): string {
    if (runs.length < 2) return "";
    if (on === "training")
        return (
            "Not every one of these has scores of rows that were left out, so training scores " +
            "are drawn: they do not tell which predicts better."
        );
    const splits = new Set(runs.map((r) => `${validationInWords(r.asked)} ${seedOf(r)}`));
    return on === "validation" && splits.size > 1
        ? "They were validated on different splits: small differences mean nothing."
        : "";
}

const seedOf = (r: Run): string => textOf(r.asked.settings, "seed");

// ---- learning curves ----

/** Runs that differ in how many rows random splits learn from. */
function isCurve(runs: Run[]): boolean {
    const shares = new Set(runs.map((r) => textOf(r.asked.settings, "share")));
    const same = new Set(
        runs.map((r) => JSON.stringify({ ...r.asked.settings, share: null, test_data: null })),
    );
    return runs.length > 2 && shares.size === runs.length && same.size === 1;
}

/** The best score of each, by the rows that it learned from. */
function curveFigure(group: Group): HTMLElement {
    const points = group.runs
        .map((r) => {
            const best = r.result!.points[r.result!.best.min ?? -1];
            const share = Number(textOf(r.asked.settings, "share"));
            return { rows: Math.round(share * r.result!.n), score: best?.cvm, error: best?.cvsd };
        })
        .filter((p) => typeof p.score === "number")
        .sort((a, b) => a.rows - b.rows);
    const edgeOf = (sign: number): (number | null)[] =>
        points.map((p) => (typeof p.error === "number" ? p.score! + sign * p.error : null));
    const figure = new Figure("Learning curve: how much more rows help");
    figure.draw(
        lineChart({
            title: "Learning curve",
            x: { label: "rows learned from" },
            y: { label: measureAxis(group.runs[0]!.result!) },
            series: [
                {
                    name: "validation (± standard error)",
                    x: points.map((p) => p.rows),
                    y: points.map((p) => p.score),
                    dots: true,
                    band: { lo: edgeOf(-1), hi: edgeOf(1) },
                    colour: PALETTE[0]!,
                },
            ],
            legend: "always",
        }),
    );
    const rises = group.runs[0]!.result!.rises;
    fill(figure.foot, h("span", { class: "hint" }, curveInWords(points, rises)));
    return figure.element;
}

/** What the last step of the curve says about the next. */
function curveInWords(
    points: { rows: number; score?: number | null; error?: number | null }[],
    rises: boolean,
): string {
    const [before, last] = points.slice(-2);
    if (!before || !last) return "";
    const gain = (rises ? 1 : -1) * (last.score! - before.score!);
    const noise = Math.hypot(last.error ?? 0, before.error ?? 0);
    const step = `From ${before.rows} to ${last.rows} rows the score`;
    if (gain > noise) return `${step} still improves by ${short(gain, 2)}: more rows would help.`;
    return gain > -noise
        ? `${step} changes by ${short(gain, 2)}, which is within its uncertainty: more rows ` +
              "would help little."
        : `${step} gets worse by ${short(-gain, 2)}: with so few rows this is chance.`;
}

function edge(p: Point, sign: number): number | null {
    return typeof p.cvm === "number" && typeof p.cvsd === "number" ? p.cvm + sign * p.cvsd : null;
}

function settingInWords(r: Run, name: string): string {
    const text = textOf(r.asked.settings, name);
    if (text === "true" || text === "false") return text === "true" ? "yes" : "no";
    return text === "" ? "by default" : text;
}

/** Told by rows of their own, or together as "validation". */
const TOLD = [
    "measure",
    "test_rows",
    "test_share",
    "select",
    "folds",
    "repeats",
    "splits",
    "share",
    "fold_column",
    "validation_rows",
];

/** Settings in which the runs differ. */
function differences(runs: Run[]): HTMLElement[] {
    const names = [...new Set(runs.flatMap((r) => Object.keys(r.asked.settings)))];
    const rows: [string, (r: Run) => string][] = [
        ["validation", (r) => validationInWords(r.asked)],
        ...names
            .filter((n) => !TOLD.includes(n))
            .map((n): [string, (r: Run) => string] => [
                about(n).label.toLowerCase(),
                (r) => settingInWords(r, n),
            ]),
    ];
    return rows
        .filter(([, value]) => new Set(runs.map(value)).size > 1)
        .map(([title, value]) =>
            h(
                "tr",
                {},
                h("th", { scope: "row" }, title),
                runs.map((r) => h("td", {}, value(r))),
            ),
        );
}

function table(runs: Run[], labels: string[]): HTMLElement {
    const row = (title: string, value: (r: Run, p: Point) => string): HTMLElement =>
        h(
            "tr",
            {},
            h("th", { scope: "row" }, title),
            runs.map((r) => h("td", {}, value(r, r.result!.points[r.result!.best.chosen ?? 0]!))),
        );
    const leftOut = (p: Point): string =>
        typeof p.cvm === "number" ? `${short(p.cvm)} ± ${short(p.cvsd, 2)}` : "–";
    const opener = (r: Run, i: number): HTMLElement =>
        h(
            "th",
            { scope: "col" },
            h("button", { class: "link", onclick: () => void openRun(r.id) }, labels[i]!),
        );
    return h(
        "table",
        {},
        h("thead", {}, h("tr", {}, h("td"), runs.map(opener))),
        h(
            "tbody",
            {},
            row("data", (r) => r.data.name),
            row(
                "λ",
                (r, p) =>
                    short(p.lambda) +
                        (r.result!.best.chosen === null ? " (none was chosen)" : ""),
            ),
            row("measure", (r) => measureName(r.result!.measure)),
            row("validation rows", (_, p) => leftOut(p)),
            row("test rows", (r, p) => short(p.test?.[r.result!.measure])),
            row("training rows", (r, p) => short(p.train[r.result!.measure])),
            row("kernels", (r, p) => `${p.selected} of ${r.result!.m}`),
            row("degrees of freedom", (_, p) => short(p.df, 3)),
            row("certified gap", (_, p) => power(p.gap)),
            row("time", (r) => seconds(r.seconds)),
            differences(runs),
        ),
    );
}

/** Why there is more than one figure. */
function apartInWords(groups: Group[]): string {
    const targets = [...new Set(groups.map((g) => g.target))];
    const measures = new Set(groups.map((g) => g.measure));
    if (targets.length > 1)
        return (
            `They predict different things (${targets.join("; ")}): their scores cannot be ` +
            "compared, so there is a figure for each."
        );
    return measures.size > 1
        ? "They are scored by different measures, so there is a figure for each."
        : "";
}

export async function compareView(ids: string[]): Promise<HTMLElement> {
    const asked = await Promise.all(ids.map((id) => api.run(id)));
    const runs = asked.filter((r) => r.result?.points.length);
    const waiting = asked.length - runs.length;
    const labels = names(runs);
    const groups = groupsOf(runs);
    const apart = apartInWords(groups);
    return h(
        "section",
        { "aria-label": "Comparison" },
        h("h1", {}, "Runs side by side"),
        waiting > 0
            ? h(
                  "p",
                  { class: "hint", role: "status" },
                  `${count(waiting, "run")} without a result yet; this page changes when there ` +
                      "is one.",
              )
            : null,
        apart ? h("p", { class: "notice" }, apart) : null,
        h(
            "div",
            { class: "grid" },
            groups.filter((g) => isCurve(g.runs)).map(curveFigure),
            groups.map((g) => figureOf(runs, labels, g, groups.length > 1)),
        ),
        runs.length
            ? h(
                  "div",
                  { class: "scroll", tabindex: 0, role: "region", "aria-label": "Runs in numbers" },
                  table(runs, labels),
              )
            : null,
    );
}
