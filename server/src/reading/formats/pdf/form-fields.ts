/**
 * Reads the form fields of a page from the entries of its annotations.
 *
 * PDFium's own field tree is not used, because building it takes quadratic time in the number of
 * fields. If fields contain each other several times, it takes exponential time.
 */
import type { Box, FormField } from "../../document.ts";
import type { FieldParents, Inherited } from "./field-parents.ts";
import type { PageSpace } from "./page-space.ts";
import { type Pdfium, readWideString, withString } from "./pdfium.ts";

/** A field whose box is in the coordinates of the file. */
export interface RawField extends Omit<FormField, "box"> {
  rect: Box;
}

/**
 * Maximum number of annotations that are read from a page. A page with more is an attack. Chosen by
 * hand, 2026-11.
 */
const maxAnnotations = 5_000;
/** Maximum number of fields of a page. Chosen by hand, 2026-11. */
const maxFields = 2_000;
/** Maximum length of a string of a field, in UTF-16 units. Chosen by hand, 2026-11. */
const maxFieldText = 200;

const widget = 20;
const hiddenFlags = 2 | 32;
const buttonFlags = { radio: 1 << 15, push: 1 << 16 } as const;

/** Returns the fields of a page. Must be called before annotations are drawn into the page. */
export function readFormFields(pdfium: Pdfium, page: number, parents: FieldParents): RawField[] {
  const { call } = pdfium;
  const fields: RawField[] = [];
  const count = Math.min(call.FPDFPage_GetAnnotCount(page), maxAnnotations);
  for (let index = 0; index < count && fields.length < maxFields; index++) {
    const annotation = call.FPDFPage_GetAnnot(page, index);
    if (annotation === 0) continue;
    try {
      const shown = (call.FPDFAnnot_GetFlags(annotation) & hiddenFlags) === 0;
      const field =
        shown && call.FPDFAnnot_GetSubtype(annotation) === widget
          ? new Widget(pdfium, annotation, parents).read()
          : undefined;
      if (field) fields.push(field);
    } finally {
      call.FPDFPage_CloseAnnot(annotation);
    }
  }
  return fields;
}

/**
 * Returns the fields with their boxes on the displayed page. Fields outside of the page are left
 * out.
 */
export function placedFields(fields: readonly RawField[], { matrix, width, height }: PageSpace): FormField[] {
  const [a, b, c, d, e, f] = matrix;
  const hundredth = (value: number): number => Math.round(value * 100) / 100;
  return fields.flatMap(({ rect: [u0, v0, u1, v1], ...field }) => {
    const [x0, x1] = [a * u0 + c * v0 + e, a * u1 + c * v1 + e].sort((p, q) => p - q) as [number, number];
    const [y0, y1] = [b * u0 + d * v0 + f, b * u1 + d * v1 + f].sort((p, q) => p - q) as [number, number];
    const box: Box = [hundredth(x0), hundredth(y0), hundredth(x1), hundredth(y1)];
    return x0 >= -1 && y0 >= -1 && x1 <= width + 1 && y1 <= height + 1 && x1 > x0 && y1 > y0 ? [{ ...field, box }] : [];
  });
}

class Widget {
  readonly #pdfium: Pdfium;
  readonly #annotation: number;
  readonly #parents: FieldParents;
  readonly #inherited: Inherited;

  constructor(pdfium: Pdfium, annotation: number, parents: FieldParents) {
    this.#pdfium = pdfium;
    this.#annotation = annotation;
    this.#parents = parents;
    const number = this.#has("Parent") ? pdfium.call.EPDFAnnot_GetObjectNumber(annotation) : 0;
    this.#inherited = number > 0 ? parents.of(number) : {};
  }

