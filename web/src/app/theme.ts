/** Light or dark theme: the one that the user chose, else that of the operating system. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "sheaf.theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

export function chosenTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Applies the theme now, and again each time the theme of the operating system changes. */
export function applyTheme(): void {
  show();
  systemIsDark.addEventListener("change", show);
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  show();
}

function show(): void {
  const theme = chosenTheme();
  document.documentElement.dataset.theme = theme === "system" ? (systemIsDark.matches ? "dark" : "light") : theme;
}
