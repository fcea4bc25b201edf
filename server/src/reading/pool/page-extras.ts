/**
 * Checks the parts of a page that are sent as objects: its form fields and bar codes. A process
 * that reads a hostile file may be compromised, so nothing that it sends is trusted.
 */
import { type Barcode, type Box, barcodeKinds, type FormField, maxBarcodes, maxBarcodeText } from "../document.ts";

/** @throws TypeError if the condition is false */
export function check(condition: boolean): asserts condition {
  if (!condition) throw new TypeError("not a page");
}

/** Maximum number of form fields on a page. */
export const maxFields = 2_000;
/** Maximum length of each string in a form field, in UTF-16 units. */
const maxFieldText = 1_000;

/** @throws TypeError if the field is not valid */
export function unpackField(field: FormField): FormField {
  check(typeof field === "object" && field !== null);
  const { type, box, checked } = field;
  check(fieldTypes.includes(type));
  check(checked === undefined || typeof checked === "boolean");
  const unpacked: FormField = { type, box: unpackPlainBox(box) };
  if (checked !== undefined) unpacked.checked = checked;
  for (const key of fieldTexts) {
    const text = field[key];
    check(text === undefined || isFieldText(text));
    if (text !== undefined) unpacked[key] = text;
  }
  const { options } = field;
  check(
    options === undefined || (Array.isArray(options) && options.length <= maxOptions && options.every(isFieldText)),
  );
  if (options !== undefined) unpacked.options = [...options];
  return unpacked;
}

function unpackPlainBox(box: Box): Box {
  check(Array.isArray(box) && box.length === 4 && box.every(Number.isFinite));
  const [x0, y0, x1, y1] = box;
  return [x0, y0, x1, y1];
}

/**
 * Checks the bar codes and returns them. Their words must be the last words of the page.
 * @throws TypeError if they are not valid
 */
export function unpackBarcodes(barcodes: Barcode[], words: number): Barcode[] {
  check(Array.isArray(barcodes) && barcodes.length <= maxBarcodes);
  let next: number | undefined;
  const unpacked = barcodes.map(({ kind, text, box, start, end, omitted }): Barcode => {
    check(barcodeKinds.includes(kind));
    check(typeof text === "string" && text.length <= maxBarcodeText);
    check(omitted === undefined || omitted === "binary" || omitted === "too_long");
    check(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && end >= start && end <= words);
    check(next === undefined || start === next);
    next = end;
    return { kind, text, box: unpackPlainBox(box), start, end, ...(omitted && { omitted }) };
  });
  check(next === undefined || next === words);
  return unpacked;
}

const isFieldText = (text: unknown): boolean => typeof text === "string" && text.length <= maxFieldText;
/** Maximum number of options of a choice field. */
const maxOptions = 300;
const fieldTypes: readonly FormField["type"][] = ["checkbox", "radio", "choice", "text"];
const fieldTexts = ["name", "tooltip", "exportValue", "value"] as const;
