// Elements from code: h("button", {class: "x", onclick: f}, "text").

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

const SVG_TAGS = new Set([
    "svg",
    "g",
    "path",
    "line",
    "rect",
    "circle",
    "text",
    "title",
    "polyline",
]);

function setAttribute(element: Element, name: string, value: unknown): void {
    if (value === null || value === undefined || value === false) return;
    if (name.startsWith("on") && typeof value === "function") {
        element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "value" && "value" in element) {
        (element as HTMLInputElement).value = String(value);
    } else if (name === "checked" && element instanceof HTMLInputElement) {
        element.checked = Boolean(value);
    } else {
        element.setAttribute(name, value === true ? "" : String(value));
    }
}

export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes?: Attributes,
    ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K];
export function h(tag: string, attributes?: Attributes, ...children: (Child | Child[])[]): Element;
export function h(
    tag: string,
    attributes: Attributes = {},
    ...children: (Child | Child[])[]
): Element {
    const element = SVG_TAGS.has(tag)
        ? document.createElementNS("http://www.w3.org/2000/svg", tag)
        : document.createElement(tag);
    // The value of a select is one of its options: children first.
    for (const child of children.flat()) {
        if (child === null || child === undefined || child === false) continue;
        element.append(typeof child === "object" ? child : String(child));
    }
    for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
    return element;
}

export function fill(element: Element, ...children: (Child | Child[])[]): void {
    element.replaceChildren(
        ...children
            .flat()
            .filter(
                (c): c is Node | string | number => c !== null && c !== undefined && c !== false,
            )
            .map((c) => (typeof c === "object" ? c : String(c))),
    );
}

/** What had the focus before a redraw has it afterwards, if it is still there. */
export function keepFocus(draw: () => void): void {
    const id = document.activeElement?.id;
    draw();
    if (id && document.activeElement?.id !== id) document.getElementById(id)?.focus();
}

export function byId(id: string): HTMLElement {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no ${id}`);
    return element;
}

/** Says something to a screen reader. */
export function say(text: string): void {
    byId("say").textContent = text;
}

export function download(name: string, content: Blob): void {
    const link = h("a", { href: URL.createObjectURL(content), download: name });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
