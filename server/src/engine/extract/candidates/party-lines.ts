/**
 * Recognizes lines of address blocks, letterheads and page footers that do not name a party:
 * salutations, departments, agents, register entries and mottoes.
 */

/** Matches a line such as "Firma", "An den" or "To:". The addressee is on the next line. */
const salutation =
  /^(?:firma|fa\.?|herrn?|frau|familie|eheleute|an|an (?:den|die|das)|an(?: die)? firma|to|to:|messrs\.?|m\/s\.?|à|aan|al|alla|spett\.?(?: ?le)?|spettabile|gentile|egregio|monsieur|madame|mme|m\.|señora?|sr\.?|sra\.?|sres\.?|de heer|mevrouw|mr\.?|mrs\.?|ms\.?)(?: (?:und|and|et) (?:frau|mrs\.?|madame))?:?$/iu;
export const isSalutation = (text: string): boolean => salutation.test(text.trim());

const salutationLead =
  /^(?:to:|an:|à:|fa\.|firma|(?:an (?:die )?)?firma|spett\.? ?le|spettabile|messrs\.?|m\/s\.?) +(?=[\p{L}\d])/iu;
/** Returns the length of a prefix such as "To: " or "Firma " before the name. */
export const salutationLength = (text: string): number => salutationLead.exec(text)?.[0].length ?? 0;

const attention =
  /^(?:attn\.?|attention|att\.?|fao|f\.a\.o\.|z\. ?hd\.?|zu h[aä]nden|z\.h\.|(?:à |a )?l['’]?att(?:ention|n)?|all['’]att\.?|c\.a\.|a\/a|t\.a\.v\.|contact)(?!\p{L})/iu;
export const isAttention = (text: string): boolean => attention.test(text);

const careOf =
  /^(?:c\/o|c\/-|c\. ?o\.|care of|per adresse|p\. ?a\.|p\/a|in care of|chez|s\/c|presso|h\.d\.|vertreten durch|représentée? par|syndic)(?!\p{L})/iu;
/**
 * Returns true for a line such as "c/o …" that names an agent who receives mail for the party
 * above.
 */
export const isCareOf = (text: string): boolean => careOf.test(text);

const department =
  /^(?:the |die |der |la |le |il )?(?:abteilung|abt\.|dept\.?|department|service(?: des?| du)?|ufficio|departamento|dpto\.?)?[ :]*(?:trustees|directors|secretary|treasurer|bursar|buchhaltung|rechnungswesen|einkauf|vorstand|geschäftsleitung|verwaltung|sekretariat|kreditorenbuchhaltung|(?:purchase|bought|sales) ledger|accounts?(?: payable| receivable| department| dept\.?)?|finance|purchasing|procurement|billing|receiving|compta(?:bilité)?|comptabilité fournisseurs|direction|achats|administración|contabilidad|compras|amministrazione|contabilità|acquisti|administratie|boekhouding|inkoop)(?: (?:dept\.?|department|office|team|division))?$/iu;
export const isDepartment = (text: string): boolean => department.test(text);

const titledPerson =
  /^(?:herrn?|frau|mr|mrs|ms|miss|m|mme|mlle|mm|sig|sig\.ra|dott|sr|sra|dhr|mevr|dr|prof|mag|ing|dipl|inh|inhaber(?:in)?|prop|proprietor)(?:\.|(?= ))[ .:]*(?=\p{Lu})/iu;
/**
 * Returns true for a line that names a person with a title, such as "Frau Ruth Odermatt" or "Inh.
 * Svenja Tietjen".
 */
export const isTitledPerson = (text: string): boolean => titledPerson.test(text);

const forms = "(?:Herrn?|Frau|Mr|Mrs|Ms|Miss|Mme|Mlle|Sig|Sig\\.ra|Sr|Sra|Dhr|Mevr|M)";
const personTitle = new RegExp(`^${forms}(?:\\. ?|(?<!^M) )(?:(?:et|und|and|&) ${forms}\\.? )?(?=\\p{Lu})`, "u");
/**
 * Returns the length of the form of address before a person's name, such as "Frau". The form of
 * address is not part of the name.
 */
export const titleLength = (text: string): number => personTitle.exec(text)?.[0].length ?? 0;

const register =
  /(?<!\p{L})(?:registergericht|amtsgericht|handelsregister|firmenbuch|landesgericht|registered (?:in|office|no|number|at|company)|company (?:no|number|reg)|reg(?:istration)?\.? (?:no|merc|nr)|registro mercantil|reg\. merc|camera di commercio|r\.?c\.?s\.?(?= )|rpm |rpr |kvk|hr[ab](?= ?\d)|fn \d|gnr|weee|lucid|siret|siren|naf|urssaf|ust-?id|steuer-?nr|steuernummer|vat (?:reg|no|id)|gstin|cin:|abn|acn|ein |tin:|p\.? ?iva|c\.? ?f\.? |finanzamt|regulated by|authori[sz]ed (?:and|by|sig)|licen[cs]ed by|member of|mitglied|membre d|gesch[aä]ftsführer|geschäftsleitung:|vorstand:|aufsichtsrat|gérant|komplementär|managing director|conforms? to|department of|ministry of)/iu;
/** Returns true for a line about a register, court, authority or manager. */
export const isRegister = (text: string): boolean => register.test(text);

const motto = /(?<!\p{L})(?:since|seit|depuis|desde|dal|sinds|est\.?|established|gegr\.?) \d{4}(?!\d)/iu;
/**
 * Returns true for decoration: a motto such as "Booksellers since 1921", or a line in spaced
 * letters.
 */
export const isOrnament = (text: string): boolean => {
  const words = text.split(/\s+/u);
  const single = words.filter((word) => word.length === 1).length;
  return motto.test(text) || (words.length >= 5 && single * 2 > words.length);
};

const bank = /(?:bank|sparkasse|banque|banca|banco|caisse|crédit|kasse|building society|credit union)(?!\p{Ll}{3})/iu;
export const isBank = (text: string): boolean => bank.test(text);

/** Returns true for a line of an address block that names neither the addressee nor the issuer. */
export const namesNobody = (text: string): boolean =>
  isSalutation(text) ||
  isAttention(text) ||
  isCareOf(text) ||
  isDepartment(text) ||
  isRegister(text) ||
  isOrnament(text);

/**
 * Returns true for two or three capitalized words without digits, the usual pattern of a person's
 * name.
 */
export const looksLikePerson = (text: string): boolean =>
  /^(?:(?:\p{Lu}[\p{Ll}’'-]+|\p{Lu}\.|\p{Lu}{2,}) ){1,2}\p{Lu}[\p{L}’'-]+$/u.test(text);
