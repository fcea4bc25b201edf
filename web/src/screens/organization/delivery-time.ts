/** Formats times with seconds, because attempts may be only seconds apart. */
import { useLingui } from "@lingui/react";

export function useTime(): (iso: string) => string {
  const { i18n } = useLingui();
  const format = new Intl.DateTimeFormat(i18n.locale, { dateStyle: "medium", timeStyle: "medium" });
  return (iso) => format.format(new Date(iso));
}
