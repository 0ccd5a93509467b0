// Weights of kernels, or coefficients, along the path.

import { api, type Profile, type Run } from "./api";
import { choice, LAMBDA, nearest, type Choices } from "./alongpath";
import { lineChart, type Series } from "./chart";
import { fill, h } from "./dom";
import { Figure } from "./figure";
import { FAINT, PALETTE } from "./colours";
import { report, setPoint, state } from "./state";

export class ProfileView {
    readonly figure: Figure;
    private readonly lambdas: number[];
    private data: Profile | null = null;

    constructor(
        private readonly run: Run,
        private readonly chosen: Choices,
    ) {
        this.lambdas = run.result!.points.map((p) => p.lambda);
        this.figure = new Figure(
            "Profile",
            {
                drag: (x) => setPoint(this.nearest(x)),
            },
            this.choices(),
        );
        void this.load();
    }

    private choices(): HTMLElement {
        const drawn = choice(
            "What is drawn",
            this.chosen.of,
            [
                ["weights", "weights of kernels"],
                ["coefficients", "coefficients"],
            ],
            (v) => {
                this.chosen.of = v;
                this.draw();
            },
        );
        const against = choice(
            "Against",
            this.chosen.against,
            [
                ["lambda", "against λ"],
                ["df", "against df"],
            ],
            (v) => {
                this.chosen.against = v;
                this.draw();
            },
        );
        return h("span", { class: "choices" }, drawn, against);
    }

    private async load(): Promise<void> {
        try {
            this.data = await api.profile(this.run.id);
            this.draw();
        } catch (error) {
            report(error);
        }
    }

    private axis(): number[] {
        const data = this.data;
        return this.chosen.against === "df" && data?.df.every((v) => typeof v === "number")
            ? (data.df as number[])
            : this.lambdas;
    }

    private nearest(x: number): number {
        const axis = this.axis();
        if (axis === this.lambdas) return nearest(axis, x);
        return axis.reduce(
            (best, v, i) => (Math.abs(v - x) < Math.abs(axis[best]! - x) ? i : best),
            0,
        );
    }

    draw(): void {
        const output = this.data?.outputs[this.chosen.output];
        if (!output) return;
        const weights = this.chosen.of === "weights";
        const lines = weights
            ? output.kernels.map((k) => ({ name: k.name, values: k.weights }))
            : (output.coefficients ?? []).map((c) => ({ name: c.name, values: c.values }));
        if (lines.length === 0)
            return this.figure.say(
                weights
                    ? "No kernel is selected."
                    : "Coefficients exist where every kernel is linear.",
            );
        const size = (v: number[]): number => v.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
        const strongest = [...lines].sort((a, b) => size(b.values) - size(a.values)).slice(0, 100);
        const x = this.axis();
        const series = strongest.map((l, i): Series => ({
            name: l.name,
            x,
            y: l.values,
            width: i < 8 ? 2 : 1,
            colour: PALETTE[i] ?? FAINT,
        }));
        fill(
            this.figure.foot,
            series.length > 8
                ? h("span", { class: "hint" }, `and ${lines.length - 8} more: point at a line`)
                : null,
        );
        const here = x[state.point];
        this.figure.draw(
            lineChart({
                title: weights
                    ? "Weights of kernels along the path"
                    : "Coefficients along the path",
                x: x === this.lambdas ? LAMBDA : { label: "degrees of freedom" },
                y: { label: weights ? "weight" : "coefficient" },
                series,
                legend: "above",
                marks: here === undefined ? [] : [{ x: here, label: "", strong: true }],
            }),
        );
    }
}
