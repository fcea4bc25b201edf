/**
 * Size of replies in tokens of language models. The count is an upper estimate: real tokenizers
 * need fewer tokens for text in any language, so a reply is never larger than stated.
 */

/** Maximum size of one reply to a tool call, in tokens. */
export const maxReplyTokens = 10_000;
/**
 * Maximum size of the structured content of a reply, in tokens. Smaller than half of a reply,
 * because the reply contains the content twice: as data, and as text (with escaped quotes and
 * backslashes) for clients that ignore the data.
 */
export const maxContentTokens = 4_000;

/**
 * Assumed number of letters per token in a word that takes more than one token. English text has
 * more than four.
 */
const lettersPerToken = 3;
const shortWord = 4;
const spacesPerToken = 4;
/**
 * First character code that counts as two tokens. Characters below it, such as Greek or Arabic
 * letters, are at most one token each.
 */
const lastAlphabet = 0x800;

/** Returns an upper estimate of the tokens that language models need for the text. */
export function countTokens(text: string): number {
  let tokens = 0;
  let letters = 0;
  let spaces = 0;
  const endRun = () => {
    if (letters > 0) tokens += letters <= shortWord ? 1 : Math.ceil(letters / lettersPerToken);
    // One space is part of the token of the next word.
    if (spaces > 1) tokens += Math.ceil(spaces / spacesPerToken);
    letters = 0;
    spaces = 0;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isLatinLetter(code)) {
      if (spaces > 0) endRun();
      letters++;
    } else if (code === 0x20) {
      if (letters > 0) endRun();
      spaces++;
    } else {
      endRun();
      // In a script without an alphabet, such as Chinese, a character may take several tokens of
      // one byte each. Each half of a surrogate pair also counts as two tokens.
      tokens += code < lastAlphabet ? 1 : 2;
    }
  }
  endRun();
  return tokens;
}

const isLatinLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);

/** Returns the token count of a value as JSON. */
export const tokensOf = (value: unknown): number => countTokens(JSON.stringify(value) ?? "");

/** Tokens that are left for the items of a reply. */
export class TokenBudget {
  #left: number;

  constructor(tokens: number = maxContentTokens) {
    this.#left = tokens;
  }

  get left(): number {
    return this.#left;
  }

  /** Reserves the tokens of an item. Returns false, and reserves nothing, if too few are left. */
  take(item: unknown): boolean {
    const tokens = tokensOf(item) + 1;
    if (tokens > this.#left) return false;
    this.#left -= tokens;
    return true;
  }
}

/**
 * Returns the beginning of a text that has at most `maxTokens` tokens. If possible, cuts the text
 * at the end of a line or word in the second half of this beginning.
 */
export function beginningWithin(text: string, maxTokens: number): string {
  let cut = text.slice(0, maxTokens * spacesPerToken);
  for (let tokens = tokensOf(cut); tokens > maxTokens && cut !== ""; tokens = tokensOf(cut))
    cut = cut.slice(0, Math.floor((cut.length * maxTokens * 0.98) / tokens));
  return cut.length === text.length ? text : atWord(cut);
}

/**
 * Shortens a text that was cut at an arbitrary position, so that it ends after its last complete
 * line, or else after its last complete word. Ignores line ends and spaces in the first half of the
 * text.
 */
function atWord(text: string): string {
  for (const separator of ["\n", " "]) {
    const at = text.lastIndexOf(separator);
    if (at > text.length / 2) return text.slice(0, at + 1);
  }
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? text.slice(0, -1) : text;
}
