// Runs side by side.

import { api, type Point, type Run } from "./api";
import { lineChart, type Series } from "./chart";
import { h } from "./dom";
import { Figure } from "./figure";
import { power, seconds, short } from "./numbers";
import { PALETTE } from "./colours";
import { about, textOf } from "./settings";
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

function figureOf(all: Run[], labels: string[], measure: string): HTMLElement {
    const runs = all.filter((r) => r.result!.measure === measure);
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
    const figure = new Figure(`${measureTitle(measure)} on ${on} rows`);
    figure.draw(
        lineChart({
            title: `${measureTitle(measure)} of ${runs.length} runs, ${on}`,
            x: { label: "λ (less regularised to the right)", log: true, reverse: true },
            y: { label: measureAxis(runs[0]!.result!) },
            series,
            legend: "above",
        }),
    );
    return figure.element;
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

export async function compareView(ids: string[]): Promise<HTMLElement> {
    const runs = (await Promise.all(ids.map((id) => api.run(id)))).filter(
        (r) => r.result?.points.length,
    );
    const labels = names(runs);
    const measures = [...new Set(runs.map((r) => r.result!.measure))];
    return h(
        "section",
        { "aria-label": "Comparison" },
        h("h1", {}, "Runs side by side"),
        measures.length > 1
            ? h(
                  "p",
                  { class: "hint" },
                  "They are scored by different measures, so there is a figure for each.",
              )
            : null,
        h(
            "div",
            { class: "grid" },
            measures.map((m) => figureOf(runs, labels, m)),
        ),
        h(
            "div",
            { class: "scroll", tabindex: 0, role: "region", "aria-label": "Runs in numbers" },
            table(runs, labels),
        ),
    );
}
