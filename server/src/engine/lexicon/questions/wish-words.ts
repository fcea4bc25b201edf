/**
 * Phrases that express wishes about the answer in the request fields `instructions` and
 * `consignes`. They are folded, in all languages.
 */
import type { AnswerLanguage } from "../../../language/question-languages.ts";

/**
 * Phrases by which a user asks for the language of the answer. "French" alone is not such a phrase,
 * because it may describe something else, as in "the French contract".
 */
export const languageNames: Readonly<Record<AnswerLanguage, string>> = {
  en: "in english, en anglais, auf englisch, en ingles, in inglese, in het engels, em ingles, на английском, по-английски, بالانجليزيه, 用英语, 用英文",
  fr: "in french, en francais, auf franzosisch, en frances, in francese, in het frans, em frances, на французском, по-французски, بالفرنسيه, 用法语, 用法文",
  de: "in german, en allemand, auf deutsch, en aleman, in tedesco, in het duits, em alemao, на немецком, по-немецки, بالالمانيه, 用德语, 用德文",
  es: "in spanish, en espagnol, auf spanisch, en espanol, in spagnolo, in het spaans, em espanhol, на испанском, по-испански, بالاسبانيه, 用西班牙语",
  it: "in italian, en italien, auf italienisch, en italiano, in italiano, in het italiaans, em italiano, на итальянском, بالايطاليه, 用意大利语",
  nl: "in dutch, en neerlandais, auf niederlandisch, en holandes, in olandese, in het nederlands, em holandes, на нидерландском, بالهولنديه, 用荷兰语",
  pt: "in portuguese, en portugais, auf portugiesisch, en portugues, in portoghese, in het portugees, em portugues, на португальском, بالبرتغاليه, 用葡萄牙语",
  ru: "in russian, en russe, auf russisch, en ruso, in russo, in het russisch, em russo, на русском, по-русски, بالروسيه, 用俄语",
  ar: "in arabic, en arabe, auf arabisch, in arabo, in het arabisch, em arabe, на арабском, بالعربيه, باللغه العربيه, 用阿拉伯语",
  zh: "in chinese, en chinois, auf chinesisch, en chino, in cinese, in het chinees, em chines, на китайском, بالصينيه, 用中文, 用汉语",
};

export const sentenceWords =
  "sentence, sentences, phrase, phrases, satz, satzen, satze, frase, frases, frasi, zin, zinnen, oracion, oraciones, предложении, предложением, предложения, предложениях, جمله, جمل, 句话, 句";

export const wordWords =
  "words, word, mots, worter, wortern, worten, palabras, parole, woorden, palavras, слов, слова, словами, كلمه, كلمات, 个字, 字";

export const shortPhrases =
  "briefly, brief, short, concise, concisely, succinct, succinctly, to the point, bref, brievement, concis, succinct, court, courte, courtes, kurz, knapp, kurze, kurzen, breve, brevemente, conciso, corto, corta, " +
  "breves, sintetico, kort, beknopt, bondig, curto, curta, sucinto, кратко, коротко, краткий, باختصار, بايجاز, 简短, 简洁, 简要";

export const longPhrases =
  "detailed, in detail, details, exhaustive, comprehensive, thorough, en detail, detaille, detaillee, complete, exhaustif, ausfuhrlich, detailliert, umfassend, detalladamente, detallada, detallado, completa, " +
  "dettagliato, in dettaglio, esauriente, uitgebreid, gedetailleerd, detalhada, detalhado, em detalhe, подробно, развернуто, بالتفصيل, مفصل, 详细, 详尽";

export const negativePhrases =
  "do not mention, don't mention, never mention, do not quote, don't quote, never quote, avoid mentioning, do not talk about, don't talk about, do not cite, ne mentionne pas, ne mentionnez pas, ne mentionne jamais, ne mentionnez jamais, " +
  "ne cite pas, ne citez pas, ne parle pas de, ne parlez pas de, erwahne nicht, erwahnen sie nicht, erwahne niemals, erwahnen sie niemals, zitiere nicht, no menciones, no mencione, nunca menciones, no cites, non menzionare, non citare, " +
  "noem niet, vermeld niet, nao mencione, nao cite, не упоминай, не упоминайте, لا تذكر, 不要提到, 不要提及, 不要引用";

/**
 * Phrases by which a user specifies the text to return if there is no answer. The user puts that
 * text in quotation marks.
 */
export const noAnswerPhrases =
  "no answer, not found, don't know, do not know, cannot answer, can't answer, can not answer, not in the documents, unanswered, pas de reponse, aucune reponse, ne sais pas, ne trouves pas, ne trouvez pas, pas dans les documents, introuvable, " +
  "keine antwort, nicht gefunden, nicht weisst, nicht wissen, nicht in den dokumenten, sin respuesta, no sabes, no sabe, no encuentras, no hay respuesta, nessuna risposta, non sai, non trovi, geen antwoord, niet weet, niet gevonden, " +
  "sem resposta, nao sabe, nao encontrar, нет ответа, не знаешь, не найден, لا توجد اجابه, لا تعرف, 没有答案, 不知道, 找不到";
