/**
 * The button that switches between the light and the dark theme. The web application shares the
 * choice.
 */
import { byId } from "./element.ts";

const storageKey = "sheaf.theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? systemIsDark.matches : theme === "dark";
};

export function prepareThemeButton(): void {
  const button = byId<HTMLButtonElement>("theme");
  const name = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Use the light theme" : "Use the dark theme");
  };
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    localStorage.setItem(storageKey, theme);
    document.documentElement.dataset.theme = theme;
    name();
  });
  systemIsDark.addEventListener("change", name);
  name();
  button.hidden = false;
}
