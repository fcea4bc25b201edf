/**
 * Detects sentences that tell the reader how to answer, and disguised text. The structural checks
 * of `relevance.ts` are the only defence against other prompt injections.
 */
import { foldWord } from "../../language/folding.ts";
import { type WordToken, wordTokensOf } from "../../language/word-tokens.ts";

/**
 * Verbs that request output, such as "reply", as folded imperatives and infinitives in all
 * languages.
 */
const outputVerbs = new Set(
  (
    "answer respond reply output print write say repeat return type echo begin start state " +
    "antworte antworten antwortet schreibe schreiben sage wiederhole gib gebe ausgeben nenne " +
    "reponds repondez repondre ecris ecrivez ecrire dis dites repete repetez affiche affichez retourne " +
    "responde responda responder contesta conteste escribe escriba escribir di diga repite repita imprime devuelve " +
    "rispondi risponda rispondere scrivi scriva scrivere ripeti ripeta stampa restituisci " +
    "antwoord antwoorden schrijf schrijven zeg herhaal geef druk " +
    "escreva escreve escrever diz repita repete imprima retorne " +
    "ответь ответьте отвечай отвечайте напиши напишите скажи скажите повтори выведи"
  ).split(" "),
);
/**
 * Words such as "answer". If a sentence contains such a word and an output verb, it is an
 * instruction about answers. Without such a word, it may be a step of a procedure.
 */
const aboutAnswers = new Set(
  (
    "only just always nothing every all any instead exactly literally questions question asked ask prompt prompts user users assistant assistants ai model chatbot instructions instruction system message following answer answers response output field fields word words token " +
    "nur immer jede jeden stattdessen fragen frage gefragt nutzer benutzer assistent ki modell anweisungen anweisung system ausschliesslich wort " +
    "seulement uniquement toujours toute toutes questions question demande utilisateur assistant ia modele instructions consignes systeme exclusivement mot " +
    "solo solamente siempre toda todas preguntas pregunta usuario asistente ia modelo instrucciones sistema exclusivamente palabra " +
    "soltanto sempre domande domanda utente assistente ia modello istruzioni sistema esclusivamente parola " +
    "alleen altijd vragen vraag gebruiker assistent ai model instructies systeem uitsluitend woord " +
    "apenas somente perguntas pergunta utilizador usuario assistente modelo instrucoes palavra " +
    "только всегда вопрос вопросы пользователь ассистент модель инструкции слово"
  ).split(" "),
);
const roleMarks =
  /<\/?\s?(?:system|user|assistant|instructions?|prompt|context|data|document|passages?|answer|tool|function|im_start|im_end)\b[^>]{0,40}>|\[\/?(?:system|inst|user|assistant|tool)\]|\{\{|\}\}|"role"\s?:|<\||\|>|(?:^|\n)\s{0,9}(?:system|assistant|user|human|ai|bot)\s?:/iu;
const otherScript = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
const latin = /\p{Script=Latin}/u;
const longestChecked = 2_000;
const minSpacedLetters = 6;

/**
 * Returns true if the sentence tells the reader how to answer. `asked` contains the folded words of
 * the question. These words do not count as signs of an instruction.
 */
export function isInstruction(text: string, asked: ReadonlySet<string>): boolean {
  const sentence = plainLetters(text.slice(0, longestChecked));
  if (roleMarks.test(sentence)) return true;
  const words = wordTokensOf(sentence);
  const isOrder = (at: number) => outputVerbs.has(words[at]?.folded ?? "") && isImperative(words, at);
  const isOther = ({ folded }: WordToken) => !asked.has(folded);
  return (
    words.some((word, at) => isOther(word) && isOrder(at)) &&
    words.some((word, at) => isOther(word) && aboutAnswers.has(word.folded) && !isOrder(at))
  );
}

const beforeImperative = new Set(
  "and then please now only to must should just always you shall und dann bitte nur jetzt et puis veuillez y luego por favor e poi per dan alstublieft to zu de a и затем пожалуйста on simply not never don do asked gefragt question frage".split(
    " ",
  ),
);

/**
 * An imperative counts as the start of its sentence if at most this many words stand before it.
 * Chosen by hand, 2026-11.
 */
const mostWordsBefore = 4;

const isImperative = (words: readonly WordToken[], at: number): boolean =>
  words[at]?.parted === true || at <= mostWordsBefore || beforeImperative.has(words[at - 1]?.folded ?? "");

/**
 * Returns true if a word mixes scripts, contains invisible characters, or is spelled in separate
 * letters.
 */
export function isDisguised(text: string): boolean {
  const checked = text.slice(0, longestChecked);
  const words = checked.match(/[\p{L}\p{M}\u200b-\u200f\u2060]{2,}/gu) ?? [];
  if (words.some((word) => (latin.test(word) && otherScript.test(word)) || /[\u200b-\u200f\u2060]/u.test(word)))
    return true;
  let run = 0;
  for (const word of checked.split(/[\s._*-]{1,4}/u)) {
    run = /^\p{L}$/u.test(word) ? run + 1 : 0;
    if (run >= minSpacedLetters) return true;
  }
  return false;
}

/**
 * Returns true if the text has a long word with digits and both upper-case and lower-case letters,
 * such as base64.
 */
export const isEncoded = (text: string): boolean =>
  text
    .slice(0, longestChecked)
    .split(/[^A-Za-z0-9+/=]/)
    .some((word) => word.length >= minEncoded && /[a-z][A-Z]/.test(word) && /\d/.test(word));

const minEncoded = 10;

const plainLetters = (text: string): string =>
  foldWord(text.normalize("NFKC")).replace(/[\u200b-\u200f\u2060\u00ad]/g, "");
