// What a run says first: its score, in numbers and words, beside all that it is compared with.

import type { Detail, Point, Result, Run } from "./api";
import { baselineName } from "./baselines";
import { fill, h } from "./dom";
import { dotChart, type Dot } from "./dotchart";
import { Figure } from "./figure";
import { power } from "./numbers";
import { isGoing } from "./progress";
import { amount, measureAxis, measureTitle, scores, withoutLearning, type Score } from "./verdict";

const OUTCOME: Record<string, string> = {
    stalled: "stopped by rounding",
    max_iter: "not converged",
};

/** A score with its standard error; that of a stack has none of its own. */
interface Held {
    value: number;
    error: number | null;
}

type Baseline = NonNullable<NonNullable<Result["baselines"]>[string]> & { key: string };

function baselinesOf(result: Result): Baseline[] {
    return Object.entries(result.baselines ?? {}).flatMap(([key, b]) =>
        b && Number.isFinite(b.cvm) ? [{ ...b, key }] : [],
    );
}

/** On the rows that were left out, by what predicts: the stack where there is one. */
function ours(p: Point, detail: Detail | null): Held | null {
    const error = p.cvsd ?? null;
    if (typeof detail?.stack?.score === "number") return { value: detail.stack.score, error };
    return typeof p.cvm === "number" ? { value: p.cvm, error } : null;
}

// ---- the comparison in words ----

const list = (names: string[]): string =>
    names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const sentence = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** What differs by less than a standard error is as good. */
export function comparedInWords(result: Result, held: Held | null): string {
    const all = baselinesOf(result);
    if (!held || all.length === 0) return "";
    const worseBy = (b: Baseline): number =>
        result.rises ? held.value - b.cvm : b.cvm - held.value;
    const room = (b: Baseline): number => held.error ?? b.cvsd ?? 0;
    const better = all.filter((b) => worseBy(b) < -room(b));
    const equal = all.filter((b) => Math.abs(worseBy(b)) <= room(b));
    const told = (b: Baseline): string =>
        `${baselineName(b.name)} (${amount(b.cvm, result.measure)})`;
    const ridge = (some: Baseline[]): Baseline | undefined => some.find((b) => b.key === "ridge");
    if (better.length) {
        const verb = better.length === 1 ? "does" : "do";
        const simpler = ridge(better) ? ", and is simpler" : "";
        return `${sentence(list(better.map(told)))} ${verb} better on the same rows${simpler}.`;
    }
    const simple = ridge(equal);
    if (simple) return `${sentence(told(simple))} does as well, and is simpler.`;
    if (equal.length)
        return `${sentence(list(equal.map(told)))} ${equal.length === 1 ? "does" : "do"} as well.`;
    return "Every baseline does worse, by more than a standard error.";
}

// ---- the comparison as dots ----

function dotsOf(result: Result, p: Point, detail: Detail | null): { on: string; dots: Dot[] } {
    const [best] = scores(result, p);
    const validated = typeof p.cvm === "number";
    const on: Score["on"] = validated ? "validation rows" : (best?.on ?? "training rows");
    const naive = detail ? withoutLearning(result, detail, on) : null;
    const constant: Dot[] = naive
        ? [{ name: `constant (${naive.how})`, value: naive.value, error: null }]
        : [];
    if (!validated)
        return {
            on,
            dots: best
                ? [{ name: "learned kernel", ...best, ours: true }, ...constant]
                : constant,
        };
    const stack = detail?.stack?.score;
    const stacked = typeof stack === "number";
    const learned: Dot = {
        name: stacked ? "sparse part of it" : "learned kernel",
        value: p.cvm!,
        error: p.cvsd ?? null,
        ours: !stacked,
    };
    return {
        on,
        dots: [
            ...(stacked
                ? [{ name: "stack, which predicts", value: stack, error: null, ours: true }]
                : []),
            learned,
            ...baselinesOf(result).map((b) => ({
                name: baselineName(b.name),
                value: b.cvm,
                error: Number.isFinite(b.cvsd) ? b.cvsd : null,
            })),
            ...constant,
        ],
    };
}

// ---- what deserves a look ----

type Tag = [kind: "good" | "warn" | "bad" | "", words: string];

