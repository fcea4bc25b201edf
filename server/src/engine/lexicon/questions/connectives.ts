/**
 * Words that refer to something mentioned before, words for reasons, and forms of "to be". They are
 * folded, in all languages.
 */
import { wordsOf } from "../../../language/question-languages.ts";

/**
 * Words that refer to something mentioned before, such as "he". A sentence that starts with such a
 * word cannot be understood without the sentence before it.
 */
export const pointers: ReadonlySet<string> = new Set(
  wordsOf(
    "he she it they this these those that his her its their both such there here thus therefore then " +
      "il elle ils elles ce cet cette ces cela celui celle ceux celles son sa ses leur leurs ainsi " +
      "er sie es dieser diese dieses diesem diesen dies sein seine seinen ihr ihre ihren damit dabei dadurch dazu " +
      "el ella ellos ellas este esta estos estas esto ese esa esos eso su sus asi " +
      "lui lei esso essa essi questo questa questi queste quello quella suo sua loro cosi " +
      "hij zij ze het dit dat deze die zijn haar hun daarmee " +
      "ele ela eles elas isto isso esses essas seu sua seus suas assim " +
      "он она оно они это этот эта эти его ее их такой такая такие там тогда " +
      "هو هي هم هذا هذه ذلك تلك هولاء وهو وهي وهذا 他 她 它 他们 她们 它们 这 这些 那 该 其 此",
  ),
);

export const reasonWords: ReadonlySet<string> = new Set(
  wordsOf(
    "because since due cause caused causes reason reasons therefore thus order owing result hence so enable allow prevent avoid " +
      "car parce puisque cause causes raison raisons grace afin donc pour suite effet " +
      "weil da denn wegen grund grunde aufgrund deshalb daher darum damit um folge " +
      "porque pues debido causa causas razon razones gracias para consecuencia " +
      "perche poiche siccome dovuto motivo motivi ragione quindi affinche " +
      "omdat want doordat vanwege reden daardoor daarom zodat " +
      "pois devido razao motivo portanto " +
      "потому поскольку из-за причина причиной причине вследствие чтобы поэтому благодаря так " +
      "لان بسبب لانه لانها نتيجه سبب لذلك كي حيث 因为 因此 由于 所以 导致 原因 以便 为了",
  ),
);

export const copulas: ReadonlySet<string> = new Set(
  wordsOf(
    "is are was were means refers denotes est sont designe signifie etait ist sind bezeichnet bedeutet war es son significa fue e sono significa era zijn betekent foi sao " +
      "это является называется означает هو هي يعني 是 是一 指 指的",
  ),
);
