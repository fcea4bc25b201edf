/**
 * Function words by language, folded. Two sentences may differ in these words and still have the
 * same meaning. All other words of a sentence must be in its source.
 */
import { type AnswerLanguage, wordsOf } from "../../../language/question-languages.ts";

/**
 * Languages in which paraphrases are judged. In any other language, a sentence that is not verbatim
 * is replaced by its source.
 */
export const judgedLanguages = ["en", "de", "fr", "es", "it", "nl", "pt"] as const;
export type JudgedLanguage = (typeof judgedLanguages)[number];

export const isJudged = (language: AnswerLanguage): language is JudgedLanguage =>
  judgedLanguages.some((each) => each === language);

/**
 * Tense of a statement, as shown by its auxiliary verb. A sentence never entails a sentence in
 * another tense.
 */
export type Tense = "present" | "past" | "perfect" | "pluperfect" | "passive" | "past-passive";

export interface Grammar {
  /** Articles and words for "of". A sentence may have more or fewer of them than its source. */
  free: ReadonlySet<string>;
  /** Definite articles. */
  definite: ReadonlySet<string>;
  of: ReadonlySet<string>;
  auxiliaries: ReadonlyMap<string, Tense>;
  /** Participles of auxiliaries, such as "been". They are ignored. */
  silent: ReadonlySet<string>;
  /** Prepositions before the agent in the passive, such as "by". */
  by: ReadonlySet<string>;
  /** Prepositions that start an expression of time, which may stand at either end of a sentence. */
  timePrepositions: ReadonlySet<string>;
  /**
   * Inflectional endings of nouns and adjectives. Verb forms that differ only in such an ending
   * have the same tense.
   */
  endings: ReadonlySet<string>;
  yes: string;
  /**
   * Contractions of preposition and article, such as the German "im", mapped to the preposition.
   */
  contractions: ReadonlyMap<string, string>;
  /** Words at the start of a sentence, such as "However", that may be left out. */
  connectives: ReadonlySet<string>;
  /** Conjunctions, such as "and", that separate clauses if a comma stands before them. */
  coordinators: ReadonlySet<string>;
  /**
   * Words that express a condition, exception, attribution, negation or doubt. If such a word
   * stands outside a clause, it may change the meaning of the clause. In that case, the clause is
   * not used on its own.
   */
  scopes: ReadonlySet<string>;
}

interface Lists extends Partial<Record<Tense, string>> {
  free: string;
  definite: string;
  of: string;
  silent: string;
  by: string;
  time: string;
  endings: string;
  yes: string;
  contractions?: string;
  connectives: string;
  coordinators: string;
  scopes: string;
}

