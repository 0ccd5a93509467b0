// What was loaded: columns with their distributions and roles, the first rows.

import { api, type Column, type DataAbout, type Reading } from "./api";
import { sparkBars } from "./chart";
import { hasDecimalCommas, namesRows } from "./defaults";
import { fill, h, say } from "./dom";
import { field, select, text } from "./fields";
import { bytes, count, short } from "./numbers";
import { about } from "./settings";
import {
    changed,
    closeRun,
    dropRun,
    report,
    roleOf,
    setRole,
    state,
    useData,
    type Role,
} from "./state";
import { toElement } from "./scene";

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

function roleChoice(c: Column, i: number): HTMLElement {
    if (roleOf(c.name) === "marker")
        return h("span", { class: "hint" }, "marks rows (see Validation)");
    const fitting = ROLES.filter(([r]) => c.kind === "number" || (r !== "text" && r !== "weight"));
    const control = select(roleOf(c.name), fitting, (role) => setRole(c.name, role));
    control.id = `role-${i}`;
    control.setAttribute("aria-label", `Role of ${c.name}`);
    return control;
}

function columnRow(c: Column, i: number): HTMLElement {
    const role = roleOf(c.name);
    const numbers =
        c.kind === "number"
            ? [c.min, c.mean, c.max, c.sd].map((v) => h("td", { class: "num" }, short(v)))
            : [h("td", { colspan: 4, class: "values", title: values(c) }, values(c))];
    const bars = c.kind === "number" && c.histogram ? toElement(sparkBars(c.histogram)) : null;
    bars?.setAttribute("aria-label", `Distribution of ${c.name}`);
    return h(
        "tr",
        { class: role === "predicted" ? "target" : role === "not used" ? "off" : "" },
        h("th", { scope: "row" }, c.name),
        h("td", {}, roleChoice(c, i)),
        h("td", {}, c.kind),
        h("td", { class: "num" }, c.missing ? c.missing : ""),
        h("td", { class: "num" }, c.distinct >= 1000 ? "1000+" : c.distinct),
        numbers,
        h("td", {}, bars),
    );
}

const HEADINGS = [
    "Column",
    "Role",
    "Kind",
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
            found.slice(0, MOST_COLUMNS).map(([c, i]) => columnRow(c, i)),
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

// ---- what a careful reader would notice ----

function notices(data: DataAbout): HTMLElement[] {
    const out: HTMLElement[] = [];
    const names = namesRows(data).filter((n) => roleOf(n) === "not used");
    if (names.length)
        out.push(
            h(
                "p",
                { class: "notice" },
                `${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}: ` +
                    "nearly every value is different, as in an identifier, so it cannot help to " +
                    "predict new rows. Left out unless you change its role.",
            ),
        );
    const commas = hasDecimalCommas(data);
    if (commas.length) {
        const way: Reading = {
            delimiter: data.reading?.delimiter ?? "",
            decimal: ",",
            header: data.reading?.header === false ? "no" : "yes",
            na: data.reading?.na ?? [],
        };
        out.push(
            h(
                "p",
                { class: "notice" },
                `${commas.slice(0, 3).join(", ")}${commas.length > 3 ? ", …" : ""}: ` +
                    "these look like numbers with decimal commas. ",
                h("button", { onclick: () => void readAgain(data, way) }, "Read them as numbers"),
            ),
        );
    }
    return out;
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

function readingFields(now: Reading, again: () => void): HTMLElement {
    return h(
        "div",
        { class: "row reading" },
        field(
            "delimiter",
            about("delimiter").label,
            select(
                now.delimiter,
                [
                    ["", "what is found"],
                    [",", "commas"],
                    [";", "semicolons"],
                    ["tab", "tabs"],
                    [" ", "spaces"],
                ],
                (v) => (now.delimiter = v),
            ),
        ),
        field(
            "decimal",
            about("decimal").label,
            select(
                now.decimal,
                [
                    ["", "a point"],
                    [",", "a comma"],
                ],
                (v) => (now.decimal = v),
            ),
        ),
        field(
            "header",
            about("header").label,
            select(
                now.header,
                [
                    ["yes", "in the first line"],
                    ["no", "none"],
                ],
                (v) => (now.header = v),
            ),
        ),
        field(
            "na",
            about("na").label,
            text(
                now.na.join(" "),
                "such as NA ?",
                (v) => (now.na = v.split(/\s+/).filter(Boolean)),
            ),
        ),
        h("button", { class: "narrow", onclick: again }, "Read it again"),
    );
}

async function readAgain(data: DataAbout, way: Reading): Promise<void> {
    try {
        const fresh = await api.reread(data.id, way);
        await forgetQuietly(data);
        await useData(fresh);
        say(`${fresh.name} is read again: ${count(fresh.rows, "row")}`);
    } catch (error) {
        report(error);
    }
}

function rereading(data: DataAbout): HTMLElement | null {
    if (data.format.toLowerCase() !== "csv") return null;
    const old = data.reading;
    const now: Reading = {
        delimiter: old?.delimiter ?? "",
        decimal: old?.decimal ?? "",
        header: old?.header === false ? "no" : "yes",
        na: old?.na ?? [],
    };
    return h(
        "details",
        { class: "more" },
        h("summary", {}, "Read the file in another way"),
        readingFields(now, () => void readAgain(data, now)),
    );
}

/** A file that could not be read: why, and how it might be. */
export function unreadView(file: File, why: string, again: (way: Reading) => void): HTMLElement {
    const now: Reading = { delimiter: "", decimal: "", header: "yes", na: [] };
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
    const empty = missing
        ? `, ${count(missing, "missing cell")} (rows with one are left out)`
        : ", nothing missing";
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
        notices(data),
        columnTable(data),
        firstRows(data),
        rereading(data),
    );
}

export function welcome(): HTMLElement {
    return h(
        "section",
        { class: "welcome" },
        h("h1", {}, "Predict a column of your table"),
        h(
            "p",
            {},
            "rls2 fits a predictor and learns its kernel at the same time. It selects the few " +
                "kernels that matter, estimates how well new rows are predicted, and certifies " +
                "how close the fit is to the optimum.",
        ),
        h(
            "ol",
            {},
            h("li", {}, "Open a file on the left, drop one here, or pick an example."),
            h("li", {}, "Choose the column to predict. Everything else has a sensible default."),
            h("li", {}, "Press Train, look at the result, and save the model."),
        ),
        h("label", { class: "button big-button", for: "file" }, "Open a file…"),
    );
}
