/**
 * Synonymous phrases, for documents of all industries. Phrases on the same line can replace each
 * other: they have the same tense and are all singular or all plural. They are folded, and the
 * first phrase of a line is the key of all its phrases. Words that are synonyms only in some
 * contexts are left out.
 */
import { phrasesOf, wordsOf } from "../../../language/question-languages.ts";
import { byLanguage, type JudgedLanguage } from "./grammar.ts";

const groups: Record<JudgedLanguage, string> = {
  en: `is, amounts to, comes to, equals, stands at
starts, begins, commences, takes effect, comes into force, enters into force, becomes effective
started, began, commenced, took effect, came into force, entered into force
ends, expires, terminates, runs out
ended, expired, terminated, ran out
must, has to, is required to, is obliged to, needs to
must, have to, are required to, are obliged to, need to
may, is allowed to, is permitted to, is entitled to, has the right to
may, are allowed to, are permitted to, are entitled to, have the right to
can, is able to
cannot, can not, is unable to
must not, is not allowed to, is forbidden to
buy, purchase
bought, purchased
needs, requires
need, require
sends, dispatches
sent, dispatched
shows, displays
repair, fix
repaired, fixed
at least, no less than, not less than, a minimum of
at most, no more than, not more than, up to, a maximum of
no later than, at the latest by
about, approximately, roughly, around, circa, approx
every year, yearly, annually, each year, per year, a year, per annum
every month, monthly, each month, per month, a month
every week, weekly, each week, per week, a week
every day, daily, each day, per day, a day
car, automobile
firm, company
staff, employees
lives, resides
located, situated
employs, has employed
because of, due to, owing to, on account of
besides, in addition to
big, large
biggest, largest
quick, fast
wrote, authored
founded, established, set up
build, construct
built, constructed
get, receive, obtain
gets, receives, obtains
got, received, obtained
gives, provides, supplies
gave, provided
pay back, repay, refund
paid back, repaid, refunded
telephone, phone
fee, charge
mandatory, compulsory, obligatory
prohibited, forbidden, not allowed, not permitted
allowed, permitted
in total, altogether, overall
total, total amount
two weeks, 14 days, fourteen days, a fortnight
one year, 12 months, twelve months
for free, free of charge, at no cost, at no charge
twice, two times
ask for, request
asked for, requested
give notice, cancel
helps, assists
choose, select
chose, selected
keep, retain
via, by means of
except, excepting, with the exception of`,
  de: `ist, betragt, lautet, belauft sich auf
beginnt, fangt an, startet, tritt in kraft
begann, fing an, startete, trat in kraft
endet, lauft ab, lauft aus
endete, lief ab, lief aus
muss, ist verpflichtet
mussen, sind verpflichtet
darf, ist berechtigt, ist befugt
durfen, sind berechtigt, sind befugt
mindestens, wenigstens, nicht weniger als
hochstens, maximal, nicht mehr als, bis zu
etwa, ungefahr, circa, ca, rund
jahrlich, pro jahr, jedes jahr
monatlich, pro monat, jeden monat, im monat
wochentlich, pro woche, in der woche, jede woche
taglich, pro tag, am tag, jeden tag
wohnt, lebt
erhalt, bekommt
erhalten, bekommen
kaufte, erwarb
grundete, rief ins leben
insgesamt, in summe
kostenlos, kostenfrei, gratis, unentgeltlich, umsonst
benotigt, braucht
benotigen, brauchen
befindet sich, liegt
wegen, aufgrund
weil, da
unternehmen, firma
mitarbeiter, beschaftigte
verboten, untersagt, nicht gestattet, nicht erlaubt
erlaubt, gestattet, zulassig
rechnungsbetrag, betrag der rechnung
rechnungsnummer, nummer der rechnung
kundennummer, nummer des kunden
rechnungsdatum, datum der rechnung
kundigungsfrist, frist fur die kundigung
versandt, verschickt, versendet
repariert, instand gesetzt
zweimal, zwei mal
telefonnummer, rufnummer
auto, pkw
grosste, grosster
beschadigt, schadhaft
ausser, ausgenommen, mit ausnahme von`,
  fr: `est, s eleve à, est de, est fixe à, se monte à
commence, debute, entre en vigueur, prend effet
a commence, a debute, est entre en vigueur, a pris effet
se termine, prend fin, expire, s acheve
doit, est tenu de, est oblige de, est tenue de
doivent, sont tenus de, sont obliges de
peut, a le droit de, est autorise à
peuvent, ont le droit de, sont autorises à
au moins, au minimum
au plus, au maximum, maximum, jusqu à
environ, approximativement, à peu pres
par an, annuellement, chaque annee, tous les ans
par mois, mensuellement, chaque mois, tous les mois
par semaine, chaque semaine, toutes les semaines
par jour, chaque jour, tous les jours
habite, reside
recoit, obtient
achete, acquiert
a achete, a acquis
fonde, cree
gratuit, sans frais
gratuitement, sans frais
en raison de, à cause de
parce que, car
societe, entreprise
employes, salaries
interdit, prohibe
autorise, permis
se trouve, est situe, est situeee
au total, en tout
deux fois, à deux reprises
voiture, automobile
au plus tard, dernier delai
necessite, requiert, exige
obligatoire, imperatif
sauf, excepte, hormis, a l exception de`,
  es: `es, asciende a, es de, se eleva a, equivale a
comienza, empieza, inicia, entra en vigor
comenzo, empezo, inicio, entro en vigor
termina, finaliza, vence, expira, acaba
debe, tiene que, está obligado a, ha de
deben, tienen que, están obligados a, han de
puede, tiene derecho a, está autorizado a
pueden, tienen derecho a, están autorizados a
al menos, como minimo, por lo menos
como maximo, a lo sumo, no mas de, hasta un maximo de
aproximadamente, unos, cerca de, alrededor de
al ano, cada ano, anualmente, por ano
al mes, cada mes, mensualmente, por mes
a la semana, cada semana, semanalmente, por semana
al dia, cada dia, diariamente, por dia
vive, reside
recibe, obtiene
compro, adquirio
fundo, creo
gratuito, gratis, sin coste, sin costo
debido a, a causa de, por causa de
empresa, compania
empleados, trabajadores
prohibido, no permitido
permitido, autorizado
se encuentra, está situado, está situada, está ubicado, está ubicada
en total, en conjunto
dos veces, en dos ocasiones
coche, automovil
necesita, requiere, precisa
obligatorio, preceptivo
a mas tardar, como muy tarde
salvo, excepto, a excepcion de`,
  it: `è, ammonta a, è di, è pari a, corrisponde a
inizia, comincia, entra in vigore, decorre
termina, finisce, scade, cessa
deve, è tenuto a, è obbligato a, è tenuta a
devono, sono tenuti a, sono obbligati a
puo, ha il diritto di, è autorizzato a
possono, hanno il diritto di, sono autorizzati a
almeno, come minimo, non meno di
al massimo, non oltre, non piu di
circa, approssimativamente, all incirca
all anno, ogni anno, annualmente, annuo
al mese, ogni mese, mensilmente
alla settimana, ogni settimana, settimanalmente
al giorno, ogni giorno, quotidianamente
abita, risiede, vive
riceve, ottiene
ha comprato, ha acquistato
fondo, creo
gratuito, gratis, senza costi
a causa di, per via di
azienda, impresa, societa
dipendenti, lavoratori
vietato, proibito, non consentito
consentito, permesso
si trova, è situato, è situata, è ubicato, è ubicata
in totale, complessivamente
due volte, in due occasioni
auto, automobile, macchina
richiede, necessita
entro e non oltre, al piu tardi
salvo, eccetto, tranne, ad eccezione di`,
  nl: `is, bedraagt, luidt, komt uit op
begint, start, gaat in, treedt in werking
begon, startte, ging in, trad in werking
eindigt, loopt af, verloopt
moet, is verplicht
moeten, zijn verplicht
mag, heeft het recht, is gerechtigd
mogen, hebben het recht, zijn gerechtigd
minstens, ten minste, minimaal, tenminste, niet minder dan
hoogstens, ten hoogste, maximaal, niet meer dan
ongeveer, circa, ca, rond
per jaar, jaarlijks, elk jaar, ieder jaar
per maand, maandelijks, elke maand, iedere maand
per week, wekelijks, elke week, iedere week
per dag, dagelijks, elke dag, iedere dag
woont, verblijft
ontvangt, krijgt
ontvangen, krijgen
kocht, schafte aan
richtte op, stichtte
gratis, kosteloos, zonder kosten
vanwege, wegens
omdat, doordat
bedrijf, onderneming, firma
medewerkers, werknemers
verboden, niet toegestaan, niet geoorloofd
toegestaan, geoorloofd
bevindt zich, ligt, is gelegen
in totaal, alles bij elkaar
twee keer, tweemaal
heeft nodig, vereist
verplicht, vereist
uiterlijk, niet later dan
behalve, uitgezonderd, met uitzondering van`,
  pt: `é, é de, ascende a, corresponde a, equivale a
comeca, inicia, entra em vigor, tem inicio
comecou, iniciou, entrou em vigor, teve inicio
termina, acaba, expira, cessa
deve, tem de, tem que, é obrigado a
devem, tem de, sao obrigados a
pode, tem o direito de, está autorizado a, tem direito a
podem, tem direito a, estão autorizados a
pelo menos, no minimo
no maximo, ate um maximo de, nao mais de
aproximadamente, cerca de, por volta de
por ano, anualmente, cada ano, todos os anos
por mes, mensalmente, cada mes, todos os meses
por semana, semanalmente, cada semana, todas as semanas
por dia, diariamente, cada dia, todos os dias
mora, reside, vive
recebe, obtem
comprou, adquiriu
fundou, criou
gratuito, gratis, sem custos
devido a, por causa de
empresa, companhia
empregados, funcionarios, trabalhadores
proibido, nao permitido
permitido, autorizado
fica, situa se, localiza se, está situado, está situada, está localizado, está localizada
no total, ao todo
duas vezes, em duas ocasioes
carro, automovel
precisa, necessita, requer
obrigatorio, imperativo
o mais tardar, no mais tardar
salvo, exceto, com excecao de`,
};

export interface SynonymPhrase {
  words: readonly string[];
  /** Key that the phrase and its synonyms share. */
  key: string;
}

/** Phrases by their first word. The longest phrases come first. */
export const phrasesByFirstWord = byLanguage(
  (language): ReadonlyMap<string, readonly SynonymPhrase[]> => indexed(groups[language]),
);

function indexed(text: string): Map<string, SynonymPhrase[]> {
  const phrases = text.split("\n").flatMap((line) => {
    const [key = "", ...others] = phrasesOf(line);
    return [key, ...others].map((phrase): SynonymPhrase => ({ words: wordsOf(phrase), key }));
  });
  const byFirst = new Map<string, SynonymPhrase[]>();
  for (const phrase of phrases.toSorted((a, b) => b.words.length - a.words.length)) {
    const [first = ""] = phrase.words;
    byFirst.set(first, [...(byFirst.get(first) ?? []), phrase]);
  }
  return byFirst;
}
