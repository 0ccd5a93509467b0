// What the learned kernel is compared with, on the same splits.

import type { Result } from "./api";
import { h } from "./dom";
import { short } from "./numbers";
import { measureTitle } from "./verdict";

const BASELINES: Record<string, string> = {
    "uniform average": "all kernels, equal weights",
    "alignment average": "all kernels, weighted by alignment",
    "best aligned kernel": "the one kernel best aligned",
    "ridge on the inputs": "ridge regression on the inputs",
};

export function baselineName(name: string): string {
    return BASELINES[name] ?? name;
}

export function baselinesTable(result: Result): HTMLElement | null {
    const list = Object.values(result.baselines ?? {}).filter((b) => b !== null);
    if (list.length === 0) return null;
    const chosen = result.points[result.best.chosen ?? -1];
    const row = (
        name: string,
        score: number | null | undefined,
        error: number | null | undefined,
        ours: boolean,
    ): HTMLElement =>
        h(
            "tr",
            { class: ours ? "target" : "" },
            h("th", { scope: "row" }, name),
            h("td", { class: "num" }, short(score)),
            h("td", { class: "num" }, short(error)),
        );
    const head = [measureTitle(result.measure), "± standard error"].map((t) =>
        h("th", { scope: "col", class: "num" }, t),
    );
    return h(
        "details",
        { class: "more" },
        h("summary", {}, "Baselines on the same splits"),
        h(
            "table",
            {},
            h("thead", {}, h("tr", {}, h("td"), head)),
            h(
                "tbody",
                {},
                row("learned (RLS2)", chosen?.cvm, chosen?.cvsd, true),
                list.map((b) => row(BASELINES[b.name] ?? b.name, b.cvm, b.cvsd, false)),
            ),
        ),
        betterBaseline(
            result,
            list.map((b): [string, number] => [BASELINES[b.name] ?? b.name, b.cvm]),
            chosen?.cvm,
        ),
    );
}

function betterBaseline(
    result: Result,
    list: [string, number][],
    ours: number | null | undefined,
): HTMLElement | null {
    if (typeof ours !== "number") return null;
    const better = list.filter(([, score]) => (result.rises ? score > ours : score < ours));
    return better.length
        ? h(
              "p",
              { class: "hint" },
              "Better on these splits than the learned kernel: " +
                  `${better.map(([name]) => name).join("; ")}.`,
          )
        : null;
}