const lists: Record<JudgedLanguage, Lists> = {
  en: {
    free: "the a an of s",
    definite: "the",
    of: "of",
    present: "is are am does do",
    past: "was were did",
    perfect: "has have",
    pluperfect: "had",
    silent: "been being",
    by: "by",
    time: "on in at from since until till before after during by",
    endings: "s es y ies",
    yes: "yes",
    connectives: "however furthermore moreover additionally therefore also hereby accordingly",
    coordinators: "and but while whereas",
    scopes:
      "if unless when whenever whether provided providing except excluding until without not no never neither nor none false untrue wrong incorrect deny denied denies claim claims claimed allege alleges alleged " +
      "allegedly say says said state states stated according report reports reported believe believes believed think thinks thought hope hopes expect expects expected suppose supposed assume assuming may might could would should can " +
      "propose proposed proposes suggest suggested suggests plan plans planned intend intends rumour rumours rumor doubt doubts doubtful unlikely possibly perhaps maybe only subject condition otherwise else than draft former formerly that",
  },
  de: {
    free: "der die das den dem des ein eine einen einem einer eines",
    definite: "der die das den dem des",
    of: "",
    present: "ist sind",
    past: "war waren",
    perfect: "hat haben",
    pluperfect: "hatte hatten",
    passive: "wird werden",
    "past-passive": "wurde wurden",
    silent: "worden gewesen",
    by: "von durch",
    time: "an in ab seit bis vor nach zu",
    endings: "e en n s es er em ns",
    contractions: "zum/zu zur/zu im/in am/an vom/von beim/bei ins/in ans/an",
    yes: "ja",
    connectives: "jedoch ferner ausserdem zudem daher somit hiermit allerdings",
    coordinators: "und aber wahrend",
    scopes:
      "wenn falls sofern soweit ob ausser ausgenommen bis ohne nicht kein keine keinen keinem keiner nie niemals weder noch falsch unwahr bestreitet bestritt leugnet behauptet behauptete angeblich vermeintlich sagt sagte laut zufolge gemass " +
      "meint meinte glaubt glaubte hofft erwartet vermutet kann konnte konnten sollte sollten soll sollen durfte würde würden hätte hätten wäre wären konne vorschlag schlagt plant geplant beabsichtigt zweifelt zweifelhaft vielleicht moglicherweise vermutlich nur bedingung vorbehaltlich andernfalls sonst als entwurf ehemals fruher dass",
  },
  fr: {
    free: "le la les l un une des du de d",
    definite: "le la les l",
    of: "du de d des",
    present: "est sont",
    past: "etait etaient fut furent",
    perfect: "a ont",
    pluperfect: "avait avaient",
    silent: "ete",
    by: "par",
    time: "en depuis avant apres à",
    endings: "e s es x",
    contractions: "au/à aux/à",
    yes: "oui",
    connectives: "cependant toutefois donc ainsi egalement aussi",
    coordinators: "et mais tandis alors",
    scopes:
      "si sauf excepte hormis lorsque quand sans ne n pas jamais aucun aucune ni faux fausse nie nient affirme affirment pretend pretendent pretendument dit disent selon d'apres croit pense espere suppose attend peut peuvent pourrait pourraient devrait devraient " +
      "propose prevoit prevu envisage doute peut-etre eventuellement seulement uniquement que qu condition reserve sinon autrement projet ancien ancienne jusqu",
  },
  es: {
    free: "el la los las lo un una unos unas de del",
    definite: "el la los las",
    of: "de del",
    present: "es son está están",
    past: "era eran fue fueron estaba estaban",
    perfect: "ha han",
    pluperfect: "habia habian",
    silent: "sido estado",
    by: "por",
    time: "el en desde hasta antes despues a",
    endings: "s es a o as os",
    contractions: "al/a",
    yes: "sí",
    connectives: "ademas asimismo tambien",
    coordinators: "y pero mientras",
    scopes:
      "si salvo excepto cuando sin no nunca jamas ningun ninguna ni falso falsa niega niegan nego afirma afirman afirmo alega supuestamente presunto presuntamente dice dicen dijo segun cree creen espera supone puede pueden podria podrian deberia deberian " +
      "propone preve previsto planea duda quiza quizas tal posiblemente solo solamente unicamente que condicion contrario borrador antiguo antigua hasta",
  },
  it: {
    free: "il lo la i gli le l un uno una di del dello della dei degli delle dell d",
    definite: "il lo la i gli le l",
    of: "di del dello della dei degli delle dell d",
    present: "è sono",
    past: "era erano fu furono",
    perfect: "ha hanno",
    pluperfect: "aveva avevano",
    silent: "stato stata stati state",
    by: "da",
    time: "in da fino prima dopo entro a",
    endings: "a o e i",
    contractions:
      "al/a allo/a alla/a all/a ai/a agli/a alle/a dal/da dallo/da dalla/da dall/da dai/da dagli/da dalle/da nel/in nello/in nella/in nell/in nei/in negli/in nelle/in sul/su sullo/su sulla/su sull/su sui/su sugli/su sulle/su",
    yes: "sì",
    connectives: "inoltre tuttavia pertanto anche",
    coordinators: "ed ma mentre",
    scopes:
      "se salvo eccetto tranne quando senza non mai nessun nessuna ne falso falsa nega negano afferma affermano sostiene sostengono presunto presumibilmente dice dicono secondo crede pensa spera suppone puo possono potrebbe potrebbero dovrebbe dovrebbero " +
      "propone prevede previsto intende dubbio dubita forse eventualmente solo soltanto unicamente che condizione altrimenti bozza ex fino purche qualora",
  },
  nl: {
    free: "de het een van",
    definite: "de het",
    of: "van",
    present: "is zijn",
    past: "was waren",
    perfect: "heeft hebben",
    pluperfect: "had hadden",
    passive: "wordt worden",
    "past-passive": "werd werden",
    silent: "geweest",
    by: "door",
    time: "op in vanaf sinds tot voor na per",
    endings: "e s en n",
    yes: "ja",
    connectives: "echter bovendien daarom tevens ook hierbij",
    coordinators: "en maar terwijl",
    scopes:
      "als indien tenzij wanneer mits behalve uitgezonderd tot zonder niet geen nooit noch onwaar onjuist ontkent ontkende beweert beweerde vermeend vermoedelijk zegt zei volgens gelooft denkt hoopt verwacht kan kunnen zou zouden mag " +
      "stelt voorstel plant gepland overweegt twijfelt misschien mogelijk eventueel alleen slechts enkel dat of voorwaarde anders dan concept voormalig voormalige",
  },
  pt: {
    free: "o a os as um uma uns umas de do da dos das",
    definite: "o a os as",
    of: "de do da dos das",
    present: "é sao está estao",
    past: "era eram foi foram estava estavam",
    perfect: "tem ha",
    pluperfect: "tinha tinham havia",
    silent: "sido estado",
    by: "por",
    time: "em desde ate antes depois a",
    endings: "s es a o as os",
    contractions: "ao/a aos/a à/a às/a no/em na/em nos/em nas/em pelo/por pela/por pelos/por pelas/por",
    yes: "sim",
    connectives: "contudo ademais tambem portanto",
    coordinators: "e mas enquanto",
    scopes:
      "se salvo exceto quando sem nao nunca jamais nenhum nenhuma nem falso falsa nega negam negou afirma afirmam afirmou alega alegadamente suposto supostamente diz dizem disse segundo acredita espera supoe pode podem poderia poderiam deveria deveriam " +
      "propoe preve previsto planeia planeja duvida talvez possivelmente so somente apenas unicamente que condicao contrario rascunho antigo antiga ate desde caso",
  },
};

