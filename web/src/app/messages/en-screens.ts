/** Messages of all screens that are not in the frame, in one file of the build. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../../screens/*/locales/en.po", "!../../screens/{sign-in,start}/locales/en.po"],
  { eager: true },
);
