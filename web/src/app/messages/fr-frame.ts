/** Messages of the frame, the sign-in and the start screen, bundled into one file. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../locales/fr.po", "../../{ui,document}/locales/fr.po", "../../screens/{sign-in,start}/locales/fr.po"],
  { eager: true },
);
