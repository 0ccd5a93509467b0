// A picture as a list of strokes, and the three ways out: SVG, PNG, PDF.

import { h } from "./dom";

export interface Style {
    stroke?: string;
    fill?: string;
    width?: number;
    dash?: number[];
    opacity?: number;
}

export type Mark =
    | ({ kind: "line"; points: [number, number][]; closed?: boolean; title?: string } & Style)
    | ({
          kind: "rect";
          x: number;
          y: number;
          w: number;
          h: number;
          title?: string;
          pick?: string;
      } & Style)
    | ({ kind: "dot"; x: number; y: number; r: number; title?: string } & Style)
    | ({
          kind: "text";
          x: number;
          y: number;
          text: string;
          size?: number;
          anchor?: "start" | "middle" | "end";
          turn?: number;
          bold?: boolean;
      } & Style);

export interface Scene {
    width: number;
    height: number;
    title: string;
    /** What is to be seen, for those who do not see it. */
    description?: string;
    marks: Mark[];
}

/** Colours a picture is drawn with. On the page they follow the theme (style.css); on paper they
 *  are these. */
export const INK = "ink";
export const MUTED = "muted";
/** Told apart by colour-blind people too. */
export const PALETTE = ["blue", "orange", "green", "pink", "gold", "sky", "brown", "violet"];
export const FAINT = "faint";

const PRINTED: Record<string, string> = {
    ink: "#1b1f24",
    muted: "#5b6570",
    faint: "#9aa5b1",
    blue: "#0072b2",
    orange: "#d55e00",
    green: "#00875f",
    pink: "#b8558f",
    gold: "#a87400",
    sky: "#2a8fc7",
    brown: "#7a4b2a",
    violet: "#7050e0",
};

/** A colour of a picture as CSS. */
export function cssColour(name: string): string {
    return name in PRINTED ? `var(--${name})` : name;
}

function colour(name: string | undefined, themed: boolean): string {
    if (!name) return "none";
    return themed ? cssColour(name) : (PRINTED[name] ?? name);
}

function svgStyle(m: Style, themed: boolean): Record<string, unknown> {
    return {
        stroke: colour(m.stroke, themed),
        fill: colour(m.fill, themed),
        "stroke-width": m.stroke ? (m.width ?? 1) : null,
        "stroke-dasharray": m.dash?.join(" "),
        "stroke-linejoin": "round",
        opacity: m.opacity,
    };
}

