/** Finds small whole numbers written as words: "six months", "drei Schlüssel". */
import type { Language } from "./locale.ts";

export interface FoundNumberWord {
  /** Start of the word in the text, in UTF-16 units. */
  start: number;
  end: number;
  value: number;
}

/**
 * Words for numbers from two on. "One" is left out, because in most languages it is an article too.
 */
const words: Readonly<Record<Language, string>> = {
  en: "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
  de: "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig",
  fr: "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt",
  es: "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte",
  it: "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti",
  nl: "twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig",
};
const tens: Readonly<Record<Language, string>> = {
  en: "thirty forty fifty sixty seventy eighty ninety",
  de: "dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
  fr: "trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix",
  es: "treinta cuarenta cincuenta sesenta setenta ochenta noventa",
  it: "trenta quaranta cinquanta sessanta settanta ottanta novanta",
  nl: "dertig veertig vijftig zestig zeventig tachtig negentig",
};

const valuesIn = (language: Language): ReadonlyMap<string, number> =>
  new Map([
    ...words[language].split(" ").map((word, at): [string, number] => [word, at + 2]),
    ...tens[language].split(" ").map((word, at): [string, number] => [word, 30 + 10 * at]),
  ]);
const known = new Map<Language, ReadonlyMap<string, number>>();

/** Returns the number words of a text in the given language. */
export function findNumberWords(text: string, language: Language): FoundNumberWord[] {
  const values = known.get(language) ?? valuesIn(language);
  known.set(language, values);
  return [...text.matchAll(/(?<![\p{L}\d-])\p{L}[\p{L}-]{1,16}(?![\p{L}\d-])/gu)].flatMap((match) => {
    const value = values.get(match[0].toLowerCase());
    return value === undefined ? [] : [{ start: match.index, end: match.index + match[0].length, value }];
  });
}
