/** Messages of all screens except the sign-in and the start screen, bundled into one file. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../../screens/*/locales/de.po", "!../../screens/{sign-in,start}/locales/de.po"],
  { eager: true },
);
