/** Messages of the frame, the sign-in and the start screen, bundled into one file. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../locales/en.po", "../../{ui,document}/locales/en.po", "../../screens/{sign-in,start}/locales/en.po"],
  { eager: true },
);
