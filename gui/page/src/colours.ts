// Colours of figures. On the page they follow the theme (style.css has the same names); on paper
// they are those of the light one.

export const INK = "ink";
export const MUTED = "muted";
export const FAINT = "faint";
/** Told apart by colour-blind people too. */
export const PALETTE = ["blue", "orange", "green", "pink", "gold", "sky", "brown", "violet"];

const LIGHT: Record<string, string> = {
    ink: "#14181f",
    muted: "#596270",
    faint: "#9aa5b1",
    line: "#e1e5ea",
    panel: "#ffffff",
    blue: "#0072b2",
    orange: "#d55e00",
    green: "#00875f",
    pink: "#b8558f",
    gold: "#a87400",
    sky: "#2a8fc7",
    brown: "#7a4b2a",
    violet: "#7050e0",
};

/** A name of a colour → the colour, on the page or on paper. */
export type Look = (name: string) => string;

export const onPaper: Look = (name) => LIGHT[name] ?? name;

export function onPage(): Look {
    const style = getComputedStyle(document.documentElement);
    return (name) =>
        name in LIGHT ? style.getPropertyValue(`--${name}`).trim() || onPaper(name) : name;
}

/** A colour of a figure as CSS. */
export function cssColour(name: string): string {
    return name in LIGHT ? `var(--${name})` : name;
}
