// All runs in a table: sorted, filtered, tagged, with notes; and several queued at once.

import { api, type RunAbout, type Settings } from "./api";
import { fill, h, say } from "./dom";
import { seconds, short } from "./numbers";
import { isSet, listOf, textOf } from "./settings";
import { changed, compare, openRun, report, state } from "./state";
import { SweepForm } from "./sweepform";
import { measureName } from "./verdict";

// ---- what a run is, as words ----

const settingsOf = (r: RunAbout): Settings => r.settings ?? {};
export const targetOf = (r: RunAbout): string => listOf(settingsOf(r), "target").join(", ");

const kernelsOf = (r: RunAbout): string =>
    isSet(settingsOf(r), "kernels") ? textOf(settingsOf(r), "kernels") : "by default";

const preparedOf = (r: RunAbout): string => textOf(settingsOf(r), "features");
const ON: Record<string, string> = { "left out": "validation", test: "test", train: "training" };
const onOf = (r: RunAbout): string => (r.summary ? (ON[r.summary.scored_on] ?? "") : "");
const tagsOf = (r: RunAbout): string[] => r.tags ?? [];

interface Column {
    key: string;
    title: string;
    num?: boolean;
    text: (r: RunAbout) => string;
    /** What it is sorted by; the text where there is none. */
    value?: (r: RunAbout) => number | null;
}

const COLUMNS: Column[] = [
    { key: "name", title: "Run", text: (r) => r.name },
    { key: "data", title: "Data", text: (r) => r.data.name },
    { key: "target", title: "Target", text: targetOf },
    {
        key: "status",
        title: "Status",
        text: (r) => (r.status === "queued" ? `waiting (${r.before ?? 0} before)` : r.status),
    },
    {
        key: "score",
        title: "Score",
        num: true,
        text: (r) =>
            typeof r.summary?.score === "number"
                ? `${measureName(r.summary.measure)} ${short(r.summary.score)}`
                : "–",
        value: (r) => r.summary?.score ?? null,
    },
    { key: "on", title: "Of rows", text: onOf },
    { key: "kernels", title: "Kernels", text: kernelsOf },
    { key: "features", title: "Columns", text: preparedOf },
    { key: "seed", title: "Seed", num: true, text: (r) => textOf(settingsOf(r), "seed") },
    {
        key: "lambda",
        title: "λ",
        num: true,
        text: (r) => short(r.summary?.lambda),
        value: (r) => r.summary?.lambda ?? null,
    },
    {
        key: "seconds",
        title: "Time",
        num: true,
        text: (r) => (r.seconds ? seconds(r.seconds) : "–"),
        value: (r) => r.seconds,
    },
    { key: "created", title: "Started", text: (r) => r.created.replace("T", " ").slice(0, 16) },
];

const MOST_ROWS = 300;

export class RunsView {
    readonly element = h("section", { class: "runs-view", "aria-label": "All runs" });
    private readonly body = h("div");
    private readonly sweep = new SweepForm();
    private filter = "";
    private sort: { key: string; down: boolean } = { key: "created", down: true };

    constructor() {
        fill(
            this.element,
            h("h1", {}, "Runs"),
            h(
                "div",
                { class: "row runs-tools" },
                h("input", {
                    type: "search",
                    id: "runs-filter",
                    placeholder: "Filter: a name, a target, kernels, a tag…",
                    "aria-label": "Filter the runs",
                    oninput: (e: Event) => {
                        this.filter = (e.target as HTMLInputElement).value;
                        this.draw();
                    },
                }),
            ),
            this.body,
            this.sweep.element,
        );
        this.draw();
    }

    /** After runs have come, gone or changed. */
    update(): void {
        const active = document.activeElement;
        // what is being typed stays
        const typing = active instanceof HTMLInputElement && active.type === "text";
        if (typing && this.body.contains(active)) return;
        this.draw();
    }

    private words(r: RunAbout): string {
        const all = [...COLUMNS.map((c) => c.text(r)), ...tagsOf(r), r.note ?? ""];
        return all.join(" ").toLowerCase();
    }

    private shown(): RunAbout[] {
        const wanted = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
        const column = COLUMNS.find((c) => c.key === this.sort.key)!;
        const order = (a: RunAbout, b: RunAbout): number => {
            if (!column.value) return column.text(a).localeCompare(column.text(b), "en");
            const [x, y] = [column.value(a), column.value(b)];
            if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
            return x - y;
        };
        const list = state.runs.filter((r) => wanted.every((w) => this.words(r).includes(w)));
        list.sort(order);
        if (this.sort.down) list.reverse();
        return list;
    }

