/**
 * Folded words that show the type of a value: months, written numbers, currencies, words for
 * percent.
 */
import type { WordLists } from "../../../language/question-languages.ts";

export const monthsAndTimes: WordLists = {
  en: "january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday century centuries decade decades day days week weeks month months year years today yesterday",
  fr: "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre lundi mardi mercredi jeudi vendredi samedi dimanche siecle siecles decennie jour jours semaine semaines mois annee annees ans",
  de: "januar februar marz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag freitag samstag sonntag jahrhundert jahrhunderts jahrzehnt tag tage tagen woche wochen monat monate monaten jahr jahre jahren",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo siglo siglos decada dia dias semana semanas mes meses ano anos",
  it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre lunedi martedi mercoledi giovedi venerdi sabato domenica secolo decennio giorno giorni settimana settimane mese mesi anno anni",
  nl: "januari februari maart april mei juni juli augustus september oktober november december maandag dinsdag woensdag donderdag vrijdag zaterdag zondag eeuw decennium dag dagen week weken maand maanden jaar jaren",
  pt: "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta sabado domingo seculo decada dia dias semana semanas mes meses ano anos",
  ru: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь века веке век столетие день дней дня неделя недель месяц месяцев месяца год года году лет годы годов",
  ar: "يناير فبراير مارس ابريل مايو يونيو يوليو اغسطس سبتمبر اكتوبر نوفمبر ديسمبر الاثنين الثلاثاء الاربعاء الخميس الجمعه السبت الاحد القرن قرن عام سنه يوم ايام اسبوع شهر اشهر سنوات اعوام",
  zh: "年 月 日 世纪 年代 星期 周 天 小时",
};

export const numberWords: WordLists = {
  en: "one two three four five six seven eight nine ten eleven twelve thirteen fifteen sixteen eighteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion trillion dozen half third quarter twice once double first second",
  fr: "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt trente quarante cinquante soixante cent cents mille million millions milliard milliards moitie tiers quart double premier premiere second",
  de: "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn funfzehn sechzehn zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig hundert tausend million millionen milliarde milliarden halfte drittel viertel doppelt erste ersten zweite zweiten",
  es: "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien ciento mil millon millones mitad tercio cuarto doble primer primera segundo",
  it: "due tre quattro cinque sei sette otto nove dieci undici dodici tredici quindici venti trenta quaranta cinquanta sessanta cento mille mila milione milioni miliardo miliardi meta terzo quarto doppio primo prima secondo",
  nl: "een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien vijftien twintig dertig veertig vijftig zestig honderd duizend miljoen miljard helft derde kwart dubbel eerste tweede",
  pt: "dois duas tres quatro cinco seis sete oito nove dez onze doze treze quinze vinte trinta quarenta cinquenta sessenta cem cento mil milhao milhoes bilhao bilhoes metade terco quarto dobro primeiro primeira segundo",
  ru: "один одна одно два две двух три трех четыре четырех пять пяти шесть шести семь семи восемь восьми девять десять десяти одиннадцать двенадцать двадцать тридцать сорок пятьдесят сто тысяча тысяч тысячи миллион миллиона миллионов миллиард миллиардов половина половину треть четверть первый первая второй",
  ar: "واحد واحده اثنان اثنين اثنتين ثلاث ثلاثه اربع اربعه خمس خمسه ست سته سبع سبعه ثمان ثمانيه تسع تسعه عشر عشره عشرين ثلاثين اربعين خمسين مائه مئه الف الاف مليون ملايين مليار نصف ثلث ربع اول اولي",
  zh: "一 二 三 四 五 六 七 八 九 十 百 千 万 亿 两 半",
};

export const moneyWords =
  "$ € £ ¥ ₹ ₽ eur usd gbp chf cad aud jpy cny rub brl inr sek dollar dollars euro euros pound pounds sterling yen yuan franc francs franken mark lira lire peso pesos " +
  "dolar dolares dolares dolari libra libras livre livres sterline cent cents rouble roubles rubel ruble rubles рубль рубля рублей доллар доллара долларов евро фунт фунтов دولار دولارا يورو جنيه ريال درهم 美元 欧元 英镑 人民币 元 日元";

export const percentWords =
  "% ٪ percent percentage pourcent prozent porcento procent процент процента процентов بالمئه بالمائه المئه المائه 百分之 third half quarter tiers moitie quart drittel halfte viertel tercio mitad cuarto треть половина четверть نصف ثلث ربع 一半";
