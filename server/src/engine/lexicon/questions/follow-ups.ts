/** Opening words of follow-up questions, folded. */
import type { PhraseLists } from "../../../language/question-languages.ts";

export const followUps: PhraseLists = {
  en: "and, what about, how about, but, or, also, then, same for, the same for",
  fr: "et, qu'en est-il, mais, ou, aussi, idem pour, pareil pour, et pour",
  de: "und, wie sieht es, wie steht es, aber, oder, auch, dann, dasselbe fur",
  es: "y, e, que hay de, que pasa con, pero, o, tambien, lo mismo para",
  it: "e, ed, che dire di, ma, o, anche, lo stesso per",
  nl: "en, hoe zit het met, maar, of, ook, hetzelfde voor",
  pt: "e, e quanto a, mas, ou, tambem, o mesmo para",
  ru: "а, и, но, или, а как насчет, также, то же",
  ar: "و, وماذا عن, ماذا عن, لكن, او, وفي, وما, ومن, وكم, ومتي, واين",
  zh: "那, 那么, 还有, 而, 至于, 那在",
};
