/**
 * The table of contents of a page. It is open if there is space beside the text, and marks the
 * section that is being read.
 */

/** Width from which the style sheet shows the contents beside the text. */
const hasSpace = matchMedia("(min-width: 75rem)");

export function prepareContents(): void {
  const contents = document.querySelector<HTMLDetailsElement>("details.contents");
  if (contents === null) return;
  const adapt = () => {
    contents.open = hasSpace.matches;
  };
  hasSpace.addEventListener("change", adapt);
  adapt();
  contents.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a") && !hasSpace.matches) contents.open = false;
  });
  markCurrent([...contents.querySelectorAll("a")]);
}

/** Marks the link to the last heading above the upper third of the window. */
function markCurrent(links: HTMLAnchorElement[]): void {
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let isQueued = false;
  const mark = () => {
    isQueued = false;
    const current = headings.findLastIndex(
      (heading) => heading && heading.getBoundingClientRect().top < innerHeight / 3,
    );
    for (const [index, link] of links.entries())
      if (index === current) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
  };
  const queue = () => {
    if (!isQueued) requestAnimationFrame(mark);
    isQueued = true;
  };
  addEventListener("scroll", queue, { passive: true });
  queue();
}
