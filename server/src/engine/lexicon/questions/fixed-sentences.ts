/** Fixed sentences. All other sentences of built-in answers are quoted from documents. */
import type { AnswerLanguage } from "../../../language/question-languages.ts";

type Sentences = Readonly<Record<AnswerLanguage, string>>;

export const noAnswer: Sentences = {
  en: "The documents hold no answer to this question.",
  fr: "Les documents ne contiennent pas de réponse à cette question.",
  de: "Die Dokumente enthalten keine Antwort auf diese Frage.",
  es: "Los documentos no contienen ninguna respuesta a esta pregunta.",
  it: "I documenti non contengono una risposta a questa domanda.",
  nl: "De documenten bevatten geen antwoord op deze vraag.",
  pt: "Os documentos não contêm uma resposta a esta pergunta.",
  ru: "В документах нет ответа на этот вопрос.",
  ar: "لا تحتوي المستندات على إجابة عن هذا السؤال.",
  zh: "文档中没有这个问题的答案。",
};
