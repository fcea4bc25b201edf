/**
 * Detects prompt injections: text that addresses a language model, such as "Ignore all previous
 * instructions and …". A model that obeys such a sentence may also quote it, and the quote does
 * occur in the document. So these sentences are never accepted as evidence. False statements
 * without such wording are not detected.
 */

import { type Page, pageText } from "../../reading/document.ts";

export interface InjectionSpan {
  /** Span in UTF-16 units. */
  start: number;
  end: number;
}

/**
 * Returns a pattern that matches any of the space-separated alternatives in `words`. An underscore
 * stands for a space within an alternative.
 */
const any = (words: string): string => `(?:${words.split(" ").join("|").replaceAll("_", " ")})`;
const gap = (most: number): string => `[^.!?。！？]{0,${most}}?`;

/**
 * Verbs such as "ignore". Together with the next two constants and the pattern for Chinese, they
 * cover nine languages: en, fr, de, es, it, nl, pt, ru and zh.
 */
const forget = any(
  "ignore[zr]? disregard forget override bypass oublie[zr]? ne_tene?[zs]_pas_compte ignorier\\w* vergiss " +
    "vergessen_sie missachte\\w* ignor[ae]\\w* olvid[ae]\\w* descart[ae]\\w* dimentica\\w* negeer vergeet " +
    "desconsider[ae]\\w* esque[çc]a игнориру\\p{L}* забудь\\p{L}*",
);
const earlier = any(
  "previous prior above earlier preceding all any your system pr[ée]c[ée]dente?s? ci-dessus toutes vos tes " +
    "vorherig\\w* bisherig\\w* obig\\w* alle[nr]? deine ihre anterior\\w* todas tus sus precedenti tutte tue " +
    "vorige eerdere bovenstaande предыдущ\\p{L}* все",
);
const orders = any(
  "instructions? prompts? guidelines directives consignes anweisungen vorgaben instrucciones istruzioni " +
    "instructies opdrachten instru[çc][õo]es инструкц\\p{L}*",
);
const models = any(
  "a\\.?i\\.? llms? (?:chat)?gpt\\S* chatbots? (?:large_)?language_models? " +
    "ai_(?:assistants?|models?|agents?|systems?) virtual_assistants? ia ki mod[èe]les?_de_langage " +
    "sprachmodelle? modelos?_de_lenguaje modell[oi]_linguistic[oi] taalmodel\\w* assistant_ia",
);
const word = (pattern: string): string => `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`;

const injectionPattern = new RegExp(
  [
    `${word(forget)}${gap(30)}${word(earlier)}${gap(30)}${word(orders)}`,
    `${word(forget)}${gap(30)}${word(orders)}${gap(20)}${word(earlier)}`,
    // Text that addresses a model or tells it what its role is.
    `${word(
      `${any("to for dear hey hello attention note à an für para per voor")},?:? (?:the |any |all |l'|die |das |la |el )?${models}`,
    )}(?= ?[:,!])`,
    word(
      `${any("you_are you're act_as if_you_are as vous_êtes tu_es du_bist sie_sind eres usted_es sei jij_bent")} (?:now |maintenant |jetzt |ahora |ora |nu )?(?:an? |une? |the |ein |eine |una? )?${models}`,
    ),
    word(`${any("reveal print repeat show ignore")}${gap(20)}system prompt`),
    "(?:忽略|无视|忘记)[^。！？]{0,12}(?:指令|提示|指示|说明)",
    "<\\|(?:im_start|im_end|system|user|assistant|endoftext)\\|?>|\\[/?INST\\]|<</?SYS>>|(?<!#)#{2,} ?(?:system|instruction)s?\\b ?:|(?<![\\p{L}\\p{N}])system ?(?:message|override|prompt) ?:",
  ].join("|"),
  "giu",
);

/**
 * Maximum number of lines, after the line with the matched words, that count as part of the same
 * prompt injection. Chosen by hand, 2026-11.
 */
const mostLines = 6;
/**
 * A line of at least this many characters is assumed to continue in the next line of its paragraph,
 * unless it ends with a colon or the end of a sentence. Chosen by hand, 2026-11.
 */
const filledLine = 60;

/**
 * Returns the prompt injections in the order of the text. Each extends to the end of its paragraph.
 * Prompt injections that overlap are merged.
 */
export function promptInjectionsIn(text: string): InjectionSpan[] {
  const spans: InjectionSpan[] = [];
  // Each line end becomes one space, so that offsets stay valid.
  const flat = text.replaceAll("\n", " ");
  for (const { 0: found, index } of flat.matchAll(injectionPattern)) {
    const start = startOfSentence(text, index);
    const end = endOfParagraph(text, index + found.length);
    const last = spans.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else spans.push({ start, end });
  }
  return spans;
}

/**
 * Digits and vertical bars that OCR may have read instead of letters, and these letters. There are
 * two mappings, because "1" and "|" can each stand for either "i" or "l".
 */
const misread: readonly Readonly<Record<string, string>>[] = [
  { "0": "o", "1": "i", "3": "e", "5": "s", "|": "l" },
  { "0": "o", "1": "l", "3": "e", "5": "s", "|": "i" },
];

/** Returns the indices of the words of a page that are part of a prompt injection. */
export function injectedWords(page: Page): ReadonlySet<number> {
  const found = new Set<number>();
  const text = pageText(page);
  const spans = promptInjectionsIn(text);
  if (page.source === "ocr")
    for (const letters of misread)
      spans.push(...promptInjectionsIn(text.replace(/[0135|]/g, (mark) => letters[mark] ?? mark)));
  if (spans.length === 0) return found;
  let at = 0;
  for (const line of page.lines) {
    for (let index = line.start; index < line.end; index++) {
      const end = at + (page.words[index]?.text.length ?? 0);
      if (spans.some((span) => span.start < end && at < span.end)) found.add(index);
      at = end + 1;
    }
  }
  return found;
}

/**
 * Returns the start of the sentence that contains `at`. If the sentence starts in an earlier line,
 * returns the start of the line that contains `at`.
 */
function startOfSentence(text: string, at: number): number {
  const line = text.lastIndexOf("\n", at - 1) + 1;
  const ends = [...text.slice(line, at).matchAll(/[.!?。！？](?=\s)/gu)];
  return line + (ends.at(-1)?.index ?? -1) + 1;
}

function endOfParagraph(text: string, at: number): number {
  let end = endOfLine(text, at);
  for (let lines = 0; lines < mostLines && end < text.length; lines++) {
    const line = text.slice(text.lastIndexOf("\n", end - 1) + 1, end).trimEnd();
    const goesOn =
      /^\s*\p{Ll}/u.test(text.slice(end + 1)) || (line.length >= filledLine && !/[.!?:。！？]$/u.test(line));
    if (!goesOn) break;
    end = endOfLine(text, end + 1);
  }
  return end;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
