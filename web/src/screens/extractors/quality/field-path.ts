/**
 * Returns the names in the path of a field for display: `/lines/amount` becomes `lines / amount`.
 */
export const shownPath = (path: string): string =>
  path
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"))
    .join(" / ");
