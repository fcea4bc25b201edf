/** The language of the interface: chosen by the user, else that of the browser, else English. */
import { i18n } from "@lingui/core";

export { i18n };

export const languages = { en: "English", de: "Deutsch", fr: "Français", es: "Español" } as const;
export type Language = keyof typeof languages;

const storageKey = "sheaf.language";
const catalogs = {
  en: () => import("./messages/en.ts"),
  de: () => import("./messages/de.ts"),
  fr: () => import("./messages/fr.ts"),
  es: () => import("./messages/es.ts"),
};

export const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return spoken.find(isLanguage) ?? "en";
}

/** Loads the messages of a language and shows the interface in it. */
export async function activateLanguage(language: Language): Promise<void> {
  const parts = Object.values((await catalogs[language]()).default);
  i18n.loadAndActivate({ locale: language, messages: Object.assign({}, ...parts.map(({ messages }) => messages)) });
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  await activateLanguage(language);
}
