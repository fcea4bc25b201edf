/** The search dialog. The index is loaded when the dialog is first opened. */
import { byId, element } from "./element.ts";
import { type Found, loadSearch, type Search } from "./search-engine.ts";

/** Maximum results that are shown. Chosen by hand, 2026-11. */
const maxResults = 20;

export function prepareSearch(): void {
  const button = byId<HTMLButtonElement>("open-search");
  const parts = dialogParts();
  let engine: Promise<Search> | undefined;
  const show = async () => {
    const query = parts.input.value.trim();
    engine ??= loadSearch(document.body.dataset.searchIndex ?? "");
    const search = await engine.catch(() => undefined);
    if (search === undefined) {
      engine = undefined;
      parts.status.textContent = "The search index cannot be loaded. Try again.";
    } else if (query === parts.input.value.trim()) fill(parts, query, search);
  };
  const open = () => {
    if (parts.dialog.open) return;
    parts.dialog.showModal();
    parts.input.select();
    void show();
  };
  parts.input.addEventListener("input", () => void show());
  parts.dialog.addEventListener("keydown", (event) => moveByArrows(parts, event));
  parts.form.addEventListener("submit", (event) => {
    event.preventDefault();
    parts.list.querySelector("a")?.click();
  });
  parts.dialog.addEventListener("click", ({ target }) => {
    // The target is the dialog itself only if the click was outside its content. A clicked link may
    // lead to the current page, so it must close the dialog too.
    if (target === parts.dialog || (target instanceof Element && target.closest("a"))) parts.dialog.close();
  });
  document.body.append(parts.dialog);
  button.addEventListener("click", open);
  button.hidden = false;
  addEventListener("keydown", (event) => {
    const isShortcut = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (!isShortcut || isTyping(event.target)) return;
    event.preventDefault();
    open();
  });
}

type Parts = ReturnType<typeof dialogParts>;

function dialogParts() {
  // The type is not `search`, because the first Escape would clear the input instead of closing the
  // dialog.
  const input = element("input", { type: "text", enterKeyHint: "search", autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-label", "Search the documentation");
  input.placeholder = "Search the documentation";
  const close = element("button", { type: "button", textContent: "Close" });
  const form = element("form", {}, input, close);
  const status = element("p", { className: "status" });
  status.setAttribute("role", "status");
  const list = element("ol", {});
  const dialog = element("dialog", { className: "search-dialog" }, form, status, list);
  dialog.setAttribute("aria-label", "Search");
  close.addEventListener("click", () => dialog.close());
  return { dialog, form, input, status, list };
}

function fill({ list, status }: Parts, query: string, search: Search): void {
  const found = query === "" ? [] : search(query);
  const shown = found.slice(0, maxResults);
  list.replaceChildren(...shown.map(resultOf));
  status.textContent = statusOf(query, found.length);
}

function statusOf(query: string, count: number): string {
  if (query === "") return "Enter words to search for.";
  if (count === 0) return `Nothing found for “${query}”.`;
  return count === 1 ? "1 result" : `${count} results${count > maxResults ? `, the best ${maxResults} are shown` : ""}`;
}

function resultOf({ url, page, heading, group, snippet }: Found): HTMLLIElement {
  const title = element("span", { className: "title" }, heading === "" ? page : `${page} › ${heading}`);
  const excerpt = element("span", { className: "snippet" });
  excerpt.append(...snippet.map(({ text, isMatch }) => (isMatch ? element("mark", {}, text) : text)));
  const place = element("span", { className: "group" }, group);
  return element("li", {}, element("a", { href: url }, title, excerpt, place));
}

/** Moves the focus between the input and the results with the arrow keys. */
function moveByArrows({ input, list }: Parts, event: KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops: HTMLElement[] = [input, ...list.querySelectorAll("a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  event.preventDefault();
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
