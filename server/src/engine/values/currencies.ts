/** Finds ISO 4217 currencies by code, symbol or name. */
import { foldLabel } from "../../language/folding.ts";

export const currencyCodes: ReadonlySet<string> = new Set(
  (
    "AED ARS AUD BGN BHD BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HRK HUF IDR ILS INR ISK JPY KES KRW KWD LKR MAD MXN MYR " +
    "NGN NOK NZD PEN PHP PKR PLN QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD UAH USD UYU VND ZAR"
  ).split(" "),
);

/**
 * Symbols and names, folded. A symbol that several countries use stands for the most common
 * currency.
 */
const byName = new Map<string, string>(
  Object.entries({
    "€": "EUR",
    euro: "EUR",
    euros: "EUR",
    $: "USD",
    us$: "USD",
    dollar: "USD",
    dollars: "USD",
    "us dollars": "USD",
    "us dollar": "USD",
    "£": "GBP",
    pound: "GBP",
    pounds: "GBP",
    "pounds sterling": "GBP",
    "¥": "JPY",
    yen: "JPY",
    "₹": "INR",
    rs: "INR",
    "rs.": "INR",
    rupees: "INR",
    rupee: "INR",
    rm: "MYR",
    ringgit: "MYR",
    a$: "AUD",
    c$: "CAD",
    hk$: "HKD",
    s$: "SGD",
    nz$: "NZD",
    r$: "BRL",
    "₽": "RUB",
    "₩": "KRW",
    "₺": "TRY",
    "฿": "THB",
    "₫": "VND",
    zł: "PLN",
    zl: "PLN",
    kč: "CZK",
    kc: "CZK",
    ft: "HUF",
    "fr.": "CHF",
    franken: "CHF",
    "schweizer franken": "CHF",
  }),
);

/** Returns the ISO 4217 code for a code, symbol or name, or undefined for any other text. */
export function toCurrencyCode(text: string): string | undefined {
  if (currencyCodes.has(text)) return text;
  return byName.get(text.toLowerCase()) ?? byName.get(foldLabel(text));
}

export interface FoundCurrency {
  start: number;
  end: number;
  code: string;
  /** True if the text has the ISO code itself and not a symbol or name. */
  written: boolean;
}

const pattern =
  /(?<!\p{L})(?:[A-Z]{3}(?!\p{L})|(?:US|A|C|HK|S|NZ|R)?\$|[€£¥₹₽₩₺฿₫]|RM(?=[ \d]|$)|Rs\.?(?=[ \d]|$)|(?:US )?dollars?(?!\p{L})|euros?(?!\p{L})|rupees?(?!\p{L})|(?:Schweizer )?Franken(?!\p{L}))/giu;

/**
 * Matches a cell reference of a spreadsheet ($C$2) or a sequence of symbols (£$%). Neither names a
 * currency.
 */
const noCurrency = /\$[A-Z]{1,3}\$\d+|[%^$£€¥]{2,}/g;

/** Replaces symbols that do not name a currency with spaces, so that offsets do not change. */
export const withoutOtherMarks = (text: string): string => text.replace(noCurrency, (run) => " ".repeat(run.length));

export function findCurrencies(text: string): FoundCurrency[] {
  const found: FoundCurrency[] = [];
  for (const match of withoutOtherMarks(text).matchAll(pattern)) {
    const code = toCurrencyCode(match[0]);
    if (code && (match[0].length !== 3 || match[0] === match[0].toUpperCase())) {
      found.push({ start: match.index, end: match.index + match[0].length, code, written: match[0] === code });
    }
  }
  return found;
}
