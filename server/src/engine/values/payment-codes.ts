/**
 * Parses the payloads of payment codes: the Swiss QR-bill (Swiss Implementation Guidelines for the
 * QR-bill, version 2) and the EPC code for credit transfers (EPC069-12). Both identify each part by
 * its line number. A part whose own check digits are wrong is left out.
 */
import { isCreditorReference, isQrReference } from "./check-digits.ts";
import { isIban } from "./codes.ts";

export type PaymentPartName = "iban" | "bic" | "payee" | "amount" | "currency" | "payer" | "reference" | "message";

export interface PaymentPart {
  name: PaymentPartName;
  /** Index of the line in the payload, counted from 0. */
  line: number;
  /** Start of the part in the line, in UTF-16 units. */
  start: number;
  end: number;
  /** The part as text. For an amount, the number. */
  value: string | number;
}

/**
 * Returns the parts of a payment code, or undefined if the payload is not that of a payment code.
 */
export function paymentParts(payload: string): PaymentPart[] | undefined {
  const lines = payload.split("\n").map((line) => line.trimEnd());
  if (lines[0] === "SPC" && /^02\d\d$/.test(lines[1] ?? "") && lines[30] === "EPD") return swissParts(lines);
  if (lines[0] === "BCD" && /^00[12]$/.test(lines[1] ?? "") && /^(?:SCT|INST)$/.test(lines[3] ?? ""))
    return europeanParts(lines);
  return undefined;
}

type Check = (text: string) => boolean;

/** Maximum lengths of names and messages in both standards, in UTF-16 units. */
const [maxName, maxMessage] = [70, 140];
const isUpTo =
  (length: number): Check =>
  (text) =>
    text.length <= length;
const amountPattern = /^\d{1,9}(?:\.\d{1,2})?$/;

function swissParts(lines: readonly string[]): PaymentPart[] {
  const isReference: Check =
    lines[27] === "QRR" ? isQrReference : lines[27] === "SCOR" ? isCreditorReference : () => false;
  return [
    ...textPart("iban", lines, 3, (text) => /^(?:CH|LI)/.test(text) && isIban(text)),
    ...textPart("payee", lines, 5, isUpTo(maxName)),
    ...amountPart(lines, 18, 0),
    ...textPart("currency", lines, 19, (text) => text === "CHF" || text === "EUR"),
    ...textPart("payer", lines, 21, isUpTo(maxName)),
    ...textPart("reference", lines, 28, isReference),
    ...textPart("message", lines, 29, isUpTo(maxMessage)),
  ];
}

function europeanParts(lines: readonly string[]): PaymentPart[] {
  const [, currency = ""] = /^([A-Z]{3})\d/.exec(lines[7] ?? "") ?? [];
  return [
    ...textPart("iban", lines, 6, isIban),
    ...textPart("bic", lines, 4, (text) => /^[A-Z]{6}[A-Z\d]{2}(?:[A-Z\d]{3})?$/.test(text)),
    ...textPart("payee", lines, 5, isUpTo(maxName)),
    ...amountPart(lines, 7, currency.length),
    ...(currency === "" ? [] : [{ name: "currency", line: 7, start: 0, end: 3, value: currency } as const]),
    ...textPart("reference", lines, 9, isCreditorReference),
    ...textPart("message", lines, 10, isUpTo(maxMessage)),
  ];
}

function textPart(name: PaymentPartName, lines: readonly string[], line: number, isValid: Check): PaymentPart[] {
  const text = lines[line] ?? "";
  return text !== "" && isValid(text) ? [{ name, line, start: 0, end: text.length, value: text }] : [];
}

function amountPart(lines: readonly string[], line: number, start: number): PaymentPart[] {
  const text = lines[line] ?? "";
  const amount = text.slice(start);
  return amountPattern.test(amount) ? [{ name: "amount", line, start, end: text.length, value: Number(amount) }] : [];
}
