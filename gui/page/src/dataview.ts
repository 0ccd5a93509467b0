// What was loaded: columns with their distributions, the first rows.

import { api, type Column, type DataAbout } from "./api";
import { sparkBars } from "./chart";
import { fill, h } from "./dom";
import { bytes, count, short } from "./numbers";
import { changed, report, state } from "./state";
import { toElement } from "./scene";

const MOST_COLUMNS = 300;

function columnsOf(data: DataAbout): Column[] {
    return data.columns ?? [];
}

function values(c: Column): string {
    const list = (c.values ?? []).map((v) => `${v.text} (${v.count})`).join(", ");
    return c.distinct > (c.values?.length ?? 0) ? `${list}, …` : list;
}

function columnRow(c: Column): HTMLElement {
    const target = state.settings?.target.includes(c.name);
    return h(
        "tr",
        { class: target ? "target" : "" },
        h("th", { scope: "row" }, c.name, target ? h("span", { class: "badge" }, "predicted") : null),
        h("td", {}, c.kind),
        h("td", { class: "num" }, c.missing ? c.missing : ""),
        h("td", { class: "num" }, c.distinct),
        c.kind === "number"
            ? [h("td", { class: "num" }, short(c.min)), h("td", { class: "num" }, short(c.mean)), h("td", { class: "num" }, short(c.max)), h("td", { class: "num" }, short(c.sd)), h("td", {}, c.histogram ? toElement(sparkBars(c.histogram)) : null)]
            : [h("td", { colspan: 5, class: "values" }, values(c))],
    );
}

function firstRows(data: DataAbout): HTMLElement {
    const holder = h("div", { class: "scroll" });
    const names = columnsOf(data).slice(0, MOST_COLUMNS).map((c) => c.name);
    api.rows(data.id, 0, 50).then(({ rows }) => fill(holder, h("table", { class: "rows" }, h("thead", {}, h("tr", {}, names.map((n) => h("th", { scope: "col" }, n)))), h("tbody", {}, rows.map((r) => h("tr", {}, r.slice(0, MOST_COLUMNS).map((cell) => h("td", {}, cell)))))))).catch(report);
    return h("details", {}, h("summary", {}, "The first 50 rows"), holder);
}

async function forget(data: DataAbout): Promise<void> {
    try {
        await api.forgetData(data.id);
        state.data = state.data.filter((d) => d.id !== data.id);
        state.current = state.settings = null;
        changed("data", "settings", "run");
    } catch (error) {
        report(error);
    }
}

export function dataView(data: DataAbout): HTMLElement {
    const columns = columnsOf(data);
    const missing = columns.reduce((s, c) => s + c.missing, 0);
    const more = data.column_count - Math.min(columns.length, MOST_COLUMNS);
    return h(
        "section",
        { "aria-label": "Data" },
        h("div", { class: "title-row" }, h("h1", {}, data.name), h("button", { class: "link", onclick: () => void forget(data) }, "Forget this file")),
        h("p", {}, `${data.format}, ${bytes(data.bytes)}: ${count(data.rows, "row")}, ${count(data.column_count, "column")}${missing ? `, ${count(missing, "missing cell")} (rows with one are left out)` : ", nothing missing"}.`),
        h("div", { class: "scroll" }, h(
            "table",
            {},
            h("thead", {}, h("tr", {}, ["Column", "Kind", "Missing", "Distinct", "Least", "Mean", "Largest", "Deviation", "Distribution"].map((t) => h("th", { scope: "col" }, t)))),
            h("tbody", {}, columns.slice(0, MOST_COLUMNS).map(columnRow)),
        )),
        more > 0 ? h("p", { class: "hint" }, `and ${count(more, "column")} more`) : null,
        firstRows(data),
    );
}

export function welcome(): HTMLElement {
    return h(
        "section",
        { class: "welcome" },
        h("h1", {}, "Learn a predictor and its kernel together"),
        h("p", {}, "Open a table, say which column to predict, press Train. You get the few kernels that matter, how well they predict rows that were left out, and a certificate of how close the answer is to the best possible one."),
        h("ol", {}, h("li", {}, "Open a file on the left, drop one here, or pick an example."), h("li", {}, "Choose the column to predict. Everything else has a sensible start."), h("li", {}, "Train; then drag λ and look.")),
    );
}
