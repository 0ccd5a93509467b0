// What a run will take, said before it is started; where that is much, ways to take less, one click
// each.

import { api, type Checked, type Saving } from "./api";
import { fill, h } from "./dom";
import { count } from "./numbers";
import { choose, state } from "./state";

/** Longer than this somebody would rather know of other ways. */
const LONG_SECONDS = 60;

const isMuch = (c: Checked): boolean => c.too_much || c.forecast_seconds > LONG_SECONDS;

/** What is given up, in a few words. */
function wayInWords(s: Saving): string {
    if (s.setting === "method") return "Count the rows first (tall)";
    if (s.setting === "test_share") return `Learn from a sample of ${count(s.rows, "row")}`;
    if (s.value === "linear") return "Straight lines only (linear)";
    return `Fewer kernels: ${s.kernels}`;
}

function wayButton(s: Saving): HTMLElement {
    const rest = s.setting === "test_share" ? "; the others test" : "";
    return h(
        "button",
        {
            class: "way",
            "data-saving": `${s.setting}=${s.value}`,
            onclick: () => choose({ [s.setting]: s.value }),
        },
        h("strong", {}, wayInWords(s)),
        h("span", { class: "hint" }, `${s.forecast}${rest}`),
    );
}

const ways = h("div", { class: "ways-less" });
/** The settings that `ways` are for. */
let askedFor = "";
let asking: AbortController | null = null;

async function findWays(): Promise<void> {
    const asked = JSON.stringify(state.asked);
    if (asked === askedFor) return;
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    askedFor = asked;
    fill(ways, h("p", { class: "hint" }, "Looking for ways that take less…"));
    try {
        const { savings } = await api.savings(state.asked!, mine.signal);
        if (mine.signal.aborted) return;
        fill(
            ways,
            savings.length ? h("p", { class: "hint" }, "What would take less:") : null,
            savings.map(wayButton),
        );
    } catch {
        if (asked === askedFor) askedFor = ""; // the forecast stands without it
        fill(ways);
    }
}

/** For the place above the button that starts. */
export function forecastOf(c: Checked): (HTMLElement | null)[] {
    const much = isMuch(c);
    const kind = c.too_much ? "bad" : much ? "warn" : "";
    if (much) void findWays();
    return [
        h("p", { class: "forecast" }, h("span", { class: `tag ${kind}` }, c.forecast)),
        much ? ways : null,
    ];
}
