/** Adds a link to each heading, to copy its address. Only the mouse needs it: the contents have all. */
import { element } from "./element.ts";

export function linkHeadings(): void {
  for (const heading of document.querySelectorAll("article :is(h2, h3, h4)[id]")) {
    const link = element("a", { className: "anchor", href: `#${heading.id}`, tabIndex: -1 }, "#");
    link.setAttribute("aria-hidden", "true");
    heading.append(link);
  }
}
