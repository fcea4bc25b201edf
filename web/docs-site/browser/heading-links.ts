/**
 * Adds a link to each heading, so that its address can be copied with the mouse. Keyboards and
 * screen readers skip the link, because the table of contents links to most headings.
 */
import { element } from "./element.ts";

export function linkHeadings(): void {
  for (const heading of document.querySelectorAll("article :is(h2, h3, h4)[id]")) {
    const link = element("a", { className: "anchor", href: `#${heading.id}`, tabIndex: -1 }, "#");
    link.setAttribute("aria-hidden", "true");
    heading.append(link);
  }
}
