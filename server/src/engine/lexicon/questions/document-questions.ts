/**
 * Words of questions that ask for a document instead of its content: "Which document mentions …?",
 * "In welchem Dokument steht …?". All words are folded.
 */
import type { WordLists } from "../../../language/question-languages.ts";

/**
 * Generic nouns for a document, such as "file". After a question word such as "which", they show
 * that the user asks for a document.
 */
export const anyDocument: WordLists = {
  en: "document documents file files paper papers doc docs pdf",
  fr: "document documents fichier fichiers papier papiers piece pieces",
  de: "dokument dokumente dokumenten datei dateien unterlage unterlagen schriftstuck papier papiere",
  es: "documento documentos archivo archivos fichero ficheros papel papeles",
  it: "documento documenti file carta carte",
  nl: "document documenten bestand bestanden stuk stukken papier papieren",
  pt: "documento documentos arquivo arquivos ficheiro ficheiros papel papeis",
  ru: "документ документы документе документах файл файлы файле файлах",
  ar: "مستند مستندات المستند المستندات وثيقه وثائق ملف ملفات",
  zh: "文件 文档",
};

/**
 * Verbs in questions about what a document says, such as "mentions". The document itself need not
 * contain these verbs.
 */
export const mentioning: WordLists = {
  en: "mention mentions mentioned contain contains contained list lists listed name names named say says said state states stated confirm confirms confirmed show shows shown talk talks speak speaks describe describes include includes appear appears refer refers find found warn warns",
  fr: "mentionne mentionnent contient contiennent parle parlent indique indiquent nomme cite citent dit disent figure figurent liste evoque evoquent trouve trouvent confirme precise montre decrit",
  de: "nennt nennen erwahnt erwahnen enthalt enthalten steht stehen kommt kommen vor spricht sprechen sagt sagen auf auffuhrt listet fuhrt bestatigt zeigt findet finden beschreibt geht",
  es: "menciona mencionan contiene contienen habla hablan dice dicen indica indican nombra cita aparece aparecen figura figuran lista confirma muestra describe encuentra",
  it: "menziona menzionano contiene contengono parla parlano dice dicono indica indicano nomina cita compare compaiono elenca conferma mostra descrive trova",
  nl: "noemt noemen vermeldt vermelden bevat bevatten spreekt zegt zeggen staat staan komt komen voor bevestigt toont beschrijft vindt gaat",
  pt: "menciona mencionam contem fala falam diz dizem indica indicam nomeia cita aparece aparecem figura lista confirma mostra descreve encontra",
  ru: "упоминает упоминают упоминается содержит содержат говорит говорится указан указано назван сказано описан",
  ar: "يذكر تذكر يحتوي تحتوي يتضمن تتضمن يتحدث",
  zh: "提到 提及 包含 说明 写着 列出",
};

/**
 * Verbs that, after a noun for a document, show that the question asks for the document's content:
 * "Which document did they sign?", "Which documents are enclosed?".
 */
export const afterObject: WordLists = {
  en: "did do does are were must should can could may shall will would have need",
  fr: "doit doivent sont ont faut peut dois devons avons",
  de: "haben habe muss mussen soll sollen sind kann konnen wurden brauche brauchen ist wird werden",
  es: "debe deben son hay han necesito necesitamos",
  it: "deve devono sono hanno bisogna",
  nl: "moet moeten zijn hebben heeft kan kunnen",
  pt: "deve devem sao tem foram preciso",
  ru: "нужно нужны должен должны",
  ar: "",
  zh: "",
};
