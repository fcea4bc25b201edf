/** Formats values as text. */
import { useLingui } from "@lingui/react/macro";
import type { Value } from "./result.ts";

export function useValueWords(): (value: Value | undefined) => string {
  const { t, i18n } = useLingui();
  const number = new Intl.NumberFormat(i18n.locale, { maximumFractionDigits: 10 });
  return (value) => {
    if (value === null || value === undefined) return t`not found`;
    if (typeof value === "number") return number.format(value);
    if (typeof value === "boolean") return value ? t`yes` : t`no`;
    return typeof value === "string" ? value : "";
  };
}
