/** A Word field has a code, such as `PAGE`, which is never shown, and a result, which is shown. */

type Part = "code" | "result";

interface Field {
  part: Part;
  code: string;
}

/**
 * Maximum length of the stored part of a field code, in characters. The rest is not stored, because
 * only the name at the start of the code is used. Chosen by hand, 2026-11.
 */
const maxCodeLength = 200;

/** The nested fields that enclose the current position in the text, outermost first. */
export class Fields {
  readonly #open: Field[] = [];
  #codes = 0;

  begin(): void {
    this.#open.push({ part: "code", code: "" });
    this.#codes++;
  }

  separate(): void {
    const field = this.#open.at(-1);
    if (field?.part !== "code") return;
    field.part = "result";
    this.#codes--;
  }

  end(): void {
    if (this.#open.pop()?.part === "code") this.#codes--;
  }

  /** Appends text to the code of the innermost field. */
  addCode(text: string): void {
    const field = this.#open.at(-1);
    if (field?.part === "code" && field.code.length < maxCodeLength) field.code += text.slice(0, maxCodeLength);
  }

  /** True if the text at this position is not part of a field code. */
  get shown(): boolean {
    return this.#codes === 0;
  }

  /** Returns the name of the innermost field in upper case, such as `PAGE`. */
  get name(): string {
    return fieldName(this.#open.at(-1)?.code ?? "");
  }
}

export const fieldName = (code: string): string => /^\s*([a-z]+)/iu.exec(code)?.[1]?.toUpperCase() ?? "";
