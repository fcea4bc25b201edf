/**
 * Negations and antonyms, folded. A passage rarely answers a question if the question has a
 * negation and the passage has none, or if the passage has an antonym of a word of the question.
 */
import {
  languages,
  type PhraseLists,
  phrasesOf,
  type WordLists,
  wordsOf,
} from "../../../language/question-languages.ts";

const negationWords: WordLists = {
  en: "not no never none nobody nothing without neither nor cannot t except besides unable fail fails failed failing refuse refused lack lacks lacked lacking instead unlike hardly",
  fr: "ne n pas jamais aucun aucune sans ni sauf excepte hormis personne rien refuse refusa echoue echoua manque",
  de: "nicht kein keine keinen keiner keinem nie niemals niemand nichts ohne weder ausser mangelt fehlt scheiterte verweigerte abgesehen",
  es: "no nunca jamas ningun ninguna ninguno nadie nada sin tampoco ni excepto salvo menos fallo nego carece",
  it: "non mai nessun nessuna nessuno niente nulla senza ne eccetto tranne salvo manca",
  nl: "niet geen nooit niemand niets zonder noch behalve ontbreekt weigerde",
  pt: "nao nunca jamais nenhum nenhuma ninguem nada sem nem exceto salvo falta",
  ru: "не нет никогда никто ничто никакой никакие без ни кроме отсутствует",
  ar: "لا لم لن ليس ليست ليسوا غير بدون دون سوي الا عدم",
  zh: "不 没 没有 不是 从未 无 非 未 除了 并非 不能 不会",
};

/**
 * Groups of antonyms. A slash separates the words of one meaning from those of the opposite
 * meaning.
 */
const oppositeWords: PhraseLists = {
  en:
    "most more greatest largest biggest highest major main leading/least fewer less smallest lowest minor, best/worst, first earliest/last latest final, before prior/after following, increase increased increases grow grew rise rose/decrease decreased decreases decline declined fall fell reduce reduced, " +
    "north northern/south southern, east eastern/west western, men man male boys/women woman female girls, win won victory/lose lost defeat defeated, old older oldest/new newer newest young younger youngest, strong stronger strongest/weak weaker weakest, " +
    "rich richest/poor poorest, begin began start started founded opened/end ended stop stopped closed dissolved, buyer/seller, import imports imported/export exports exported, inside internal/outside external, above over/below under, always/never, allow allowed legal/forbid forbidden ban banned prohibited illegal, common/rare uncommon, positive/negative, upper/lower, support supported/oppose opposed",
  fr: "plus plupart principal principale/moins moindre, meilleur meilleure/pire, premier premiere/dernier derniere, avant/apres, augmente augmentation hausse/diminue diminution baisse, nord/sud, est oriental/ouest occidental, hommes homme masculin/femmes femme feminin, gagne victoire remporte/perd perdu defaite, vieux ancien/nouveau jeune recent, fort forte/faible, riche/pauvre, debut commence/fin termine, acheteur/vendeur, autorise permis/interdit, grand grande/petit petite",
  de: "meisten mehr grosste grossten hochste hochsten/wenigsten weniger geringste kleinste kleinsten niedrigste, beste besten/schlechteste schlechtesten, erste ersten erster/letzte letzten letzter, vor/nach, zunahme stieg erhoht/abnahme sank verringert, norden nordlich/suden sudlich, osten ostlich/westen westlich, manner mann mannlich/frauen frau weiblich, gewann sieg/verlor niederlage, alt alteste/neu neueste jung jungste, stark starkste/schwach schwachste, reich/arm, beginn begann/ende endete, kaufer/verkaufer, erlaubt/verboten",
  es: "mas mayor mayores principal/menos menor menores, mejor/peor, primer primera primero/ultimo ultima, antes/despues, aumento aumentar crecio/disminucion disminuyo bajo, norte/sur, este oriental/oeste occidental, hombres hombre/mujeres mujer, gano victoria/perdio derrota, viejo antiguo/nuevo joven, fuerte/debil, rico/pobre, comienzo inicio/fin final, comprador/vendedor, permitido/prohibido, grande/pequeno",
  it: "piu maggiore maggior principale/meno minore, migliore/peggiore, primo prima/ultimo ultima, prima/dopo, aumento/diminuzione calo, nord/sud, est orientale/ovest occidentale, uomini uomo/donne donna, vinse vittoria/perse sconfitta, vecchio antico/nuovo giovane, forte/debole, ricco/povero, inizio/fine, acquirente/venditore, permesso/vietato, grande/piccolo",
  nl: "meeste meer grootste hoogste/minste minder kleinste laagste, beste/slechtste, eerste/laatste, voor/na, toename steeg/afname daalde, noorden/zuiden, oosten/westen, mannen man/vrouwen vrouw, won overwinning/verloor nederlaag, oud/nieuw jong, sterk/zwak, rijk/arm, begin/einde, koper/verkoper, toegestaan/verboden",
  pt: "mais maior principal/menos menor, melhor/pior, primeiro primeira/ultimo ultima, antes/depois, aumento/diminuicao queda, norte/sul, leste oriental/oeste ocidental, homens homem/mulheres mulher, ganhou venceu vitoria/perdeu derrota, velho antigo/novo jovem, forte/fraco, rico/pobre, inicio/fim, comprador/vendedor, permitido/proibido, grande/pequeno",
  ru: "больше наибольший наибольшее крупнейший самый/меньше наименьший наименьшее, лучший/худший, первый первая первое/последний последняя последнее, до перед/после, увеличение рост/уменьшение снижение, север северный/юг южный, восток восточный/запад западный, мужчины мужчин/женщины женщин, выиграл победа/проиграл поражение, старый/новый молодой, сильный/слабый, богатый/бедный, начало/конец, покупатель/продавец",
  ar: "اكثر اكبر معظم اعلي/اقل اصغر ادني, افضل/اسوا, اول الاول اولي/اخر الاخير, قبل/بعد, زياده ارتفع/انخفاض انخفض, شمال الشمال/جنوب الجنوب, شرق الشرق/غرب الغرب, رجال الرجال/نساء النساء, فاز انتصار/خسر هزيمه, قديم/جديد, قوي/ضعيف, غني/فقير, بدايه/نهايه",
  zh: "最多 最大 最高 更多/最少 最小 最低 更少, 最好/最差, 第一/最后, 之前/之后, 增加/减少, 北部/南部, 东部/西部, 男性 男人/女性 女人, 胜利 赢得/失败 输掉, 最强/最弱, 开始/结束, 买方/卖方",
};

interface Polarity {
  negations: ReadonlySet<string>;
  /** Maps a word to its antonyms. */
  opposites: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Negations and antonyms of each language. */
export const polarities = new Map(
  languages.map((language): [string, Polarity] => [
    language,
    { negations: new Set(wordsOf(negationWords[language])), opposites: oppositesOf(oppositeWords[language]) },
  ]),
);

function oppositesOf(scales: string): Map<string, Set<string>> {
  const opposites = new Map<string, Set<string>>();
  for (const scale of phrasesOf(scales)) {
    const [one = [], other = []] = scale.split("/").map(wordsOf);
    for (const word of one) opposites.set(word, new Set([...(opposites.get(word) ?? []), ...other]));
    for (const word of other) opposites.set(word, new Set([...(opposites.get(word) ?? []), ...one]));
  }
  return opposites;
}
