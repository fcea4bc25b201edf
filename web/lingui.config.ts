import { globSync } from "node:fs";
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

/** Each screen has its own catalog, so that translators see all messages of a screen together. */
const screens = globSync("src/screens/*", { cwd: import.meta.dirname });

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "de", "fr", "es"],
  fallbackLocales: { default: "en" },
  catalogs: [...screens, "src/app", "src/ui", "src/document"].map((folder) => ({
    path: `<rootDir>/${folder}/locales/{locale}`,
    include: [`<rootDir>/${folder}`],
  })),
  // Leaves out line numbers, because they would change the catalogs with every edit.
  format: formatter({ lineNumbers: false }),
  orderBy: "message",
});