function statusTags(run: Run): Tag[] {
    if (isGoing(run)) return [["", "still being computed"]];
    if (run.status === "stopped") return [["warn", "stopped before the end"]];
    return run.status === "failed" ? [["bad", "failed before the end"]] : [];
}

function scoreTags(result: Result, p: Point, detail: Detail | null, weighted: boolean): Tag[] {
    const [best] = scores(result, p);
    if (!best) return [];
    const tags: Tag[] = best.on === "training rows" ? [["warn", "not validated"]] : [];
    const naive = detail && !weighted ? withoutLearning(result, detail, best.on) : null;
    const better = naive && (result.rises ? best.value > naive.value : best.value < naive.value);
    if (naive && !better) tags.push(["bad", "no better than a constant"]);
    if (result.best.by && result.best.by !== "cv" && typeof p.cvm !== "number")
        tags.push(["warn", `λ chosen by ${result.best.by.toUpperCase()}, from the path alone`]);
    return tags;
}

function tagsOf(run: Run, p: Point, detail: Detail | null, weighted: boolean): Tag[] {
    const result = run.result!;
    const gone = OUTCOME[p.outcome];
    const certified: Tag = gone
        ? ["warn", `${gone}: gap ${power(p.gap)}`]
        : ["good", `certified within ${power(p.gap)} of the optimum`];
    const warnings = result.notes
        .filter((n) => n.startsWith("warning: "))
        .map((n): Tag => ["warn", n.slice("warning: ".length)]);
    return [
        ...statusTags(run),
        ...scoreTags(result, p, detail, weighted),
        ...warnings,
        certified,
    ];
}

export class Hero {
    readonly element: HTMLElement;
    private readonly eyebrow = h("div", { class: "eyebrow" });
    private readonly value = h("div", { class: "hero-value" });
    private readonly verdict = h("p", { class: "verdict" });
    private readonly also = h("p", { class: "also" });
    private readonly tags = h("div", { class: "tags", role: "list", "aria-label": "Remarks" });
    private readonly figure = new Figure("Beside baselines");

    constructor(
        private readonly run: Run,
        buttons: HTMLElement,
    ) {
        this.element = h(
            "div",
            { class: "hero" },
            h(
                "div",
                { class: "card hero-words" },
                h("div", {}, this.eyebrow, this.value, this.verdict, this.also, this.tags),
                buttons,
            ),
            this.figure.element,
        );
    }

    /** Another λ, or more is known of it. `weighted`: rows have weights, which are not known here,
     *  so nothing is compared with a constant. */
    show(p: Point, detail: Detail | null, verdict: string, weighted: boolean): void {
        const result = this.run.result!;
        const [best] = scores(result, p);
        this.eyebrow.textContent = best ? `${measureTitle(result.measure)} on ${best.on}` : "";
        fill(
            this.value,
            best ? amount(best.value, result.measure) : "–",
            best?.error ? h("small", {}, ` ± ${amount(best.error, result.measure, 2)}`) : null,
        );
        this.verdict.textContent = verdict;
        this.also.textContent = comparedInWords(result, ours(p, detail));
        fill(
            this.tags,
            tagsOf(this.run, p, detail, weighted).map(([kind, words]) =>
                h("span", { class: `tag ${kind}`, role: "listitem" }, words),
            ),
        );
        this.draw(p, weighted ? null : detail);
    }

    private draw(p: Point, detail: Detail | null): void {
        const result = this.run.result!;
        const { on, dots } = dotsOf(result, p, detail);
        const baselines = baselinesOf(result).length > 0;
        const title = `${measureTitle(result.measure)} on ${on}`;
        this.figure.caption(baselines ? `${title}, beside baselines` : title);
        if (dots.length === 0) return this.figure.say("There is no score to compare.");
        this.figure.draw(dotChart(title, measureAxis(result), dots));
        const error = dots.some((d) => d.error !== null);
        fill(
            this.figure.foot,
            h(
                "span",
                { class: "hint" },
                (error ? "Bars are one standard error. " : "") +
                    (baselines || !dots.length
                        ? ""
                        : "Baselines are not known: they were not computed on these rows."),
            ),
        );
    }
}
