/**
 * Phrases that open a question, folded, by the kind of answer that they ask for. The first phrase
 * in a question decides. If several start at the same position, the longest one decides.
 */
import type { PhraseLists } from "../../../language/question-languages.ts";

export type QuestionKind =
  | "person"
  | "time"
  | "count"
  | "money"
  | "place"
  | "reason"
  | "manner"
  | "definition"
  | "list"
  | "yesno"
  | "which";

export const questionWords: Readonly<Record<QuestionKind, PhraseLists>> = {
  person: {
    en: "who, whom, whose, by whom, who is, who was",
    fr: "qui, qui est, par qui, de qui, a qui, qui est-ce qui",
    de: "wer, wen, wem, wessen, von wem, durch wen",
    es: "quien, quienes, de quien, por quien, a quien",
    it: "chi, di chi, da chi, a chi",
    nl: "wie, wiens, van wie, door wie",
    pt: "quem, de quem, por quem, a quem",
    ru: "кто, кого, кому, кем, ком, чей, чья, чье, чьи",
    ar: "من, من هو, من هي, من الذي, من التي, لمن",
    zh: "谁, 哪位, 何人, 什么人, 哪个人",
  },
  time: {
    en: "when, since when, until when, how long ago, what year, which year, what date, what time, what day, what month, what century",
    fr: "quand, depuis quand, jusqu'a quand, en quelle annee, quelle annee, a quelle date, quelle date, quel jour, quel mois, quel siecle, a quel moment, a quelle epoque",
    de: "wann, seit wann, bis wann, in welchem jahr, welches jahr, an welchem tag, welches datum, in welchem monat, in welchem jahrhundert, zu welcher zeit",
    es: "cuando, desde cuando, hasta cuando, en que ano, que ano, en que fecha, que fecha, que dia, que mes, que siglo, en que momento",
    it: "quando, da quando, fino a quando, in che anno, in quale anno, che anno, in quale data, che giorno, quale mese, quale secolo",
    nl: "wanneer, sinds wanneer, tot wanneer, in welk jaar, welk jaar, op welke datum, welke datum, welke dag, welke maand, welke eeuw",
    pt: "quando, desde quando, ate quando, em que ano, que ano, em que data, qual a data, que dia, que mes, que seculo",
    ru: "когда, с каких пор, до каких пор, в каком году, какой год, какого числа, какая дата, в какой день, в каком месяце, в каком веке",
    ar: "متي, منذ متي, حتي متي, في اي عام, في اي سنه, اي عام, في اي تاريخ, ما هو تاريخ, في اي يوم, في اي شهر, في اي قرن",
    zh: "什么时候, 何时, 几时, 哪一年, 哪年, 哪天, 哪一天, 哪个月, 几月, 几号, 什么时间, 什么日期, 多久以前, 哪个世纪",
  },
  count: {
    en: "how many, how much, how old, how long, how far, how tall, how high, how large, how big, how deep, how wide, how fast, how often, how heavy, what percentage, what percent, what number, what amount",
    fr: "combien, combien de, quel nombre, quel pourcentage, quel age, quelle quantite, quelle part",
    de: "wie viel, wie viele, wie vielen, wieviel, wieviele, wie alt, wie lang, wie lange, wie weit, wie hoch, wie gross, wie tief, wie breit, wie schnell, wie oft, wie schwer, wie haufig, welche anzahl, welcher anteil",
    es: "cuanto, cuanta, cuantos, cuantas, que cantidad, que porcentaje, que numero, cuantas veces, que edad",
    it: "quanto, quanta, quanti, quante, quale percentuale, che percentuale, che eta",
    nl: "hoeveel, hoe veel, hoe oud, hoe lang, hoe ver, hoe hoog, hoe groot, hoe diep, hoe breed, hoe snel, hoe vaak, hoe zwaar, welk percentage",
    pt: "quanto, quanta, quantos, quantas, que quantidade, que percentagem, que porcentagem, que numero, que idade",
    ru: "сколько, какое количество, какой процент, как долго, как часто, как далеко, какова численность",
    ar: "كم, كم عدد, ما عدد, ما هو عدد, كم مره, كم نسبه, ما نسبه, ما هي نسبه",
    zh: "多少, 几个, 几次, 几名, 几位, 几种, 几年, 几场, 几分, 多长, 多久, 多大, 多远, 多高, 多深, 多快, 多宽, 几, 百分之几",
  },
  money: {
    en: "how much money, how much does, how much did, how much was paid, what price, what cost, how expensive",
    fr: "combien coute, combien coutent, combien a coute, quel prix, quel montant, quel est le prix, quel est le montant",
    de: "wie teuer, was kostet, was kosten, was kostete, wie viel kostet, wie viel kostete, wie viel geld, welcher betrag, welcher preis",
    es: "cuanto cuesta, cuanto costo, cuanto dinero, que precio, cuanto vale",
    it: "quanto costa, quanto e costato, quanto denaro, che prezzo, quale prezzo",
    nl: "hoe duur, wat kost, wat kostte, hoeveel kost, hoeveel geld, welke prijs",
    pt: "quanto custa, quanto custou, quanto dinheiro, que preco, qual o preco",
    ru: "сколько стоит, сколько стоил, сколько стоила, сколько стоило, сколько денег, какая цена, какова цена",
    ar: "كم يكلف, كم تكلف, كم بلغت تكلفه, كم تكلفه, ما سعر, ما هو سعر",
    zh: "多少钱, 多少元, 多少美元, 多少欧元, 什么价格",
  },
  place: {
    en: "where, from where, to where, in what city, in which city, in what country, in which country",
    fr: "ou, d'ou, par ou, dans quelle ville, dans quel pays, a quel endroit, dans quelle region",
    de: "wo, wohin, woher, in welcher stadt, in welchem land, an welchem ort",
    es: "donde, adonde, de donde, en que ciudad, en que pais, en que lugar",
    it: "dove, da dove, di dove, in quale citta, in che citta, in quale paese",
    nl: "waar, waarheen, waarvandaan, in welke stad, in welk land, op welke plaats",
    pt: "onde, aonde, de onde, em que cidade, em que pais, em que lugar",
    ru: "где, куда, откуда, в каком городе, в какой стране, в каком месте",
    ar: "اين, من اين, الي اين, في اي مدينه, في اي بلد, في اي مكان",
    zh: "哪里, 哪儿, 何地, 何处, 什么地方, 哪个地方, 哪个城市, 哪个国家",
  },
  reason: {
    en: "why, for what reason, what is the reason, what was the reason, what caused, what causes",
    fr: "pourquoi, pour quelle raison, pour quelles raisons, quelle est la raison, quelle est la cause",
    de: "warum, weshalb, wieso, weswegen, aus welchem grund, was ist der grund, was war der grund",
    es: "por que, por que razon, cual es la razon, cual fue la razon, cual es la causa",
    it: "perche, per quale motivo, per quale ragione, come mai, qual e il motivo",
    nl: "waarom, om welke reden, wat is de reden",
    pt: "por que, porque, por qual razao, qual e a razao, qual o motivo",
    ru: "почему, зачем, по какой причине, какова причина, отчего",
    ar: "لماذا, لم, ما سبب, ما هو سبب, ما هو السبب",
    zh: "为什么, 为何, 什么原因, 原因是什么",
  },
  manner: {
    en: "how, in what way, by what means",
    fr: "comment, de quelle maniere, de quelle facon",
    de: "wie, auf welche weise, wodurch, womit",
    es: "como, de que manera, de que forma",
    it: "come, in che modo, in quale modo",
    nl: "hoe, op welke manier",
    pt: "como, de que forma, de que maneira",
    ru: "как, каким образом, каким способом",
    ar: "كيف, باي طريقه",
    zh: "怎么, 怎样, 如何, 怎么样",
  },
  definition: {
    en: "what is a, what is an, what are, what does it mean, define, definition of, what is meant by, what is the meaning of, what is the definition of",
    fr: "qu'est-ce que, qu'est-ce qu'un, qu'est-ce qu'une, qu'est ce que, que signifie, quelle est la definition, definition de, c'est quoi",
    de: "was ist ein, was ist eine, was sind, was bedeutet, was versteht man unter, was heisst, definition von, definiere",
    es: "que es un, que es una, que son, que significa, definicion de, define, cual es la definicion",
    it: "che cos'e, cos'e, che cosa e, cosa sono, cosa significa, definizione di, che cosa significa",
    nl: "wat is een, wat zijn, wat betekent, definitie van, wat wordt bedoeld met",
    pt: "o que e, o que sao, o que significa, que significa, definicao de, define",
    ru: "что такое, что значит, что означает, определение",
    ar: "ما معني, ما هو تعريف, ما تعريف, ماذا يعني",
    zh: "什么是, 是什么意思, 的定义",
  },
  list: {
    en: "list, name the, name all, enumerate, what are the, which are the, what were the",
    fr: "quels sont, quelles sont, quels etaient, quelles etaient, enumerez, listez, citez, liste des, liste les",
    de: "welche sind, was sind die, nenne, nennen sie, liste, zahle auf, zahlen sie auf",
    es: "cuales son, cuales fueron, cuales eran, enumere, enumera, liste, lista de, mencione",
    it: "quali sono, quali erano, quali furono, elenca, elencare, elenco",
    nl: "welke zijn, wat zijn de, noem de, noem, som op, lijst",
    pt: "quais sao, quais foram, quais eram, liste, enumere, lista de",
    ru: "перечислите, перечисли, назовите, назови, какие, список",
    ar: "اذكر, عدد, ما هي, قائمه",
    zh: "列出, 列举, 有哪些, 哪些",
  },
  yesno: {
    en: "is, are, was, were, do, does, did, can, could, has, have, had, will, would, should, may, must, is there, are there",
    fr: "est-ce que, est ce que, est-il, est-elle, est-ce, sont-ils, sont-elles, y a-t-il, a-t-il, a-t-elle, ont-ils, peut-on, doit-on, faut-il, existe-t-il",
    de: "ist, sind, war, waren, hat, haben, hatte, wird, werden, wurde, wurden, kann, konnen, darf, muss, soll, gibt es, gab es",
    es: "es, son, era, fue, fueron, esta, estan, hay, tiene, tienen, puede, pueden, debe, ha, han, existe",
    it: "e, sono, era, fu, c'e, ci sono, ha, hanno, puo, possono, deve, esiste",
    nl: "is, zijn, was, waren, heeft, hebben, wordt, worden, werd, kan, kunnen, mag, moet, bestaat, zijn er, is er",
    pt: "e, sao, era, foi, foram, esta, estao, ha, tem, pode, podem, deve, existe",
    ru: "есть ли, является ли, был ли, была ли, было ли, были ли, может ли, можно ли, нужно ли, существует ли, правда ли",
    ar: "هل",
    zh: "是否, 吗, 是不是, 有没有, 能不能, 可不可以",
  },
  which: {
    en: "what, which",
    fr: "comment s'appelle, comment s'appelait, comment se nomme, comment appelle-t-on, quel, quelle, quels, quelles, que, quoi, qu'est-ce qui, lequel, laquelle, lesquels, lesquelles, qu",
    de: "wie lautet, wie lauten, wie lautete, wie heisst, wie heissen, wie hiess, wie nennt man, was, welche, welcher, welches, welchen, welchem, wofur, woraus, worin, woran, worauf, wonach",
    es: "como se llama, como se llamaba, como se llaman, que, cual, cuales",
    it: "come si chiama, come si chiamava, come si chiamano, che, quale, quali, qual, cosa, che cosa",
    nl: "hoe heet, hoe heten, hoe luidt, hoe noemt men, wat, welke, welk, waarmee, waarin, waarvoor",
    pt: "como se chama, como se chamava, como se chamam, que, qual, quais, o que",
    ru: "как называется, как называлась, как назывался, как называют, как зовут, что, какой, какая, какое, какие, какого, какую, каком, каким, каких, какими, чем, чего, каков, какова, каково, каковы, который, которая",
    ar: "ما, ماذا, ما هو, ما هي, اي, ايه, باي, لاي",
    zh: "什么, 哪个, 哪种, 哪一, 哪, 何",
  },
};
