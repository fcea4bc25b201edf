import { globSync } from "node:fs";
import { defineConfig } from "@lingui/conf";
import { formatter } from "@lingui/format-po";

/** Each screen has a catalog of its own, so that a translator sees its messages together. */
const screens = globSync("src/screens/*", { cwd: import.meta.dirname });

export default defineConfig({
  sourceLocale: "en",
  locales: ["en", "de", "fr", "es"],
  fallbackLocales: { default: "en" },
  catalogs: [...screens, "src/app", "src/ui", "src/document"].map((folder) => ({
    path: `<rootDir>/${folder}/locales/{locale}`,
    include: [`<rootDir>/${folder}`],
  })),
  // Line numbers would change the catalogs with every edit.
  format: formatter({ lineNumbers: false }),
  orderBy: "message",
});
