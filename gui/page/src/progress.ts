// A run that is going on: how far, how long still, the path as it grows, and the button that stops it.

import { api, ServerError, type Run } from "./api";
import { lineChart } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { count, seconds, short } from "./numbers";
import { live, report } from "./state";

const STAGES: Record<string, string> = { kernels: "Computing kernels", path: "Following the path", "cross-validation": "Validating", models: "Writing the models", baselines: "Fitting kernels that are not learned" };

export function isGoing(run: Run): boolean {
    return run.status === "queued" || run.status === "running";
}

function stageText(run: Run): string {
    if (run.status === "queued") return live?.waiting ? `Waiting for ${count(live.waiting, "run")} before it.` : "Waiting for the run before it.";
    if (!live?.stage) return "Starting…";
    const stage = STAGES[live.stage] ?? live.stage;
    const which = live.stage_count && live.stage_count > 1 ? ` (step ${live.stage_number} of ${live.stage_count})` : "";
    return `${stage}${which}: ${live.done.toLocaleString("en")} of ${live.total.toLocaleString("en")}`;
}

function timeText(): string {
    if (!live) return "";
    const spent = typeof live.elapsed_s === "number" ? `${seconds(Math.floor(live.elapsed_s))} so far` : "";
    const left = typeof live.eta_s === "number" ? `about ${seconds(Math.max(1, Math.round(live.eta_s)))} left` : "";
    return [spent, left].filter(Boolean).join(", ");
}

/** The share of the whole run; of the stage where that is not known. */
export function shareDone(): number | null {
    if (!live) return null;
    if (typeof live.share === "number") return live.share;
    return live.total > 0 ? live.done / live.total : null;
}

export class ProgressStrip {
    readonly element: HTMLElement;
    private readonly text = h("p");
    private readonly time = h("p", { class: "hint" });
    private readonly bar = h("progress", { max: 1, "aria-label": "Share of the run that is done" });
    private readonly stop: HTMLButtonElement;

    constructor(private readonly run: Run) {
        this.stop = h("button", { id: "stop", onclick: () => this.stopRun() }, "Stop");
        this.element = h("div", { class: "progress" }, this.text, this.bar, h("div", { class: "title-row" }, this.time, this.stop));
        this.update(run);
    }

    private stopRun(): void {
        this.stop.disabled = true;
        this.stop.textContent = "Stopping…";
        api.stop(this.run.id).catch((error: unknown) => {
            if (error instanceof ServerError && error.code === 409) return; // it has ended already
            this.stop.disabled = false;
            this.stop.textContent = "Stop";
            report(error);
        });
    }

    update(run: Run): void {
        const share = shareDone();
        this.text.textContent = stageText(run);
        this.time.textContent = timeText();
        if (share === null) this.bar.removeAttribute("value");
        else this.bar.value = share;
    }
}

/** Before there is a result to look at. */
export class ProgressView {
    readonly element: HTMLElement;
    private readonly strip: ProgressStrip;
    private readonly path = new Figure("The path so far");
    private drawn = 0;

    constructor(run: Run) {
        this.strip = new ProgressStrip(run);
        this.element = h("section", { "aria-label": "Progress" }, h("h1", {}, run.name), this.strip.element, this.path.element);
        this.update(run);
    }

    update(run: Run): void {
        this.strip.update(run);
        const points = live?.points ?? [];
        this.path.element.hidden = points.length < 2;
        if (points.length < 2 || points.length === this.drawn) return;
        this.drawn = points.length;
        const bySelected = points.every((p) => typeof p.selected === "number");
        const label = bySelected ? "kernels selected" : "certified relative gap";
        this.path.draw(
            lineChart({
                title: `${label} along the path so far`,
                x: { label: "λ (less regularised to the right)", log: true, reverse: true },
                y: bySelected ? { label, whole: true } : { label, log: true },
                series: [{ name: label, x: points.map((p) => p.lambda), y: points.map((p) => (bySelected ? p.selected : p.gap)), dots: true }],
            }),
        );
        const last = points.at(-1)!;
        fill(this.path.foot, h("span", { class: "hint" }, `λ ${short(last.lambda)}, certified gap ${last.gap.toExponential(1)}`));
    }
}
