/** Formats numbers, dates and sizes for the language of the interface. */
import { useLingui } from "@lingui/react";

export interface Formats {
  number: (value: number) => string;
  date: (iso: string) => string;
  dateTime: (iso: string) => string;
  /** A size in bytes, such as "1.2 MB". */
  bytes: (value: number) => string;
  percent: (share: number) => string;
  /** Like `percent`, but with one decimal place unless that digit is 0. */
  finePercent: (share: number) => string;
}

const steps = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

const known = new Map<string, Formats>();

/** Returns the formatters of a language. They are created once, because creating them is slow. */
export function formatsOf(locale: string): Formats {
  const formats = known.get(locale) ?? makeFormats(locale);
  known.set(locale, formats);
  return formats;
}

function makeFormats(locale: string): Formats {
  const number = new Intl.NumberFormat(locale);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const percent = new Intl.NumberFormat(locale, { style: "percent" });
  const finePercent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  return {
    number: (value) => number.format(value),
    date: (iso) => date.format(new Date(iso)),
    dateTime: (iso) => dateTime.format(new Date(iso)),
    bytes: (value) => {
      const step = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), steps.length - 1);
      // In English, the short form of bytes would be "831 byte", without the plural "s".
      const unitDisplay = step === 0 ? "long" : "short";
      const format = { style: "unit", unit: steps[step], unitDisplay, maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(locale, format).format(value / 1000 ** step);
    },
    percent: (share) => percent.format(share),
    finePercent: (share) => finePercent.format(share),
  };
}

export function useFormats(): Formats {
  return formatsOf(useLingui().i18n.locale);
}
