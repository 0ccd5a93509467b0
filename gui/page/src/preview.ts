// The first rows of a table as it was read, with what was inferred as chips that can be undone.

import { api, type Column, type DataAbout, type Reading } from "./api";
import { fill, h } from "./dom";
import { count } from "./numbers";
import { choose, report, roleOf, setRole, state } from "./state";

const [SOME_ROWS, MOST_COLUMNS] = [6, 60];

// ---- how the file was read ----

const SEPARATORS: Record<string, string> = {
    ",": "commas",
    ";": "semicolons",
    tab: "tabs",
    "|": "bars",
    space: "blanks",
};

/** How it would be read without it; null where nothing can be done. */
type Undo = Partial<Reading> | null;

function undoOf(setting: Record<string, string> | null | undefined): Undo {
    if (!setting) return null;
    const [[name, value] = ["", ""]] = Object.entries(setting);
    if (name === "na") return { na: [value] };
    if (name === "header") return { header: value };
    return name === "decimal" ? { decimal: value } : null;
}

/** What was found, and what somebody asked for. */
function findings(data: DataAbout): [string, Undo][] {
    const asked = data.reading ?? {};
    const found: [string, Undo][] = [];
    const sign = data.delimiter;
    if (sign) found.push([`cells between ${SEPARATORS[sign] ?? sign}`, null]);
    if (data.header && !asked.header) found.push(["names in the first line", { header: "no" }]);
    const own: [keyof Reading, string, Undo][] = [
        ["delimiter", "separator as you said", { delimiter: "" }],
        ["header", `${asked.header === "no" ? "no " : ""}names, as you said`, { header: "" }],
        ["decimal", `decimal sign ${asked.decimal}, as you said`, { decimal: "" }],
        ["na", `missing: ${(asked.na ?? []).join(" ")}, as you said`, { na: [] }],
    ];
    for (const [name, words, undo] of own) if (asked[name]?.length) found.push([words, undo]);
    (data.notes ?? []).forEach((n, i) => found.push([n, undoOf(data.undo?.[i])]));
    return found;
}

export function readingChips(
    data: DataAbout,
    again: (way: Partial<Reading>) => void,
): HTMLElement | null {
    if (data.format !== "CSV") return null;
    return h(
        "ul",
        { class: "chips notes-chips notes", "aria-label": "How the file was read" },
        findings(data).map(([words, undo]) =>
            h(
                "li",
                { class: "chip" },
                h("span", { title: words }, words),
                undo
                    ? h(
                          "button",
                          {
                              class: "undo",
                              title: `Read the file otherwise: ${words}`,
                              "aria-label": `Undo: ${words}`,
                              onclick: () => again({ ...data.reading, ...undo }),
                          },
                          "×",
                      )
                    : null,
            ),
        ),
    );
}

// ---- what columns were taken for ----

/** What its chip says, what undoes it, and in which words. */
function columnChip(data: DataAbout, c: Column): [string, (() => void) | null] {
    const role = roleOf(c.name);
    const left = state.checked?.left_out.find((l) => l.name === c.name);
    const input = (): void => setRole(c.name, "input");
    const asText = (): void => setRole(c.name, "text");
    if (role === "predicted") return ["predicted", null];
    if (role === "marker") return ["marks rows", null];
    if (role === "weight") return ["row weight", input];
    if (role === "not used") return ["not used", input];
    if (left) return [`left out: ${left.why}`, () => choose({ columns: "all" })];
    if (role === "text") return ["categories", input];
    if (data.row_names === c.name) return ["row names", asText];
    if (c.kind === "date") return ["dates", asText];
    if (c.kind === "number") return ["numbers", null];
    return ["categories", null];
}

function chipOf(data: DataAbout, c: Column, i: number): HTMLElement {
    const [words, undo] = columnChip(data, c);
    const left = words.startsWith("left out");
    const kind = words.startsWith("left out: gives") ? "bad" : left ? "warn" : "";
    return h(
        "span",
        { class: `chip kind ${kind}`, "data-chip": c.name },
        h("span", { title: words }, words),
        undo
            ? h(
                  "button",
                  {
                      class: "undo",
                      id: `undo-${i}`,
                      title: `Not so: ${c.name}, ${words}`,
                      "aria-label": `Undo for ${c.name}: ${words}`,
                      onclick: undo,
                  },
                  "×",
              )
            : null,
    );
}

