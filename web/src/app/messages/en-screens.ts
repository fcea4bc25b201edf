/** Messages of all screens except the sign-in and the start screen, bundled into one file. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../../screens/*/locales/en.po", "!../../screens/{sign-in,start}/locales/en.po"],
  { eager: true },
);