  read(): RawField | undefined {
    const rect = this.#rect();
    const type = this.#type();
    if (rect === undefined || type === undefined) return undefined;
    const { name: parentName, tooltip: parentTooltip } = this.#inherited;
    const name = [parentName, this.#text("T")].filter(Boolean).join(".");
    const tooltip = this.#text("TU") ?? parentTooltip;
    const texts = { ...(name && { name: name.slice(0, maxFieldText) }), ...(tooltip && { tooltip }) };
    if (type === "checkbox" || type === "radio") return { type, ...texts, ...this.#state(), rect };
    const value = this.#text("V") ?? this.#inherited.value;
    if (type === "choice") return { type, ...texts, ...this.#choice(value), rect };
    return { type, ...texts, ...(value && { value }), rect };
  }

  #type(): FormField["type"] | undefined {
    switch (this.#text("FT") ?? this.#inherited.type) {
      case "Btn": {
        const flags = this.#number("Ff") ?? this.#inherited.flags ?? 0;
        if ((flags & buttonFlags.push) !== 0) return undefined;
        return (flags & buttonFlags.radio) === 0 ? "checkbox" : "radio";
      }
      case "Ch":
        return "choice";
      case "Tx":
        return "text";
      case undefined:
        // The field of this widget can't be read. If the widget has a state, it is a check box or
        // radio button, because no other widgets have states.
        return this.#has("AS") ? "radio" : undefined;
      default:
        return undefined;
    }
  }

  /** Returns the options of a choice field and its value, both as viewers show them. */
  #choice(value: string | undefined): Pick<FormField, "value" | "options"> {
    const number = this.#pdfium.call.EPDFAnnot_GetObjectNumber(this.#annotation);
    const listed = number > 0 ? this.#parents.optionsOf(number) : [];
    const shown = listed.find(({ exported }) => exported === value)?.label ?? value;
    const options = [...new Set(listed.map(({ label }) => cleaned(label)).filter(Boolean))];
    return { ...(shown && { value: cleaned(shown) }), ...(options.length > 0 && { options }) };
  }

  #state(): Pick<FormField, "checked" | "exportValue"> {
    const exported = this.#string((buffer, bytes) =>
      this.#pdfium.call.EPDFAnnot_GetButtonExportValue(this.#annotation, buffer, bytes),
    );
    const value = this.#text("V") ?? this.#inherited.value;
    const isOwn = exported === undefined || (value !== undefined && ascii(value) === ascii(exported));
    const state = this.#text("AS") ?? (isOwn ? value : undefined);
    const checked = state !== undefined && state !== "Off";
    const exportValue = checked ? state : exported;
    return { checked, ...(exportValue && { exportValue }) };
  }

  #rect(): Box | undefined {
    const { call, scratch, memory } = this.#pdfium;
    if (call.FPDFAnnot_GetRect(this.#annotation, scratch) === 0) return undefined;
    const [left = 0, top = 0, right = 0, bottom = 0] = memory.floats.subarray(scratch >> 2, (scratch >> 2) + 4);
    const rect: Box = [left, bottom, right, top];
    return rect.every(Number.isFinite) ? rect : undefined;
  }

  #has(key: string): boolean {
    const { call } = this.#pdfium;
    return withString(this.#pdfium, key, (pointer) => call.FPDFAnnot_HasKey(this.#annotation, pointer)) !== 0;
  }

  #text(key: string): string | undefined {
    const { call } = this.#pdfium;
    return withString(this.#pdfium, key, (pointer) =>
      this.#string((buffer, bytes) => call.FPDFAnnot_GetStringValue(this.#annotation, pointer, buffer, bytes)),
    );
  }

  #number(key: string): number | undefined {
    const { call, scratch, memory } = this.#pdfium;
    const found = withString(this.#pdfium, key, (pointer) =>
      call.FPDFAnnot_GetNumberValue(this.#annotation, pointer, scratch),
    );
    return found === 0 ? undefined : memory.floats[scratch >> 2];
  }

  #string(write: (buffer: number, bytes: number) => number): string | undefined {
    const text = readWideString(this.#pdfium, write, maxStringBytes);
    return text === undefined ? undefined : cleaned(text) || undefined;
  }
}

const cleaned = (text: string): string =>
  text
    .slice(0, maxFieldText)
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .toWellFormed();

/**
 * Returns only the printable ASCII characters of a text. PDFium decodes these in the same way in
 * names and in values.
 */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e]/gu, "");

const maxStringBytes = 1 << 16;
