/**
 * Patterns for lines of postal addresses in many countries: towns, streets, countries and contact
 * details.
 */
import { foldLabel } from "../../language/folding.ts";

const town = "\\p{Lu}[\\p{L}.'’-]{1,40}";
const towns = "\\p{Lu}[\\p{L} .'’-]{1,40}";

/** Patterns of a postcode and its town, as one or more countries write them. */
const postcodeTowns: readonly RegExp[] = [
  // 83022 Rosenheim, CH-6210 Sursee, 1016 EE Amsterdam, L-1009 Luxembourg
  new RegExp(`(?:^|[\\s,•·|-])(?:[A-Z]{1,3}[- ])?\\d{4,6}(?: ?[A-Z]{2})? *${town}`, "u"),
  // 114 55 Stockholm, 1250-096 Lisboa, 00-950 Warszawa
  new RegExp(`(?:^|[,•·|-] ?)(?:[A-Z]{1,2}[- ])?(?:\\d{3} \\d{2}|\\d{4}-\\d{3}|\\d{2}-\\d{3}) ${town}`, "u"),
  // Austin, TX 78741; Brisbane QLD 4001; Portland, Maine 04101; ENTERPRISE AL 36331
  /(?:^|[\s,•·|-])\p{L}[\p{L} .'-]{1,40},? (?:[A-Z]{2},? \d{5}(?:-\d{4})?|(?:NSW|VIC|QLD|SA|WA|TAS|NT|ACT),? \d{4})(?!\d)/u,
  /(?:^|[\s,•·|-])\p{Lu}[\p{L} .'-]{1,30}, \p{Lu}\p{Ll}{3,12}(?: \p{Lu}\p{Ll}{3,12})? \d{5}(?!\d)/u,
  // Totnes TQ9 5HH; Dublin 2, D02 A342; Toronto ON M5V 2T6
  /(?:^|[\s,•·|-])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[\dW] [A-Z\d]{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?= |,|$)/u,
  // Ahmedabad 380015, Bengaluru - 560001, Singapore 049910
  new RegExp(`^(?:${towns}, ?)?${towns}(?: ?[-–] ?| )\\d{3} ?\\d{3}\\.?$`, "u"),
  // 112 Katong Road S(428802)
  /(?:^|[\s,])(?:S|Singapore) ?\(?\d{6}\)?$/u,
  // São Paulo - SP, 01310-100
  /[-–,/] ?[A-Z]{2},? (?:CEP:? )?\d{5}-\d{3}(?!\d)/u,
];

/**
 * Returns true for a line with a postcode and its town. Every pattern requires a digit, and most
 * lines contain no digit, so the text is first checked for a digit.
 */
export const isAddressLine = (text: string): boolean =>
  /\d/.test(text) && postcodeTowns.some((pattern) => pattern.test(text));

const contactDetail = /@|www\.|https?:|(?:^|\s)(?:tel|fon|fax|ph|phone|telefon|téléphone|tél|mobile|mob)(?!\p{L})/iu;
const bareNumber = /^\+?\(?\d[\d ()./-]{6,}\d$/;
export const isContactLine = (text: string): boolean => contactDetail.test(text) || bareNumber.test(text);

const streetSuffix =
  /(?:stra(?:ss|ß)e|str\.|(?:\p{Ll}|-)platz|(?:\p{Ll}|-)weg|allee|gasse|chaussee|straat|laan|gracht|kade|vägen|gatan|gade|katu)(?!\p{L})/iu;
const streetWord =
  /(?<!\p{L})(?:street|st\.|road|rd|avenue|ave|av\.|lane|drive|boulevard|blvd|bd|highway|hwy|parkway|pkwy|ct\.|crescent|calle|plaza|jalan|jln|rue|via|platz|weg|p\.? ?o\.? box|postfach|boîte postale|casella postale|apartado|bp|packstation)(?!\p{L})/iu;
/**
 * Matches a line that begins with a word such as "rue". A house number may stand before it: "12 bis
 * rue de".
 */
const streetPrefix =
  /^(?:\d{1,5} ?(?:bis|ter|\p{L})?,? )?(?:c\/|(?:rue|avenue|av\.|place|chaussée|chemin|route|quai|impasse|allée|cours|boulevard|bd|square|via|viale|corso|piazza|strada|largo|vicolo|calle|avenida|avda\.?|paseo|plaza|pol[ií]gono|carrer|camino|rua|travessa|praça|ul\.|al\.|am|an der|auf der|im) (?=\p{Lu}|d|l))/iu;
/** Returns true for a line with a street, a house number or a post office box. */
export const isStreetLine = (text: string): boolean =>
  streetSuffix.test(text) ||
  streetWord.test(text) ||
  /^\p{L}[\p{L} .'-]{2,40} \d{1,4}(?:[/-]\d{1,3})? ?\p{L}?$/u.test(text) ||
  /^\d{1,5}\p{L}?,? \p{L}/u.test(text);

const premisesNumber =
  /(?:^|[ ,])(?:no|nos|nr|n°|lot|unit|suite|ste|level|floor|block|blk|shop|room|apt|apartment|flat|bldg|building|tower|stall|kiosk|bâtiment|bât|étage|local|piso|planta|scala|interno)[.:]* ?#?(?:\p{Lu}[\p{Lu}.]{0,3}[- ]?)?\d/iu;
const storey =
  /(?<!\p{L})(?:\d{1,2}(?:st|nd|rd|th)|ground|first|second|third|grd|lower|upper) (?:floor|flr|fl)(?!\p{L})/iu;
/**
 * Returns true for a line that names a part of a building, such as "Level 2" or "#02-03". Also
 * returns true for several words with a comma at the end, such as "Tebrau City Mall,". In
 * addresses, these lines are above the street.
 */
export const isPremisesLine = (text: string): boolean =>
  premisesNumber.test(text) ||
  storey.test(text) ||
  /(?:^| )#\d/.test(text) ||
  (text.endsWith(",") && /\S \S/.test(text.slice(0, -1)));

/**
 * Returns true if the line can only be a street: it begins with a street word, such as "rue", or it
 * contains another street word and a digit. It must not be a postcode with its town.
 */
export const beginsStreet = (text: string): boolean =>
  (/^(?:c\/ ?|(?:via|rue|calle|rua|avenue|avenida|viale|corso|chemin|chaussée|impasse|boulevard) )\p{L}/iu.test(text) ||
    (streetPrefix.test(text) && /\d/.test(text)) ||
    ((streetSuffix.test(text) || streetWord.test(text)) && /\d/.test(text))) &&
  !isAddressLine(text);

/**
 * Folded country names. A country is often the last line of an address, and never the name of a
 * party.
 */
const countries = new Set(
  (
    "deutschland,germany,allemagne,alemania,germania,duitsland,france,frankreich,francia,frankrijk,austria,osterreich,autriche,schweiz," +
    "suisse,svizzera,switzerland,italia,italy,italien,spain,espana,spanien,nederland,netherlands,the netherlands,niederlande,belgium," +
    "belgie,belgique,belgien,luxembourg,luxemburg,united kingdom,great britain,uk,usa,united states,united states of america,india," +
    "england,scotland,wales,ireland,portugal,poland,polska,denmark,danmark,sweden,sverige,norway,norge,finland,suomi,malaysia," +
    "singapore,china,hong kong,canada,australia,new zealand,brasil,brazil,mexico,japan,south africa,czech republic,hungary,greece,turkey"
  ).split(","),
);
export const isCountry = (text: string): boolean => countries.has(foldLabel(text).replace(/\.$/, ""));
