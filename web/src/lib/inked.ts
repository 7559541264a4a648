/** An action: what is drawn as text, put into a group as SVG; and again whenever the text is another. */
export function inked(node: SVGGElement, text: string) {
  const put = (t: string) => {
    const parsed = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${t}</svg>`, "image/svg+xml");
    node.replaceChildren(...[...parsed.documentElement.children].map((c) => document.importNode(c, true)));
  };
  put(text);
  return { update: put };
}
