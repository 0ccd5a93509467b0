// What was loaded: columns with their distributions and roles, the first rows.

import { api, type Asked, type Column, type DataAbout, type Reading } from "./api";
import { sparkBars } from "./chart";
import { fill, h, say } from "./dom";
import { field, select, text } from "./fields";
import { bytes, count, day, short } from "./numbers";
import { preview, readingChips, remarks, showPreviewChips } from "./preview";
import { about, listOf } from "./settings";
import {
    changed,
    choose,
    closeRun,
    dropRun,
    report,
    roleOf,
    setRole,
    state,
    useData,
    type Role,
} from "./state";

const MOST_COLUMNS = 300;

function columnsOf(data: DataAbout): Column[] {
    return data.columns ?? [];
}

// ---- columns ----

function values(c: Column): string {
    const list = (c.values ?? []).map((v) => `${v.text} (${v.count})`).join(", ");
    return c.distinct > (c.values?.length ?? 0) ? `${list}, …` : list;
}

const ROLES: [Role, string][] = [
    ["input", "input"],
    ["text", "categories"],
    ["predicted", "predicted"],
    ["not used", "not used"],
    ["weight", "row weight"],
];

/** Row names are no input, but may be asked for. */
const ROLES_OF_NAMES: [Role, string][] = [
    ["input", "names rows"],
    ["text", "categories"],
    ["predicted", "predicted"],
];

function roleChoice(data: DataAbout, c: Column, i: number): HTMLElement {
    if (roleOf(c.name) === "marker")
        return h("span", { class: "hint" }, "marks rows (see Validation)");
    const not: Record<Column["kind"], Role[]> = {
        number: [],
        date: ["weight"],
        text: ["weight", "text"],
    };
    const fitting =
        data.row_names === c.name
            ? ROLES_OF_NAMES
            : ROLES.filter(([r]) => !not[c.kind].includes(r));
    const control = select(roleOf(c.name), fitting, (role) => setRole(c.name, role));
    control.id = `role-${i}`;
    control.setAttribute("aria-label", `Role of ${c.name}`);
    return control;
}

// ---- what a column is taken for ----

const many = (distinct: number): string => (distinct >= 1000 ? "1000+" : String(distinct));

/** As it was read. */
function kindOf(data: DataAbout, c: Column): string {
    if (data.row_names === c.name && roleOf(c.name) === "input") return "row names";
    if (c.kind === "date") return "dates";
    if (c.kind === "number" && roleOf(c.name) !== "text") return "numbers";
    return `${many(c.distinct)} ${c.distinct === 1 ? "category" : "categories"}`;
}

/** As the settings have it: also what is left out, and why. */
function takenFor(data: DataAbout, c: Column): string {
    const left = state.checked?.left_out.find((l) => l.name === c.name);
    if (left) return `left out: ${left.why}`;
    const kind = kindOf(data, c);
    const input = state.checked?.inputs.find((i) => i.name === c.name);
    return input?.kind === "text" && input.columns < c.distinct
        ? `${kind}, the rare ones as one`
        : kind;
}

function isOff(data: DataAbout, c: Column, taken: string): boolean {
    const role = roleOf(c.name);
    return (
        role === "not used" ||
        taken.startsWith("left out") ||
        (role === "input" && data.row_names === c.name)
    );
}

/** After the library was asked: what it makes of each column. */
export function showChecked(within: Element): void {
    const data = state.current;
    const holder = within.querySelector(".left-out");
    if (!data || !holder) return;
    fill(holder, leftOut(), remarks());
    showPreviewChips(data, within);
    for (const row of within.querySelectorAll<HTMLElement>("tr[data-column]")) {
        const c = columnsOf(data)[Number(row.dataset["column"])]!;
        const taken = takenFor(data, c);
        fill(row.querySelector(".taken")!, taken);
        row.classList.toggle("off", isOff(data, c, taken));
    }
}

function leftOut(): HTMLElement | null {
    const left = state.checked?.left_out ?? [];
    if (left.length === 0) return null;
    const said = left.slice(0, 5).map((l) => `${l.name} ${l.why}`);
    const more = left.length > 5 ? ` and ${count(left.length - 5, "column")} more` : "";
    const betrays = left.some((l) => l.why.startsWith("gives"));
    return h(
        "p",
        { class: betrays ? "notice betrayal" : "notice" },
        `Left out: ${said.join("; ")}${more}. `,
        h("button", { onclick: () => choose({ columns: "all" }) }, "Learn from all columns"),
    );
}

