/** Messages of the frame, the sign-in and the start screen, bundled into one file. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../locales/de.po", "../../{ui,document}/locales/de.po", "../../screens/{sign-in,start}/locales/de.po"],
  { eager: true },
);
