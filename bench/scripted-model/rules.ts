/** Rules, which determine the responses of the scripted model. */
import { createHash } from "node:crypto";
import type { Schema, ScriptedRequest } from "./request.ts";

/**
 * A response that has more than content, such as reasoning output or a finish reason. A rule
 * returns it instead of plain content.
 */
export class Answer {
  readonly content: unknown;
  readonly reasoning: string | undefined;
  readonly finish: "stop" | "length" | "content_filter";
  /** False if the endpoint reports no usage. */
  readonly usage: boolean;

  constructor(
    content: unknown,
    more: { reasoning?: string; finish?: "stop" | "length" | "content_filter"; usage?: boolean } = {},
  ) {
    this.content = content;
    this.reasoning = more.reasoning;
    this.finish = more.finish ?? "stop";
    this.usage = more.usage ?? true;
  }
}

/** Returns the response to a request. A string is sent unchanged, and any other value as JSON. */
export type Rule = (request: ScriptedRequest) => unknown;

/** Returns a rule that always gives the correct answer. */
export function perfect(truth: Rule): Rule {
  return truth;
}

export interface Invention {
  /**
   * Path in the answer, such as `/lines/2/amount`. In an answer that is text, `/3` is the fourth
   * sentence.
   */
  path: string;
  truth: unknown;
  invented: unknown;
}

/**
 * Returns a rule that gives the correct answer, except that it invents a share of all values. It
 * replaces digits with digits and letters with letters, so that the pattern of a value is
 * preserved. In an object with `value` and `quote`, it invents the value, the quote or both,
 * equally often. In a text, it invents whole sentences.
 *
 * Always invents the same values for the same request. Calls `onInvented` for each invention.
 */
export function inventing(share: number, truth: Rule, onInvented: (invention: Invention) => void = () => {}): Rule {
  return async (request) => {
    const right = await truth(request);
    const answer = right instanceof Answer ? right : new Answer(right);
    const dice = new Dice(share, `${request.system}\n${request.prompt}`, onInvented);
    const content = typeof answer.content === "string" ? dice.text(answer.content) : dice.value(answer.content, "");
    const { reasoning, finish, usage } = answer;
    return new Answer(content, { finish, usage, ...(reasoning !== undefined && { reasoning }) });
  };
}

/**
 * Returns the smallest output that matches the schema: null if the schema allows it, and otherwise
 * an empty value.
 */
export const silent: Rule = ({ schema }) => (schema === undefined ? "" : leastOf(schema));

function leastOf(schema: Schema): unknown {
  const types = [schema.type].flat();
  const branches = (schema.anyOf ?? []) as Schema[];
  if (types.includes("null") || branches.some(({ type }) => type === "null")) return null;
  if (branches[0] !== undefined) return leastOf(branches[0]);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (types[0] === "object") {
    const properties = (schema.properties ?? {}) as Record<string, Schema>;
    return Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, leastOf(property)]));
  }
  return { array: [], string: "", boolean: false }[String(types[0])] ?? 0;
}

class Dice {
  readonly #share: number;
  readonly #seed: string;
  readonly #onInvented: (invention: Invention) => void;

  constructor(share: number, seed: string, onInvented: (invention: Invention) => void) {
    this.#share = share;
    this.#seed = seed;
    this.#onInvented = onInvented;
  }

  text(text: string): string {
    const sentences = [...new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)];
    return sentences.map(({ segment }, index) => this.#perhaps(segment, `/${index}`)).join("");
  }

  value(value: unknown, path: string): unknown {
    if (Array.isArray(value)) return value.map((item, index) => this.value(item, `${path}/${index}`));
    if (!isObject(value)) return this.#perhaps(value, path);
    if ("value" in value && "quote" in value) return this.#quoted(value, path);
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, this.value(member, `${path}/${key}`)]),
    );
  }

  #quoted(record: Record<string, unknown>, path: string): unknown {
    if (record.value === null || this.#roll(path) >= this.#share) return record;
    const way = Math.floor(this.#roll(`${path} way`) * 3);
    const value = way === 2 ? record.value : this.#invent(record.value, path);
    const quote = way === 0 ? record.quote : this.#invent(record.quote, path);
    this.#onInvented({ path, truth: record, invented: { ...record, value, quote } });
    return { ...record, value, quote };
  }

  #perhaps<T>(truth: T, path: string): unknown {
    if (truth === null || truth === "" || this.#roll(path) >= this.#share) return truth;
    const invented = this.#invent(truth, path);
    this.#onInvented({ path, truth, invented });
    return invented;
  }

  #invent(truth: unknown, path: string): unknown {
    if (typeof truth === "boolean") return !truth;
    if (typeof truth === "number") return Number(this.#other(String(truth), path)) || truth + 1;
    return typeof truth === "string" ? this.#other(truth, path) : truth;
  }

  /**
   * Returns another text with the same pattern: each digit is replaced by a digit, and each letter
   * by a letter.
   */
  #other(text: string, path: string): string {
    const other = [...text].map((char, at) => this.#otherChar(char, `${path} ${at}`)).join("");
    return other === text ? `${text} ${Math.floor(this.#roll(path) * 1e6)}` : other;
  }

  #otherChar(char: string, at: string): string {
    const pick = (from: string): string => {
      const others = from.replace(char, "");
      return others[Math.floor(this.#roll(at) * others.length)] as string;
    };
    if (/[0-9]/.test(char)) return pick("123456789");
    if (/\p{Lu}/u.test(char)) return pick("BCDFGKLMNPRST");
    if (/[aeiouy]/.test(char)) return pick("aeiou");
    return /\p{Ll}/u.test(char) ? pick("bcdfgklmnprst") : char;
  }

  /** Returns a pseudo-random number from 0 to 1 that depends only on the request and on `place`. */
  #roll(place: string): number {
    return createHash("sha256").update(`${this.#seed}\n${place}`).digest().readUInt32BE() / 2 ** 32;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