function columnRow(data: DataAbout, c: Column, i: number): HTMLElement {
    const taken = takenFor(data, c);
    const whole = Number.isInteger(c.min) && Number.isInteger(c.max);
    const say = c.kind === "date" ? (v?: number): string => day(whole ? Math.round(v!) : v) : short;
    const spread = c.kind === "date" ? `${short(c.sd, 3)} days` : short(c.sd);
    const numbers =
        c.kind === "text"
            ? [h("td", { colspan: 4, class: "values", title: values(c) }, values(c))]
            : [...[c.min, c.mean, c.max].map((v) => say(v)), spread].map((v) =>
                  h("td", { class: "num" }, v),
              );
    const bars =
        c.kind !== "text" && c.histogram
            ? sparkBars(c.histogram, `Distribution of ${c.name}`)
            : null;
    return h(
        "tr",
        {
            class:
                roleOf(c.name) === "predicted" ? "target" : isOff(data, c, taken) ? "off" : "",
            "data-column": i,
        },
        h("th", { scope: "row", title: c.name }, c.name),
        h("td", {}, roleChoice(data, c, i)),
        h("td", { class: "taken" }, taken),
        h("td", { class: "num" }, c.missing ? c.missing : ""),
        h("td", { class: "num" }, many(c.distinct)),
        numbers,
        h("td", {}, bars),
    );
}

const HEADINGS = [
    "Column",
    "Role",
    "Taken for",
    "Missing",
    "Distinct",
    "Least",
    "Mean",
    "Largest",
    "Deviation",
    "Distribution",
];
const NUMBERS = new Set(["Missing", "Distinct", "Least", "Mean", "Largest", "Deviation"]);

function columnTable(data: DataAbout): HTMLElement {
    const columns = columnsOf(data);
    const find = h("input", {
        type: "search",
        placeholder: `Find one of ${count(columns.length, "column")}…`,
        "aria-label": "Find a column",
        oninput: () => draw(),
    });
    const body = h("tbody");
    const more = h("p", { class: "hint" });
    const draw = (): void => {
        const wanted = find.value.trim().toLowerCase();
        const found = columns
            .map((c, i): [Column, number] => [c, i])
            .filter(([c]) => c.name.toLowerCase().includes(wanted));
        fill(
            body,
            found.slice(0, MOST_COLUMNS).map(([c, i]) => columnRow(data, c, i)),
        );
        more.textContent =
            found.length > MOST_COLUMNS
                ? `and ${count(found.length - MOST_COLUMNS, "column")} more`
                : found.length === 0
                  ? "No column has such a name."
                  : "";
    };
    draw();
    const head = h(
        "tr",
        {},
        HEADINGS.map((t) => h("th", { scope: "col", class: NUMBERS.has(t) ? "num" : "" }, t)),
    );
    return h(
        "div",
        {},
        columns.length > 30 ? find : null,
        h(
            "div",
            { class: "scroll", tabindex: 0, role: "region", "aria-label": "Columns" },
            h("table", { class: "columns" }, h("thead", {}, head), body),
        ),
        more,
    );
}

// ---- what was found when it was read ----

function notes(data: DataAbout): HTMLElement | null {
    return data.notes?.length
        ? h(
              "ul",
              { class: "notes", "aria-label": "How the file was read" },
              data.notes.map((n) => h("li", {}, n)),
          )
        : null;
}

// ---- rows ----

async function loadRows(data: DataAbout, holder: HTMLElement): Promise<void> {
    const names = columnsOf(data)
        .slice(0, MOST_COLUMNS)
        .map((c) => c.name);
    try {
        const { rows } = await api.rows(data.id, 0, 50);
        const head = h(
            "tr",
            {},
            names.map((n) => h("th", { scope: "col" }, n)),
        );
        const body = rows.map((r) =>
            h(
                "tr",
                {},
                r.slice(0, MOST_COLUMNS).map((cell) => h("td", {}, cell)),
            ),
        );
        fill(holder, h("table", { class: "rows" }, h("thead", {}, head), h("tbody", {}, body)));
    } catch (error) {
        report(error);
    }
}

function firstRows(data: DataAbout): HTMLElement {
    const holder = h("div", {
        class: "scroll",
        tabindex: 0,
        role: "region",
        "aria-label": "First rows",
    });
    let loaded = false;
    const load = (e: Event): void => {
        if (loaded || !(e.target as HTMLDetailsElement).open) return;
        loaded = true;
        void loadRows(data, holder);
    };
    return h(
        "details",
        { class: "more", ontoggle: load },
        h("summary", {}, "The first 50 rows"),
        holder,
    );
}

// ---- read in another way ----

const AS_FOUND: Reading = { delimiter: "", decimal: "", header: "", na: [] };

const DELIMITERS: [string, string][] = [
    ["", "what is found"],
    [",", "commas"],
    [";", "semicolons"],
    ["tab", "tabs"],
    ["|", "bars |"],
    ["space", "blanks"],
];

/** What a choice of the library's table is called here. */
const READING_WORDS: Record<string, string> = {
    auto: "what is found",
    ".": "a point",
    ",": "a comma",
    yes: "in the first line",
    no: "none",
};

