/**
 * Stop words of questions by ISO 639-1 code: articles, pronouns, auxiliaries, and words such as
 * "what".
 */
const lists: Record<string, string> = {
  en: `
    a about above after again all also although am an and any are as at be because been before being below between both
    but by can could did do does doing down during each either few for from further had has have having he her here hers
    him himself his how i if in into is it its itself just may me might more most much must my no nor not of off on once
    one only or other our out over own per same shall she should since so some such than that the their them then there
    these they this those through thus to too under until up upon us very was we were what when where whether which while
    who whom whose why will with within without would you your many name called s t`,
  de: `
    aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bevor bin bis
    bist da dabei damit dann das dass dem den denn der deren des dessen die dies diese diesem diesen dieser dieses doch
    dort du durch ein eine einem einen einer eines er es etwa etwas fuer für ganz gegen gibt hat hatte hatten haben habe
    hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes
    jedoch kann konnte konnten können kein keine keinem keinen man mehr mein mit muss nach neben nicht nichts noch nun nur
    ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so sobald sollte sollten solche soll sowie über
    um und uns unser unter viel viele vielen vom von vor war waren warum was weil welche welchem welchen welcher welches
    wem wen wenn wer werden wessen wie wieder wieviel wird wo wobei wodurch woher wohin womit worden worin wurde wurden
    während würde zu zum zur zwischen nannte heißt hieß genannt`,
  fr: `
    a à afin ai alors apres après au aucun aussi autre autres aux avaient avait avant avec avoir c ce cela celle celles
    celui ces cet cette ceux chaque chez comme comment contre d dans de depuis des dont donc du elle elles en encore entre
    es est et etait étaient était étant etc ete été être eu eux fait faut font furent fut il ils j je jusqu jusque l la là
    laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais malgré me même mêmes mes moi moins
    mon n ne ni non nos notre nous on ont or ou où par parce parmi pas pendant peu peut peuvent plus plusieurs pour
    pourquoi pu puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si sont sous son sur t ta
    tandis te tel telle telles tels tes toi ton tous tout toute toutes tres très tu un une va vers vos votre vous y
    appelle combien nom`,
  es: `
    a al algo algunas algunos ante antes aquel aquella aquellos así aun aunque cada casi como cómo con contra cual cuál
    cuales cuáles cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto cuantos cuántos cuya cuyo de del desde donde
    dónde dos durante e el él ella ellas ellos en entre era eran es esa esas ese eso esos esta está estaba estaban estas
    este esto estos están fue fueron fuera ha había habían hace hacia han hasta hay la las le les lo los más me mi
    mientras mismo muy nada ni no nos nosotros o os otra otras otro otros para pero poco por porque puede pueden pues que
    qué quien quién quienes quiénes se sea según ser si sí sido sin sobre solo son su sus también tan tanto te tiene
    tienen toda todas todo todos tras tu un una unas uno unos y ya yo llama llamaba nombre`,
  it: `
    a abbia ad agli ai al alla alle allo anche ancora avere aveva avevano c che chi ci come con contro cosa cui da dagli
    dai dal dalla dalle dallo degli dei del della delle dello dentro di dopo dove due e è ed era erano essere fa fino fra
    fu furono gli ha hanno ho i il in io l la le lei lo loro lui ma me mi mia mio molto ne negli nei nel nella nelle nello
    no noi non nostro o ogni per perché più poi possono può prima quale quali quando quanta quante quanti quanto quella
    quelle quelli quello questa queste questi questo qui sarà se sei si sia sono sotto sta stata state stati stato su sua
    sue sugli sui sul sulla sulle sullo suo suoi tra tu tutta tutte tutti tutto un una uno vi voi`,
  pt: `
    a à ao aos aquela aquele aqueles as às até cada com como da das de dela dele deles depois do dos e é ela elas ele eles
    em entre era eram essa esse esta está estão este eu foi foram há isso isto já lhe mais mas me mesmo meu minha muito na
    nas nem no nos nós não num numa o onde os ou para pela pelas pelo pelos pode por porque qual quais quando quanta
    quantas quanto quantos que quê quem se sem ser será seu seus sido só sob sobre sua suas são também te tem têm tinha
    toda todas todo todos tu um uma uns umas você`,
  nl: `
    aan al alle alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus een en er ge geen
    geweest haar had heb hebben heeft hem het hier hij hoe hoeveel hun iemand iets ik in is ja je kan kon kunnen maar me
    meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons ook op over reeds te tegen toch toen tot u
    uit uw van veel voor waar waarom wanneer want waren was wat welk welke werd wezen wie wiens wil worden wordt zal ze
    zelf zich zij zijn zo zonder zou`,
  pl: `
    a aby ale bardzo bez bo być był była było były by ci co czy dla do gdy gdzie i ich ile im iż ja jak jaka jaki jakie
    jako je jego jej jest jeszcze jeśli już kiedy kim kto która które którego której który którzy lub ma mi mnie może na
    nad nam nas nie niego niej nim o od on ona oni ono oraz pan po pod przez przy się są są ta tak także tam te tego tej
    ten to tu tych tylko tym u w we wam was więc wszystko z za ze że`,
  ru: `
    а без более бы был была были было быть в вам вас весь во вот все всё всего всех вы где да даже для до его ее её если
    есть еще ещё же за здесь и из или им их к как какая какие каким какими каких какого какое каком какому какой какую
    когда ко который которая которые которого которой котором которую кто куда ли лишь между меня мне может можно мы на
    над надо нам нас не него нее неё нет ни них но ну о об обо однако он она они оно от очень перед по под после потому
    почему при про с сам свой своего своей своих себя со так также такой там те тем то того тоже той только том тот у уже
    хотя чего чей чем через что чтобы чья эта эти этим этих это этого этой этом этот эту я сколько называется назывался`,
  ar: `
    في من على إلى الى عن مع هذا هذه ذلك تلك هو هي هم هن التي الذي الذين اللذان اللتان ما ماذا متى أين كيف كم لماذا هل أو
    او و ثم كان كانت كانوا يكون تكون قد لقد لم لن لا إن أن ان انه أنه إنه أنها إنها كل بعض بين بعد قبل عند عندما منذ حتى
    حيث كما أي أية اي ايضا أيضا غير فقط لكن ولكن مثل خلال حول ضد تحت فوق بل إذا اذا لدى له لها لهم به بها بهم فيه فيها منه
    منها عليه عليها إليه إليها وهو وهي وكان وكانت ومن وفي بما مما فإن أما اسم يسمى`,
  zh: `
    的 了 是 在 和 与 及 或 有 什么 哪 哪个 哪些 哪里 谁 为 何 为什么 怎么 如何 多少 几 吗 呢 被 把 对 从 到 于 以 其 这 那 这个 那个 他 她 它 他们 它们 也 都 就 而 但 之 一个 个 何时 哪种
    什 么 叫`,
};

const sets = new Map(Object.entries(lists).map(([language, words]) => [language, new Set(words.trim().split(/\s+/u))]));
const none: ReadonlySet<string> = new Set();

/**
 * Returns the stop words of a language, in lower case but not folded. Returns an empty set for a
 * language without a list.
 */
export const stopWordsOf = (language: string): ReadonlySet<string> => sets.get(language) ?? none;
