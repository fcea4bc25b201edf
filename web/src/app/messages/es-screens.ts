/** Messages of all screens that are not in the frame, in one file of the build. */
import type { Messages } from "@lingui/core";

export default import.meta.glob<{ messages: Messages }>(
  ["../../screens/*/locales/es.po", "!../../screens/{sign-in,start}/locales/es.po"],
  { eager: true },
);
