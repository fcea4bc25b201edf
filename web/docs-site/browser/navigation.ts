/** Scrolls the navigation to the entry of the current page, without scrolling the page itself. */
import { byId } from "./element.ts";

export function showCurrentPage(): void {
  const navigation = byId("navigation");
  const current = navigation.querySelector<HTMLElement>('[aria-current="page"]');
  if (current === null) return;
  const center = () => {
    const distance = current.getBoundingClientRect().top - navigation.getBoundingClientRect().top;
    if (distance > navigation.clientHeight / 2) navigation.scrollTop += distance - navigation.clientHeight / 2;
  };
  // On narrow screens, the navigation has no size until it is opened.
  navigation.addEventListener("toggle", center);
  center();
}