/** After the library was asked. */
export function showPreviewChips(data: DataAbout, within: Element): void {
    for (const head of within.querySelectorAll<HTMLElement>("th[data-preview]")) {
        const i = Number(head.dataset["preview"]);
        const c = data.columns?.[i];
        if (c) head.querySelector(".kind")?.replaceWith(chipOf(data, c, i));
    }
}

async function loadRows(data: DataAbout, columns: Column[], body: HTMLElement): Promise<void> {
    try {
        const { rows } = await api.rows(data.id, 0, SOME_ROWS);
        fill(
            body,
            rows.map((r) =>
                h(
                    "tr",
                    {},
                    columns.map((c, i) =>
                        h(
                            "td",
                            { class: c.kind === "number" ? "num" : "", title: r[i] ?? "" },
                            r[i] === "" ? h("span", { class: "hint" }, "missing") : (r[i] ?? ""),
                        ),
                    ),
                ),
            ),
        );
    } catch (error) {
        report(error);
    }
}

export function preview(data: DataAbout): HTMLElement | null {
    const columns = (data.columns ?? []).slice(0, MOST_COLUMNS);
    if (columns.length === 0) return null;
    const body = h("tbody");
    void loadRows(data, columns, body);
    const more = data.column_count - columns.length;
    return h(
        "div",
        {},
        h(
            "div",
            { class: "scroll preview", tabindex: 0, role: "region", "aria-label": "First rows" },
            h(
                "table",
                {},
                h(
                    "thead",
                    {},
                    h(
                        "tr",
                        {},
                        columns.map((c, i) =>
                            h(
                                "th",
                                { scope: "col", "data-preview": i },
                                h("div", { class: "column-name", title: c.name }, c.name),
                                chipOf(data, c, i),
                            ),
                        ),
                    ),
                ),
                body,
            ),
        ),
        more > 0 ? h("p", { class: "hint" }, `and ${count(more, "column")} more`) : null,
    );
}

// ---- what the library has to say of columns ----

function suspects(): HTMLElement[] {
    return (state.checked?.suspects ?? []).map((s) =>
        h(
            "p",
            { class: "notice warning" },
            h("strong", {}, s.name),
            ` ${s.why}. Is it known before the target is? `,
            h("button", { onclick: () => setRole(s.name, "not used") }, "Leave it out"),
        ),
    );
}

/** Columns that empty cells are in, those that cost most first. */
function gaps(): HTMLElement | null {
    const m = state.checked?.missing;
    if (!m || m.columns.length === 0) return null;
    const worst = [...m.columns].sort((a, b) => b.rows - a.rows).slice(0, 5);
    const drops = m.rule === "drop";
    const told = worst.map((c) =>
        h(
            "li",
            {},
            h("strong", {}, c.name),
            ` ${drops ? "costs" : "is empty in"} ${count(c.rows, "row")}`,
            drops && c.alone > 0
                ? h(
                      "button",
                      { class: "link", onclick: () => setRole(c.name, "not used") },
                      `leave the column out to have ${count(c.alone, "row")} back`,
                  )
                : null,
        ),
    );
    const more = m.columns.length - worst.length;
    return h(
        "div",
        { class: "notice gaps" },
        h(
            "div",
            { class: "title-row" },
            h(
                "span",
                {},
                drops
                    ? `${count(m.dropped, "row")} left out for empty cells`
                    : "Empty cells are filled in: the median, or the most frequent category",
            ),
            h(
                "button",
                { onclick: () => choose({ missing: drops ? "impute" : "drop" }) },
                drops ? "Fill them in" : "Leave such rows out",
            ),
        ),
        h("ul", {}, told, more > 0 ? h("li", {}, `and ${count(more, "column")} more`) : null),
    );
}

export function remarks(): (HTMLElement | null)[] {
    return [...suspects(), gaps()];
}