function svgMark(m: Mark, themed: boolean): Element {
    const style = svgStyle(m, themed);
    const title = "title" in m && m.title ? h("title", {}, m.title) : null;
    switch (m.kind) {
        case "line":
            return h(
                "path",
                {
                    d:
                        m.points
                            .map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`)
                            .join("") + (m.closed ? "Z" : ""),
                    ...style,
                },
                title,
            );
        case "rect":
            return h(
                "rect",
                {
                    x: m.x,
                    y: m.y,
                    width: Math.max(0, m.w),
                    height: Math.max(0, m.h),
                    "data-pick": m.pick,
                    ...style,
                },
                title,
            );
        case "dot":
            return h("circle", { cx: m.x, cy: m.y, r: m.r, ...style }, title);
        case "text":
            return h(
                "text",
                {
                    x: m.x,
                    y: m.y,
                    "font-size": m.size ?? 12,
                    "text-anchor": m.anchor ?? "start",
                    "font-weight": m.bold ? 600 : null,
                    transform: m.turn ? `rotate(${m.turn} ${m.x} ${m.y})` : null,
                    fill: colour(m.fill ?? INK, themed),
                },
                m.text,
            );
    }
}

export function toElement(scene: Scene, themed = true): SVGSVGElement {
    const svg = h(
        "svg",
        {
            xmlns: "http://www.w3.org/2000/svg",
            viewBox: `0 0 ${scene.width} ${scene.height}`,
            width: scene.width,
            height: scene.height,
            role: "img",
            "aria-label": scene.description ? `${scene.title}. ${scene.description}` : scene.title,
            "font-family": "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif",
        },
        ...scene.marks.map((m) => svgMark(m, themed)),
    );
    return svg as SVGSVGElement;
}

export function toSvg(scene: Scene): Blob {
    const svg = toElement(scene, false);
    svg.prepend(h("rect", { width: scene.width, height: scene.height, fill: "#ffffff" }));
    return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

export async function toPng(scene: Scene, scale = 2): Promise<Blob> {
    const image = new Image();
    const text = await toSvg(scene).text();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = h("canvas", { width: scene.width * scale, height: scene.height * scale });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser cannot draw");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) =>
        canvas.toBlob(
            (b) => (b ? resolve(b) : reject(new Error("no picture could be made"))),
            "image/png",
        ),
    );
}

// ---- PDF: one page, Helvetica, the same strokes ----

function pdfColour(name: string): string {
    const hex = colour(name, false).slice(1);
    return [0, 2, 4].map((i) => (parseInt(hex.slice(i, i + 2), 16) / 255).toFixed(3)).join(" ");
}

/** Latin-1 bytes of a text; the fonts every reader has know no others but λ, which Symbol has. */
function pdfText(text: string): string {
    const plain = text
        .replace(/[–−]/g, "-")
        .replace(/…/g, "...")
        .replace(/[^\x20-\x7e\xa0-\xff]/g, "?");
    return plain.replace(/([\\()])/g, "\\$1");
}

// Widths of Helvetica's letters from the space to the tilde, in thousandths of its size.
const HELVETICA = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

function textWidth(text: string, size: number): number {
    let units = 0;
    for (const c of text.replace(/…/g, "...")) units += HELVETICA[c.charCodeAt(0) - 32] ?? 556;
    return (units * size) / 1000;
}

/** The strings of a text, each in its font. */
function pdfShow(text: string, size: number, font: string): string {
    return text
        .split(/(λ)/)
        .filter(Boolean)
        .map((part) =>
            part === "λ" ? `/Greek ${size} Tf (l) Tj` : `/${font} ${size} Tf (${pdfText(part)}) Tj`,
        )
        .join(" ");
}

function pdfPaint(m: Style, closed: boolean): string {
    if (m.fill && m.stroke) return "B";
    if (m.fill) return "f";
    return closed ? "s" : "S";
}

function pdfCircle(x: number, y: number, r: number): string {
    const k = 0.5523 * r;
    const curve = (...v: number[]): string => `${v.map((n) => n.toFixed(2)).join(" ")} c\n`;
    return (
        `${(x + r).toFixed(2)} ${y.toFixed(2)} m\n` +
        curve(x + r, y + k, x + k, y + r, x, y + r) +
        curve(x - k, y + r, x - r, y + k, x - r, y) +
        curve(x - r, y - k, x - k, y - r, x, y - r) +
        curve(x + k, y - r, x + r, y - k, x + r, y)
    );
}

function opacityName(opacity: number): string {
    return `O${Math.round(100 * Math.max(0, opacity))}`;
}

/** The graphics states that the marks ask for. */
function pdfOpacities(marks: Mark[]): string {
    const used = new Set(
        marks
            .filter((m) => m.opacity !== undefined && m.opacity < 1)
            .map((m) => opacityName(m.opacity!)),
    );
    return [...used]
        .map(
            (name) =>
                `/${name} << /ca ${Number(name.slice(1)) / 100} ` +
                `/CA ${Number(name.slice(1)) / 100} >>`,
        )
        .join(" ");
}

function pdfMark(m: Mark, height: number): string {
    const flip = (y: number): number => height - y;
    const faded = m.opacity !== undefined && m.opacity < 1;
    const state =
        "q\n" +
        (m.stroke ? `${pdfColour(m.stroke)} RG\n${m.width ?? 1} w\n` : "") +
        (m.fill ? `${pdfColour(m.fill)} rg\n` : "") +
        (m.dash ? `[${m.dash.join(" ")}] 0 d\n` : "") +
        (faded ? `/${opacityName(m.opacity!)} gs\n` : "");
    let body = "";
    if (m.kind === "line") {
        body =
            m.points
                .map(([x, y], i) => `${x.toFixed(2)} ${flip(y).toFixed(2)} ${i ? "l" : "m"}\n`)
                .join("") + pdfPaint(m, Boolean(m.closed));
    } else if (m.kind === "rect") {
        const corners = [m.x, flip(m.y + m.h), m.w, m.h].map((x) => x.toFixed(2)).join(" ");
        body = `${corners} re\n${pdfPaint(m, true)}`;
    } else if (m.kind === "dot") {
        body = pdfCircle(m.x, flip(m.y), m.r) + pdfPaint(m, true);
    } else {
        const size = m.size ?? 12;
        const shift =
            m.anchor === "middle"
                ? -textWidth(m.text, size) / 2
                : m.anchor === "end"
                  ? -textWidth(m.text, size)
                  : 0;
        const angle = (-(m.turn ?? 0) * Math.PI) / 180;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const matrix = [c, s, -s, c, m.x + shift * c, flip(m.y) + shift * s]
            .map((n) => n.toFixed(3))
            .join(" ");
        const shown = pdfShow(m.text, size, m.bold ? "Bold" : "Plain");
        body = `${m.fill ? "" : `${pdfColour(INK)} rg\n`}BT ${matrix} Tm ${shown} ET`;
    }
    return `${state}${body}\nQ\n`;
}

export function toPdf(scene: Scene): Blob {
    const content = scene.marks.map((m) => pdfMark(m, scene.height)).join("");
    const objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${scene.width} ${scene.height}] ` +
            "/Contents 4 0 R " +
            "/Resources << /Font << /Plain 5 0 R /Bold 6 0 R /Greek 7 0 R >> " +
            `/ExtGState << ${pdfOpacities(scene.marks)} >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}endstream`,
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
    ];
    let text = "%PDF-1.4\n";
    const starts = objects.map((body, i) => {
        const start = text.length;
        text += `${i + 1} 0 obj\n${body}\nendobj\n`;
        return start;
    });
    const table = text.length;
    const entries = starts.map((s) => `${String(s).padStart(10, "0")} 00000 n \n`);
    text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join("")}`;
    text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
    return new Blob([Uint8Array.from(text, (c) => c.charCodeAt(0) & 0xff)], {
        type: "application/pdf",
    });
}
