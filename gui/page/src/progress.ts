// A run that is going on: how far, how long still, the path as it grows, and the button that stops
// it.

import { api, ServerError, type Run } from "./api";
import { lineChart } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { count, power, seconds, short } from "./numbers";
import { live, report } from "./state";

const STAGES: Record<string, string> = {
    kernels: "Computing kernels",
    path: "Fitting the path",
    "cross-validation": "Validating",
    models: "Saving the models",
    stopping: "Stopping",
    baselines: "Fitting the baselines",
};

export function isGoing(run: Run): boolean {
    return run.status === "queued" || run.status === "running";
}

function stageText(run: Run): string {
    if (run.status === "queued")
        return live?.before
            ? `Waiting for ${count(live.before, "run")} before it.`
            : "Waiting for its turn.";
    const p = live?.progress;
    if (!p?.stage) return "Starting…";
    const stage = STAGES[p.stage] ?? p.stage;
    const which =
        p.stage_count > 1 && p.stage_number > 0
            ? ` (step ${p.stage_number} of ${p.stage_count})`
            : "";
    return p.total > 0
        ? `${stage}${which}: ${p.done.toLocaleString("en")} of ${p.total.toLocaleString("en")}`
        : `${stage}…`;
}

function timeText(): string {
    const p = live?.progress;
    if (!p) return "";
    const spent =
        typeof p.elapsed_s === "number" ? `${seconds(Math.floor(p.elapsed_s))} so far` : "";
    const left =
        typeof p.eta_s === "number"
            ? `about ${seconds(Math.max(1, Math.round(p.eta_s)))} left`
            : "";
    return [spent, left].filter(Boolean).join(", ");
}

/** The share of the whole run; null where it is not known. */
export function shareDone(): number | null {
    return live?.progress?.share ?? null;
}

export class ProgressStrip {
    readonly element: HTMLElement;
    private readonly text = h("p");
    private readonly time = h("p", { class: "hint" });
    private readonly bar = h("progress", { max: 1, "aria-label": "Progress of the run" });
    private readonly stop: HTMLButtonElement;

    constructor(private readonly run: Run) {
        this.stop = h("button", { id: "stop", onclick: () => this.stopRun() }, "Stop");
        this.element = h(
            "div",
            { class: "progress" },
            this.text,
            this.bar,
            h("div", { class: "title-row" }, this.time, this.stop),
        );
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
        this.element = h(
            "section",
            { "aria-label": "Progress" },
            h("h1", {}, run.name),
            this.strip.element,
            this.path.element,
        );
        this.update(run);
    }

    update(run: Run): void {
        this.strip.update(run);
        const points = live?.points ?? [];
        this.path.element.hidden = points.length < 2;
        if (points.length < 2 || points.length === this.drawn) return;
        this.drawn = points.length;
        const label = "kernels selected";
        this.path.draw(
            lineChart({
                title: `${label} along the path so far`,
                x: { label: "λ (less regularised to the right)", log: true, reverse: true },
                y: { label, whole: true },
                series: [
                    {
                        name: label,
                        x: points.map((p) => p.lambda),
                        y: points.map((p) => p.selected),
                        dots: true,
                    },
                ],
            }),
        );
        const last = points.at(-1)!;
        fill(
            this.path.foot,
            h(
                "span",
                { class: "hint" },
                `λ ${short(last.lambda)}, certified gap ${power(last.gap)}`,
            ),
        );
    }
}
