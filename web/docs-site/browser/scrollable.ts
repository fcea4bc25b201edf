/** Lets the keyboard scroll tables and code that are wider than the page. */
export function makeScrollable(): void {
  const adapt = () => {
    for (const block of document.querySelectorAll<HTMLElement>("pre, div.table"))
      if (block.scrollWidth > block.clientWidth) {
        block.tabIndex = 0;
        block.setAttribute("role", "region");
        block.setAttribute("aria-label", block.matches("pre") ? "Code" : "Table");
      } else for (const name of ["tabindex", "role", "aria-label"]) block.removeAttribute(name);
  };
  addEventListener("resize", adapt);
  adapt();
}
