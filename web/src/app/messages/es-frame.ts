/** Messages of the frame, the sign-in and the start screen, bundled into one file. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../locales/es.po", "../../{ui,document}/locales/es.po", "../../screens/{sign-in,start}/locales/es.po"],
  { eager: true },
);
