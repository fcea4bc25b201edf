/**
 * Words of a question that do not help to find its answer: articles, pronouns, prepositions,
 * auxiliaries, and polite phrases ("tell me", "pouvez-vous"). They are folded: lower case, without
 * accents. They also serve to detect the language of a question.
 */
import type { WordLists } from "./question-languages.ts";

export const stopWords: WordLists = {
  en:
    "a an the this that these those there here it its he she they them him his her hers their theirs we us our you your i me my of in on at by for from to into onto with within " +
    "without about as than then so and or but nor if is are was were be been being am do does did doing done has have had having can could will would shall should may might must " +
    "what which who whom whose when where why how much many often long s t not no also any some such only own same too very just one ones please tell give show find explain describe know " +
    "let want need like according document documents file files corpus text passage say says said mention mentioned mentions called name names kind type sort used use",
  fr:
    "le la les l un une des du de d au aux ce cet cette ces c cela ca il elle ils elles on nous vous je j me m te t se s y en lui leur leurs son sa ses notre nos votre vos mon ma mes " +
    "dans sur sous par pour avec sans chez vers entre depuis pendant comme que qu qui quoi dont ou quand comment pourquoi combien quel quelle quels quelles lequel laquelle lesquels lesquelles " +
    "et mais donc or ni car si ne n pas plus est sont etait etaient ete etre sera seront soit fut furent a ont avait avaient avoir aura auront eu fait faire font peut peuvent pouvait pouvez doit doivent " +
    "tres aussi meme tout tous toute toutes selon document documents fichier texte donnez moi dites indiquez expliquez decrivez appelle appele appelee nom est-ce",
  de:
    "der die das den dem des ein eine einen einem einer eines kein keine dieser diese dieses diesem diesen jener er sie es ihn ihm ihr ihre ihrer ihren ihrem sein seine seiner seinen seinem wir uns unser ich mich mir mein du dich man sich " +
    "in im an am auf aus bei beim von vom zu zum zur mit nach vor uber unter durch fur gegen ohne um bis seit wahrend als wie wenn dass ob und oder aber denn weil so da dort hier " +
    "ist sind war waren wird werden wurde wurden worden sei gewesen hat haben hatte hatten kann konnen konnte konnten muss mussen soll sollen sollte darf durfen mochte will wollen gibt gab tut macht machte " +
    "was wer wen wem wessen wann wo wohin woher warum weshalb wieso wieviel viel viele vielen welche welcher welches welchen welchem wofur womit wodurch woraus worin " +
    "nicht auch nur noch schon sehr bitte nenne nennen sag sage zeig erklare beschreibe laut dokument dokumente datei text heisst genannt name namen lautet lauten hoch betragt",
  es:
    "el la los las lo un una unos unas este esta estos estas ese esa eso esto aquel ello su sus se le les me te nos os yo tu mi mis nuestro nuestra vuestro usted ustedes ellos ellas " +
    "de del a al en por para con sin sobre entre hasta desde hacia segun durante como que quien quienes cual cuales cuando donde adonde porque cuanto cuanta cuantos cuantas cuan " +
    "y e o u ni pero si no es son era eran fue fueron ser sido siendo sera seran esta estan estaba estaban estar ha han habia habian haber hay hubo tiene tienen tenia tuvo tener puede pueden podia debe deben hace hizo hacer " +
    "muy mas tambien ya solo todo toda todos todas documento documentos archivo texto diga dime indique explique describa llama llamaba nombre tipo",
  it:
    "il lo la i gli le l un uno una questo questa questi queste quello quella quelli quelle esso essa essi suo sua suoi sue loro noi voi io tu lui lei mi ti si ci vi ne " +
    "di del dello della dei degli delle d a al allo alla ai agli alle da dal dallo dalla dai dagli dalle in nel nello nella nei negli nelle su sul sulla sui sulle con per tra fra senza verso come che chi cui " +
    "quando dove perche quanto quanta quanti quante quale quali qual cosa e ed o ma se non anche piu molto solo tutto tutti tutte " +
    "sono era erano fu furono essere stato stata stati state sara saranno ha hanno aveva avevano avere ebbe puo possono deve devono fa fare viene vengono venne documento documenti file testo dimmi indica spiega descrivi chiama nome tipo",
  nl:
    "de het een dit dat deze die er hij zij ze hem haar hun hen zijn wij we ons onze ik mij me mijn jij je jou jouw u uw men zich " +
    "in op aan bij van voor met zonder naar uit over onder door tegen om tot sinds tijdens als dan en of maar want omdat zo daar hier te ter ten " +
    "is was waren wordt worden werd werden geworden geweest heeft hebben had hadden kan kunnen kon konden moet moeten mag mogen zal zullen zou wil doet doen deed gaf geeft " +
    "wat wie wiens wanneer waar waarom hoe hoeveel welk welke waarin waarmee waarvoor niet geen ook alleen al zeer veel alstublieft noem geef zeg vertel leg document documenten bestand tekst heet heette naam soort",
  pt:
    "o a os as um uma uns umas este esta estes estas esse essa isso isto aquele aquela ele ela eles elas seu sua seus suas se me te nos vos eu tu meu minha nosso voce voces lhe lhes " +
    "de do da dos das d em no na nos nas num numa por pelo pela pelos pelas para com sem sobre entre ate desde segundo durante como que quem qual quais quando onde porque quanto quanta quantos quantas " +
    "e ou mas nem se nao sim ja so muito mais tambem todo toda todos todas foi foram era eram ser sido sendo sera serao sao esta estao estava estar ha havia houve ter tem tinha teve pode podem deve devem faz fez fazer " +
    "documento documentos arquivo ficheiro texto diga indique explique descreva chama chamava nome tipo",
  ru:
    "и в во на с со к ко у о об от до из за по для без под над при про через между перед а но или ли же бы не ни да что как так это этот эта эти этого этой этом этих тот та те того той тем " +
    "он она оно они его ее их ему ей им нам вам нас вас мы вы я ты мне меня мой моя свой своя свои своего кто кого кому кем ком чей чья что чего чему чем когда где куда откуда почему зачем сколько какой какая какое какие какого какой каком каким каких какую каков который которая которое которые которого которой котором которую которых " +
    "был была было были быть есть будет будут является являются являлся являлась мог могла могли может могут должен должна также только очень уже еще все всех всего после документ документе документы файл текст скажи назови укажите объясните опишите называется называлось назывался имя тип",
  ar:
    "في من الى على عن مع هو هي هم هن هذا هذه هولاء ذلك تلك التي الذي الذين اللذين اللاتي ما ماذا متي اين كيف لماذا لم كم من اي ايه هل و او ثم ان انه انها كان كانت كانوا يكون تكون قد لا لن ليس ليست " +
    "بين بعد قبل عند عندما حيث كل بعض غير الا منذ حول خلال بواسطه به بها له لها فيه فيها منه منها عليه عليها تم يتم كما ايضا اسم نوع المستند الوثيقه النص اذكر اشرح يسمي تسمي",
  zh:
    "的 了 是 在 和 与 或 及 也 都 就 而 被 把 对 从 到 向 于 以 为 由 有 没有 不 这 那 这个 那个 这些 那些 他 她 它 他们 她们 它们 其 我 你 您 我们 吗 呢 吧 啊 之 所 着 过 地 得 " +
    "什么 甚么 谁 哪 哪个 哪些 哪里 哪儿 哪位 何 何时 何地 多少 几 怎么 怎样 如何 为什么 为何 什么时候 什么样 请 请问 告诉 说明 解释 文件 文档 文本 根据 叫 叫做 称为 名字 名称 一个 种 个 了吗 曾 曾经 会 能 可以 进行 使用 哪种 哪一 哪年 多久 多长 多大 是否",
};