const tenses: readonly Tense[] = ["present", "past", "perfect", "pluperfect", "passive", "past-passive"];

const grammarOf = (given: Lists): Grammar => ({
  free: new Set(wordsOf(given.free)),
  definite: new Set(wordsOf(given.definite)),
  of: new Set(wordsOf(given.of)),
  auxiliaries: new Map(
    tenses.flatMap((tense) => wordsOf(given[tense] ?? "").map((word): [string, Tense] => [word, tense])),
  ),
  silent: new Set(wordsOf(given.silent)),
  by: new Set(wordsOf(given.by)),
  timePrepositions: new Set(wordsOf(given.time)),
  endings: new Set(["", ...wordsOf(given.endings)]),
  yes: given.yes,
  contractions: new Map(wordsOf(given.contractions ?? "").map((pair) => pair.split("/") as [string, string])),
  connectives: new Set(wordsOf(given.connectives)),
  coordinators: new Set(wordsOf(given.coordinators)),
  scopes: new Set(wordsOf(given.scopes)),
});

export const byLanguage = <T>(make: (language: JudgedLanguage) => T): Readonly<Record<JudgedLanguage, T>> => ({
  en: make("en"),
  de: make("de"),
  fr: make("fr"),
  es: make("es"),
  it: make("it"),
  nl: make("nl"),
  pt: make("pt"),
});

export const grammars = byLanguage((language) => grammarOf(lists[language]));
