/**
 * The language of the interface: the one that the user chose, else that of the browser, else
 * English.
 */
import { i18n } from "@lingui/core";

export { i18n };

export const languages = { en: "English", de: "Deutsch", fr: "Français", es: "Español" } as const;
export type Language = keyof typeof languages;

const storageKey = "sheaf.language";
/**
 * Message catalogs by language, in two parts: `frame` contains the messages that every visit needs,
 * and `screens` those of all other screens.
 */
const catalogs = {
  en: { frame: () => import("./messages/en-frame.ts"), screens: () => import("./messages/en-screens.ts") },
  de: { frame: () => import("./messages/de-frame.ts"), screens: () => import("./messages/de-screens.ts") },
  fr: { frame: () => import("./messages/fr-frame.ts"), screens: () => import("./messages/fr-screens.ts") },
  es: { frame: () => import("./messages/es-frame.ts"), screens: () => import("./messages/es-screens.ts") },
};
type Part = keyof (typeof catalogs)[Language];

let active: Language = "en";
/**
 * Parts of the catalogs that are in use. If the language changes, they are loaded in the new
 * language.
 */
const parts = new Set<Part>(["frame"]);

export const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(languages, text);

export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(storageKey);
  if (isLanguage(chosen)) return chosen;
  const spoken = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return spoken.find(isLanguage) ?? "en";
}

/** Loads the messages of a language and shows the interface in it. */
export async function activateLanguage(language: Language): Promise<void> {
  active = language;
  await Promise.all([...parts].map((part) => load(language, part)));
  // Does nothing if the user has chosen another language while this one was loading.
  if (active !== language) return;
  i18n.activate(language);
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(storageKey, language);
  await activateLanguage(language);
}

/** Loads the messages of the screens other than the start screen, in the active language. */
export function loadScreenMessages(): Promise<void> {
  parts.add("screens");
  return load(active, "screens");
}

const loads = new Map<string, Promise<void>>();

/** Loads one part of a catalog once. If that fails, the next call retries. */
function load(language: Language, part: Part): Promise<void> {
  const key = `${language} ${part}`;
  const started = loads.get(key);
  if (started) return started;
  const promise = catalogs[language][part]().then(({ default: files }) => {
    i18n.load(language, Object.assign({}, ...Object.values(files).map(({ messages }) => messages)));
  });
  loads.set(key, promise);
  promise.catch(() => loads.delete(key));
  return promise;
}
