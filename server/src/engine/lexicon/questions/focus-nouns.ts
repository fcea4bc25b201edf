/**
 * Maps nouns of questions to the type of the answer: "which city" asks for a place, "quel
 * pourcentage" for a percentage. The nouns are folded. They are compared by stem; Chinese nouns are
 * compared as they are.
 */
import type { WordLists } from "../../../language/question-languages.ts";

/** Type of value that a sentence must contain to answer the question. */
export type AnswerType = "time" | "number" | "money" | "percent" | "person" | "place" | "name";

export const focusNouns: Readonly<Record<AnswerType, WordLists>> = {
  time: {
    en: "year date day month century decade time era period season deadline birthday hour duration",
    fr: "annee an date jour mois siecle decennie moment epoque periode saison echeance heure duree delai",
    de: "jahr datum tag monat jahrhundert jahrzehnt zeit zeitpunkt zeitraum epoche frist termin uhrzeit dauer laufzeit",
    es: "ano fecha dia mes siglo decada momento epoca periodo temporada plazo hora vencimiento",
    it: "anno data giorno mese secolo decennio momento epoca periodo stagione scadenza ora durata",
    nl: "jaar datum dag maand eeuw decennium tijd tijdstip periode seizoen termijn uur duur",
    pt: "ano data dia mes seculo decada momento epoca periodo temporada prazo hora vencimento",
    ru: "год дата день месяц век столетие десятилетие время период эпоха сезон срок час году",
    ar: "عام سنه تاريخ يوم شهر قرن عقد وقت فتره عصر موسم موعد",
    zh: "年 日期 时间 月 世纪 年代 日 时期",
  },
  number: {
    en: "number amount quantity population age size length height width weight distance area speed temperature score rank rate count total depth capacity ratio position",
    fr: "nombre quantite population age taille longueur hauteur largeur poids distance superficie surface vitesse temperature score rang taux total profondeur capacite",
    de: "zahl anzahl menge bevolkerung alter grosse lange hohe breite gewicht entfernung flache geschwindigkeit temperatur ergebnis rang rate summe tiefe kapazitat einwohnerzahl nummer",
    es: "numero cantidad poblacion edad tamano longitud altura ancho peso distancia superficie area velocidad temperatura puntuacion rango tasa total profundidad capacidad",
    it: "numero quantita popolazione eta dimensione lunghezza altezza larghezza peso distanza superficie area velocita temperatura punteggio tasso totale profondita capacita",
    nl: "aantal getal hoeveelheid bevolking leeftijd grootte lengte hoogte breedte gewicht afstand oppervlakte snelheid temperatuur score rang totaal diepte capaciteit nummer",
    pt: "numero quantidade populacao idade tamanho comprimento altura largura peso distancia superficie area velocidade temperatura pontuacao taxa total profundidade capacidade",
    ru: "число количество население численность возраст размер длина высота ширина вес расстояние площадь скорость температура счет ранг итого глубина емкость номер",
    ar: "عدد رقم كميه سكان عمر حجم طول ارتفاع عرض وزن مسافه مساحه سرعه حراره نتيجه معدل مجموع عمق",
    zh: "数量 人口 年龄 面积 长度 高度 重量 距离 速度 温度 比分 数 排名",
  },
  money: {
    en: "price cost revenue income salary fee budget gdp profit value wage sum debt loan payment tax",
    fr: "prix cout montant revenu salaire frais budget pib benefice valeur somme dette pret paiement chiffre",
    de: "preis kosten betrag umsatz einkommen gehalt gebuhr budget gewinn wert summe schulden darlehen zahlung gesamtbetrag honorar lohn",
    es: "precio costo coste importe monto ingreso salario tarifa presupuesto beneficio valor suma deuda prestamo pago",
    it: "prezzo costo importo ricavo reddito stipendio tariffa bilancio profitto valore somma debito prestito pagamento",
    nl: "prijs kosten bedrag omzet inkomen salaris vergoeding begroting winst waarde som schuld lening betaling totaalbedrag",
    pt: "preco custo montante valor receita salario taxa orcamento lucro soma divida emprestimo pagamento",
    ru: "цена стоимость сумма доход зарплата плата бюджет прибыль выручка долг кредит платеж",
    ar: "سعر تكلفه مبلغ دخل راتب رسوم ميزانيه ربح قيمه دين قرض",
    zh: "价格 成本 金额 收入 工资 费用 预算 利润 总额",
  },
  percent: {
    en: "percentage percent share proportion portion fraction",
    fr: "pourcentage part proportion fraction",
    de: "prozent prozentsatz anteil bruchteil",
    es: "porcentaje proporcion fraccion",
    it: "percentuale proporzione frazione quota",
    nl: "percentage aandeel deel procent",
    pt: "percentagem porcentagem proporcao fracao",
    ru: "процент доля часть",
    ar: "نسبه مئويه",
    zh: "百分比 比例 百分之",
  },
  person: {
    en: "person people man woman president king queen emperor author writer artist composer director actor actress player coach leader founder inventor scientist philosopher minister general singer architect engineer mathematician economist historian pope bishop professor governor mayor senator quarterback supplier seller buyer customer vendor tenant landlord employer employee owner signatory",
    fr: "personne homme femme president roi reine empereur auteur ecrivain artiste compositeur realisateur acteur actrice joueur entraineur chef fondateur inventeur scientifique philosophe ministre general chanteur architecte ingenieur mathematicien economiste historien pape eveque professeur gouverneur maire senateur fournisseur vendeur acheteur client locataire bailleur proprietaire",
    de: "person mann frau prasident konig konigin kaiser autor schriftsteller kunstler komponist regisseur schauspieler spieler trainer fuhrer grunder erfinder wissenschaftler philosoph minister general sanger architekt ingenieur mathematiker okonom historiker papst bischof professor gouverneur burgermeister lieferant verkaufer kaufer kunde mieter vermieter eigentumer",
    es: "persona hombre mujer presidente rey reina emperador autor escritor artista compositor director actor actriz jugador entrenador lider fundador inventor cientifico filosofo ministro general cantante arquitecto ingeniero matematico economista historiador papa obispo profesor gobernador alcalde proveedor vendedor comprador cliente inquilino propietario",
    it: "persona uomo donna presidente re regina imperatore autore scrittore artista compositore regista attore attrice giocatore allenatore capo fondatore inventore scienziato filosofo ministro generale cantante architetto ingegnere matematico economista storico papa vescovo professore governatore sindaco fornitore venditore acquirente cliente proprietario",
    nl: "persoon man vrouw president koning koningin keizer auteur schrijver kunstenaar componist regisseur acteur speler trainer leider oprichter uitvinder wetenschapper filosoof minister generaal zanger architect ingenieur wiskundige econoom historicus paus bisschop professor gouverneur burgemeester leverancier verkoper koper klant huurder verhuurder eigenaar",
    pt: "pessoa homem mulher presidente rei rainha imperador autor escritor artista compositor diretor ator atriz jogador treinador lider fundador inventor cientista filosofo ministro general cantor arquiteto engenheiro matematico economista historiador papa bispo professor governador prefeito fornecedor vendedor comprador cliente inquilino proprietario",
    ru: "человек мужчина женщина президент король королева император автор писатель художник композитор режиссер актер актриса игрок тренер лидер основатель изобретатель ученый философ министр генерал певец архитектор инженер математик экономист историк папа епископ профессор губернатор мэр поставщик продавец покупатель клиент",
    ar: "شخص رجل امراه رئيس ملك ملكه امبراطور مولف كاتب فنان ملحن مخرج ممثل لاعب مدرب قائد موسس مخترع عالم فيلسوف وزير جنرال مغني مهندس مورخ بابا اسقف استاذ حاكم مورد بائع مشتري عميل",
    zh: "人 总统 国王 女王 皇帝 作者 作家 艺术家 作曲家 导演 演员 球员 教练 领导人 创始人 发明家 科学家 哲学家 部长 将军 歌手 供应商 客户",
  },
  place: {
    en: "city country state place town village region river island continent location county province capital nation area district mountain sea ocean street address venue stadium headquarters birthplace",
    fr: "ville pays etat lieu endroit village region fleuve riviere ile continent comte province capitale nation quartier montagne mer ocean rue adresse stade siege",
    de: "stadt land staat ort dorf region fluss insel kontinent bezirk provinz hauptstadt nation gebiet berg meer ozean strasse adresse stadion bundesland sitz anschrift",
    es: "ciudad pais estado lugar pueblo region rio isla continente condado provincia capital nacion barrio montana mar oceano calle direccion estadio sede",
    it: "citta paese stato luogo villaggio regione fiume isola continente contea provincia capitale nazione quartiere montagna mare oceano via indirizzo stadio sede",
    nl: "stad land staat plaats dorp regio rivier eiland continent provincie hoofdstad natie gebied berg zee oceaan straat adres stadion zetel",
    pt: "cidade pais estado lugar aldeia vila regiao rio ilha continente condado provincia capital nacao bairro montanha mar oceano rua endereco estadio sede",
    ru: "город страна государство место деревня регион река остров континент область провинция столица нация район гора море океан улица адрес стадион",
    ar: "مدينه بلد دوله ولايه مكان قريه منطقه نهر جزيره قاره مقاطعه عاصمه جبل بحر محيط شارع عنوان ملعب",
    zh: "城市 国家 州 地方 地区 河 岛 大陆 省 首都 山 海 街 地址 体育场",
  },
  name: {
    en: "name team company organization organisation university school church book film movie song band album newspaper magazine law treaty language party war battle title airline bank brand museum dynasty tribe religion award prize",
    fr: "nom equipe entreprise societe organisation universite ecole eglise livre film chanson groupe album journal magazine loi traite langue parti guerre bataille titre banque marque musee dynastie religion prix",
    de: "name mannschaft team unternehmen firma organisation universitat schule kirche buch film lied band album zeitung zeitschrift gesetz vertrag sprache partei krieg schlacht titel bank marke museum dynastie religion preis",
    es: "nombre equipo empresa compania organizacion universidad escuela iglesia libro pelicula cancion banda album periodico revista ley tratado idioma partido guerra batalla titulo banco marca museo dinastia religion premio",
    it: "nome squadra azienda societa organizzazione universita scuola chiesa libro film canzone gruppo album giornale rivista legge trattato lingua partito guerra battaglia titolo banca marca museo dinastia religione premio",
    nl: "naam ploeg team bedrijf organisatie universiteit school kerk boek film lied band album krant tijdschrift wet verdrag taal partij oorlog slag titel bank merk museum dynastie religie prijs",
    pt: "nome equipe equipa empresa companhia organizacao universidade escola igreja livro filme cancao banda album jornal revista lei tratado lingua partido guerra batalha titulo banco marca museu dinastia religiao premio",
    ru: "название команда компания организация университет школа церковь книга фильм песня группа альбом газета журнал закон договор язык партия война битва титул банк марка музей династия религия премия",
    ar: "اسم فريق شركه منظمه جامعه مدرسه كنيسه كتاب فيلم اغنيه فرقه البوم صحيفه مجله قانون معاهده لغه حزب حرب معركه لقب بنك متحف سلاله دين جائزه",
    zh: "球队 公司 组织 大学 学校 教堂 书 电影 歌曲 乐队 专辑 报纸 杂志 法律 条约 语言 政党 战争 战役 银行 品牌 博物馆 王朝 宗教",
  },
};