    private draw(): void {
        const list = this.shown();
        const mixed = this.sort.key === "score" && mixture(list);
        fill(
            this.body,
            h(
                "p",
                { class: "hint", role: "status" },
                `${list.length} of ${state.runs.length} runs` +
                    (list.length > MOST_ROWS ? `, the first ${MOST_ROWS} of them shown` : "") +
                    ". Tick two or more to compare them.",
            ),
            mixed ? h("p", { class: "notice" }, mixed) : null,
            h(
                "div",
                { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of runs" },
                h(
                    "table",
                    { class: "runs-table" },
                    h("thead", {}, this.head()),
                    h("tbody", {}, list.slice(0, MOST_ROWS).map((r) => this.row(r))),
                ),
            ),
        );
    }

    private head(): HTMLElement {
        const by = (key: string): void => {
            const down = this.sort.key === key ? !this.sort.down : false;
            this.sort = { key, down };
            this.draw();
            document.getElementById(`sort-${key}`)?.focus();
        };
        const sign = (key: string): string =>
            this.sort.key === key ? (this.sort.down ? " ↓" : " ↑") : "";
        return h(
            "tr",
            {},
            h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "Compare")),
            COLUMNS.map((c) =>
                h(
                    "th",
                    {
                        scope: "col",
                        class: c.num ? "num" : "",
                        "aria-sort":
                            this.sort.key !== c.key
                                ? null
                                : this.sort.down
                                  ? "descending"
                                  : "ascending",
                    },
                    h(
                        "button",
                        { class: "link", id: `sort-${c.key}`, onclick: () => by(c.key) },
                        `${c.title}${sign(c.key)}`,
                    ),
                ),
            ),
            h("th", { scope: "col" }, "Tags"),
            h("th", { scope: "col" }, "Note"),
        );
    }

    private row(r: RunAbout): HTMLElement {
        const cell = (c: Column): HTMLElement =>
            c.key === "name"
                ? h(
                      "th",
                      { scope: "row" },
                      h("button", { class: "link", onclick: () => void openRun(r.id) }, r.name),
                  )
                : h(
                      "td",
                      { class: `${c.num ? "num" : "values"} at-${c.key}`, title: c.text(r) },
                      c.text(r),
                  );
        return h(
            "tr",
            { class: r.summary?.scored_on === "train" ? "only-training" : "" },
            h(
                "td",
                {},
                h("input", {
                    type: "checkbox",
                    "aria-label": `Compare ${r.name}`,
                    checked: state.compare.includes(r.id),
                    disabled: !r.summary,
                    onchange: (e: Event) => {
                        const on = (e.target as HTMLInputElement).checked;
                        compare(
                            on
                                ? [...state.compare, r.id]
                                : state.compare.filter((c) => c !== r.id),
                        );
                    },
                }),
            ),
            COLUMNS.map(cell),
            h("td", {}, this.typed(r, "tags")),
            h("td", {}, this.typed(r, "note")),
        );
    }

    /** Kept when the field is left, or Enter is pressed. */
    private typed(r: RunAbout, what: "tags" | "note"): HTMLElement {
        const now = what === "tags" ? tagsOf(r).join(", ") : (r.note ?? "");
        const keep = async (text: string): Promise<void> => {
            const change =
                what === "tags"
                    ? { tags: text.split(",").map((t) => t.trim()).filter(Boolean) }
                    : { note: text.trim() };
            try {
                await api.note(r.id, change);
                Object.assign(r, change);
                changed("runs");
                say("Kept");
            } catch (error) {
                report(error);
            }
        };
        return h("input", {
            type: "text",
            value: now,
            placeholder: what === "tags" ? "tags, with commas" : "a note",
            "aria-label": `${what === "tags" ? "Tags" : "Note"} of ${r.name}`,
            onchange: (e: Event) => void keep((e.target as HTMLInputElement).value),
        });
    }
}

/** Why scores that stand below each other should not be compared; "" where they may be. */
function mixture(runs: RunAbout[]): string {
    const scored = runs.filter((r) => typeof r.summary?.score === "number");
    const kinds = (of: (r: RunAbout) => string): string[] => [...new Set(scored.map(of))];
    const said: string[] = [];
    const list = (words: string[]): string => words.slice(0, 4).join(", ");
    const targets = kinds((r) => `${targetOf(r)} of ${r.data.name}`);
    const measures = kinds((r) => measureName(r.summary!.measure));
    const on = kinds(onOf);
    if (targets.length > 1) said.push(`they predict different things (${list(targets)})`);
    if (measures.length > 1) said.push(`they are measured differently (${list(measures)})`);
    if (on.length > 1)
        said.push(`some are of ${list(on)} rows: a training score says nothing beside another`);
    return said.length
        ? `Not all of these scores can be compared: ${said.join("; ")}. Filter to see those that ` +
              "can."
        : "";
}