/** A choice of the table of settings, among those that tell how a file is read. */
function readingChoice(name: "decimal" | "header", now: Reading): HTMLElement {
    const options = about(name).choices.map((c): [string, string] => [c, READING_WORDS[c] ?? c]);
    const value = now[name] || about(name).default;
    return field(
        name,
        about(name).label,
        select(value, options, (v) => (now[name] = v)),
    );
}

function readingFields(now: Reading, again: () => void): HTMLElement {
    const words = (v: string): void => void (now.na = v.split(/\s+/).filter(Boolean));
    return h(
        "div",
        { class: "row reading" },
        field(
            "delimiter",
            about("delimiter").label,
            select(now.delimiter, DELIMITERS, (v) => (now.delimiter = v)),
        ),
        readingChoice("decimal", now),
        readingChoice("header", now),
        field("na", about("na").label, text(now.na.join(" "), "the usual: NA, NaN, …", words)),
        h("button", { class: "narrow", onclick: again }, "Read it again"),
    );
}

/** What was asked for stays, where the target is still there. */
function keepSettings(fresh: DataAbout, before: Asked | null): void {
    const target = before ? listOf(before.settings, "target") : [];
    const known = new Set(columnsOf(fresh).map((c) => c.name));
    if (!before || target.length === 0 || !target.every((t) => known.has(t))) return;
    choose({ ...before.settings });
}

async function readAgain(data: DataAbout, way: Reading): Promise<void> {
    try {
        const before = state.asked;
        const fresh = await api.reread(data.id, way);
        await forgetQuietly(data);
        await useData(fresh);
        keepSettings(fresh, before);
        say(`${fresh.name} is read again: ${count(fresh.rows, "row")}`);
    } catch (error) {
        report(error);
    }
}

function rereading(data: DataAbout): HTMLElement | null {
    if (data.format.toLowerCase() !== "csv") return null;
    const now: Reading = { ...AS_FOUND, ...data.reading };
    return h(
        "details",
        { class: "more" },
        h("summary", {}, "Read the file in another way"),
        readingFields(now, () => void readAgain(data, now)),
    );
}

/** A file that could not be read: why, and how it might be. */
export function unreadView(file: File, why: string, again: (way: Reading) => void): HTMLElement {
    const now: Reading = { ...AS_FOUND };
    return h(
        "section",
        { "aria-label": "A file that was not read" },
        h("h1", {}, `${file.name} was not read`),
        h("p", { class: "wrong", role: "alert" }, why),
        h(
            "p",
            {},
            "Correct the file and open it again, or choose how to read it " +
                "(a CSV file: a line of names, then one line for each row):",
        ),
        readingFields(now, () => again(now)),
    );
}

// ---- forgetting ----

/** Where a run still needs the old reading it simply stays. */
async function forgetQuietly(data: DataAbout): Promise<void> {
    if (state.runs.some((r) => r.data.id === data.id)) return;
    await api.forgetData(data.id).catch(() => undefined);
    state.data = state.data.filter((d) => d.id !== data.id);
}

async function forget(data: DataAbout): Promise<void> {
    const used = state.runs.filter((r) => r.data.id === data.id);
    const those = used.length ? ` and the ${count(used.length, "run")} made from it` : "";
    if (!confirm(`Delete ${data.name}${those}? The file you opened stays where it is.`))
        return;
    try {
        for (const r of used) {
            await api.forget(r.id);
            dropRun(r.id);
        }
        await api.forgetData(data.id);
        state.data = state.data.filter((d) => d.id !== data.id);
        Object.assign(state, { current: null, asked: null, compare: [] });
        closeRun();
        changed("data", "settings", "compare");
    } catch (error) {
        report(error);
    }
}

// ---- all of it ----

export function dataView(data: DataAbout): HTMLElement {
    const missing = columnsOf(data).reduce((s, c) => s + c.missing, 0);
    const empty = missing ? `, ${count(missing, "missing cell")}` : ", nothing missing";
    return h(
        "section",
        { "aria-label": "The table" },
        h(
            "div",
            { class: "title-row" },
            h("h1", {}, data.name),
            h(
                "button",
                {
                    class: "link",
                    title: "The file you opened stays where it is",
                    onclick: () => void forget(data),
                },
                "Delete this table",
            ),
        ),
        h(
            "p",
            {},
            `${data.format}, ${bytes(data.bytes)}: ${count(data.rows, "row")}, ` +
                `${count(data.column_count, "column")}${empty}. ` +
                "Choose what is predicted, here or on the left; then press Train.",
        ),
        readingChips(data, (way) => void readAgain(data, { ...AS_FOUND, ...way })) ?? notes(data),
        h("div", { class: "left-out" }, leftOut(), remarks()),
        preview(data),
        h("h2", {}, "Columns"),
        columnTable(data),
        firstRows(data),
        rereading(data),
    );
}
