// Many runs queued at once: every dictionary with every preprocessing and every seed; or random
// splits that learn from more and more rows, for a learning curve.

import { api, type Asked, type Settings } from "./api";
import { fill, h, say } from "./dom";
import { field, text } from "./fields";
import { count } from "./numbers";
import { about, textOf } from "./settings";
import { changed, compare, report, state } from "./state";

const MOST_RUNS = 100;
/** Shares of the rows that are learned from, for a learning curve. */
const SHARES = [0.1, 0.2, 0.35, 0.5, 0.7, 0.9];
const CURVE_SPLITS = 10;

/** The settings of each run, and what tells it from the others. */
interface Wanted {
    settings: Settings;
    name: string;
}

/** How rows are split, where they are left out in another way: one way replaces the other. */
const SPLITTING = ["folds", "repeats", "fold_column", "validation_rows", "select"];

function curveRuns(asked: Asked): Wanted[] {
    const kept = Object.fromEntries(
        Object.entries(asked.settings).filter(([name]) => !SPLITTING.includes(name)),
    );
    return SHARES.map((share) => ({
        settings: { ...kept, splits: CURVE_SPLITS, share, baselines: false },
        name: `${Math.round(100 * share)} % of the rows`,
    }));
}

export class SweepForm {
    readonly element: HTMLDetailsElement;
    private readonly body = h("div");
    private dictionaries = "";
    private features = new Set<string>(["auto"]);
    private seeds = "0";
    private readonly status = h("p", { class: "hint", role: "status" });
    private readonly start = h("button", { class: "strong", onclick: () => void this.queue() });

    constructor() {
        this.element = h(
            "details",
            { class: "more sweep", id: "sweep", ontoggle: () => this.draw() },
            h("summary", {}, "Queue several runs at once"),
            this.body,
        ) as HTMLDetailsElement;
    }

    private draw(): void {
        const asked = state.asked;
        if (!this.element.open) return;
        if (!asked || !state.current)
            return fill(
                this.body,
                h("p", { class: "hint" }, "Open a table, or a run, whose settings they share."),
            );
        if (!this.dictionaries)
            this.dictionaries = textOf(asked.settings, "kernels") || "linear\nrbf(0.01:10:4)@all";
        const dictionaries = h("textarea", {
            rows: 4,
            value: this.dictionaries,
            spellcheck: "false",
            oninput: (e: Event) => {
                this.dictionaries = (e.target as HTMLTextAreaElement).value;
                this.tellCount();
            },
        });
        fill(
            this.body,
            h(
                "p",
                { class: "hint" },
                `Every combination of what follows is run on ${state.current.name}, with all ` +
                    "other settings as they are on the left.",
            ),
            field(
                "sweep kernels",
                "Dictionaries, one on each line",
                dictionaries,
                "An empty line is the default dictionary.",
            ),
            this.featureTicks(),
            field(
                "sweep seeds",
                "Seeds",
                text(this.seeds, "0, 1, 2", (v) => {
                    this.seeds = v;
                    this.tellCount();
                }),
                "Of the random numbers that draw folds: how much scores differ by chance.",
            ),
            h("div", { class: "files" }, this.start, this.curveButton()),
            this.status,
        );
        this.tellCount();
    }

    private featureTicks(): HTMLElement {
        const choices = about("features").choices;
        return h(
            "fieldset",
            { class: "field" },
            h("legend", { class: "hint" }, "Preprocessing of columns"),
            choices.map((c) =>
                h(
                    "label",
                    { class: "tick-inline" },
                    h("input", {
                        type: "checkbox",
                        checked: this.features.has(c),
                        onchange: (e: Event) => {
                            if ((e.target as HTMLInputElement).checked) this.features.add(c);
                            else this.features.delete(c);
                            this.tellCount();
                        },
                    }),
                    ` ${c}`,
                ),
            ),
        );
    }

    private curveButton(): HTMLElement {
        return h(
            "button",
            {
                id: "learning-curve",
                title: `${SHARES.length} runs of ${CURVE_SPLITS} random splits each`,
                onclick: () => void this.queueCurve(),
            },
            "Learning curve: how much would more rows help?",
        );
    }

    private wanted(): Wanted[] {
        const base = state.asked!.settings;
        const lines = this.dictionaries.split("\n").map((l) => l.trim());
        const dictionaries = [...new Set(lines.length ? lines : [""])];
        const seeds = [...new Set(this.seeds.split(/[\s,;]+/).filter(Boolean))];
        const all: Wanted[] = [];
        for (const kernels of dictionaries)
            for (const features of this.features)
                for (const seed of seeds) {
                    const settings: Settings = { ...base, features, seed };
                    if (kernels) settings["kernels"] = kernels;
                    else delete settings["kernels"];
                    all.push({
                        settings,
                        name: `${kernels || "default kernels"}, ${features}, seed ${seed}`,
                    });
                }
        return all;
    }

    private tellCount(): void {
        const n = this.wanted().length;
        this.start.textContent = `Queue ${count(n, "run")}`;
        this.start.disabled = n === 0 || n > MOST_RUNS;
        this.status.textContent = n > MOST_RUNS ? `At most ${MOST_RUNS} at once.` : "";
    }

    private async queue(): Promise<void> {
        await this.add(this.wanted(), "sweep");
    }

    private async queueCurve(): Promise<void> {
        const ids = await this.add(curveRuns(state.asked!), "learning curve");
        if (ids.length > 1) compare(ids);
    }

    /** One after the other, so that they wait in this order. What was queued before one that is
     *  refused stays queued. */
    private async add(wanted: Wanted[], kind: string): Promise<string[]> {
        const asked = state.asked!;
        const numbers = state.runs.flatMap((r) => sweepNumbers(r.tags ?? [], kind));
        const number = 1 + Math.max(0, ...numbers);
        const tag = `${kind} ${number}`;
        const name = state.current?.name ?? "";
        const ids: string[] = [];
        this.start.disabled = true;
        try {
            for (const w of wanted) {
                const { id } = await api.start({ ...asked, settings: w.settings });
                ids.push(id);
                await api.rename(id, `${name}: ${w.name}`.slice(0, 180));
                await api.note(id, { tags: [tag] });
                this.status.textContent = `${ids.length} of ${wanted.length} queued…`;
            }
            this.status.textContent = `${count(ids.length, "run")} queued, tagged '${tag}'.`;
            say(this.status.textContent);
        } catch (error) {
            this.status.textContent = `${ids.length} of ${wanted.length} were queued.`;
            report(error);
        }
        this.start.disabled = false;
        changed("runs");
        return ids;
    }
}

function sweepNumbers(tags: string[], kind: string): number[] {
    return tags
        .filter((t) => t.startsWith(`${kind} `))
        .map((t) => Number(t.slice(kind.length + 1)))
        .filter(Number.isFinite);
}
