/** Invents names, addresses and other values with faker, as documents of each country print them. */
import { allFakers, type Faker } from "@faker-js/faker";
import type { ValueType } from "../../server/src/language/value-types.ts";

/** Locales of faker, each with the titles that are printed before a name in that locale. */
const locales: readonly (readonly [keyof typeof allFakers, readonly string[]])[] = [
  ["en_US", ["Mr.", "Ms.", "Mrs.", "Dr.", "Prof."]],
  ["en_GB", ["Mr", "Mrs", "Ms", "Dr", "Miss"]],
  ["en_AU", ["Mr", "Ms", "Dr"]],
  ["en_CA", ["Mr.", "Ms."]],
  ["en_IN", ["Shri", "Smt.", "Mr."]],
  ["de", ["Herr", "Frau", "Herrn", "Dr.", "Dr. med.", "Prof. Dr.", "Dipl.-Ing."]],
  ["de_AT", ["Herr", "Frau", "Mag.", "DI", "Ing."]],
  ["de_CH", ["Herr", "Frau", "Dr."]],
  ["fr", ["M.", "Mme", "Monsieur", "Madame", "Dr", "Me"]],
  ["fr_BE", ["M.", "Mme"]],
  ["fr_CH", ["M.", "Mme", "Monsieur"]],
  ["es", ["D.", "Dña.", "Sr.", "Sra.", "Don", "Doña", "Dr."]],
  ["es_MX", ["C.", "Lic.", "Ing.", "Sr."]],
  ["it", ["Sig.", "Sig.ra", "Dott.", "Dott.ssa", "Avv.", "Ing."]],
  ["nl", ["Dhr.", "Mevr.", "De heer", "Mevrouw", "drs.", "mr."]],
  ["nl_BE", ["Dhr.", "Mevr."]],
  ["pt_PT", ["Sr.", "Sra.", "Dr.", "Dra.", "Eng."]],
  ["pt_BR", ["Sr.", "Sra.", "Dr."]],
  ["pl", ["Pan", "Pani", "mgr", "inż.", "dr"]],
  ["cs_CZ", ["pan", "paní", "Ing.", "Mgr."]],
];

/** Number of values of each type per locale. */
const perLocale = 160;

export function inventedValues(): [string, ValueType][] {
  return locales.flatMap(([locale, titles]) => {
    const faker = allFakers[locale];
    faker.seed(1);
    return Array.from({ length: perLocale }, () => valuesOf(faker, titles)).flat();
  });
}

function valuesOf(faker: Faker, titles: readonly string[]): [string, ValueType][] {
  const one = <T>(of: readonly T[]): T => faker.helpers.arrayElement(of);
  const [first, last] = [faker.person.firstName(), faker.person.lastName()];
  const initial = `${first[0]}.`;
  const person = one([
    `${first} ${last}`,
    `${first} ${last}`,
    `${first} ${initial} ${last}`,
    `${initial} ${last}`,
    `${last}, ${first}`,
    `${last} ${first}`,
    `${one(titles)} ${first} ${last}`,
    `${one(titles)} ${last}`,
    `${first} ${last}-${faker.person.lastName()}`,
  ]);
  const [street, city, zip] = [faker.location.streetAddress(), faker.location.city(), faker.location.zipCode()];
  const address = one([
    `${street}, ${zip} ${city}`,
    `${street}, ${city} ${zip}`,
    `${street} ${zip} ${city}`,
    street,
    `${zip} ${city}`,
    `${street}, ${city}`,
  ]);
  const company = faker.company.name();
  const organisation = one([
    company,
    company,
    `${last} & ${faker.person.lastName()}`,
    `${city} ${one(endings)}`,
    `${one(beginnings)} ${city}`,
  ]);
  const inCapitals = (text: string): string => (faker.number.float() < 0.15 ? text.toLocaleUpperCase() : text);
  return [
    [inCapitals(person), "person"],
    [inCapitals(organisation), "organisation"],
    [inCapitals(address), "address"],
    [inCapitals(one([city, city, `${city}, ${faker.location.country()}`, faker.location.country()])), "place"],
    [inCapitals(faker.person.jobTitle()), "job"],
    [faker.phone.number(), "phone"],
    [one([faker.internet.email(), faker.internet.url(), faker.internet.domainName()]), "web"],
    [faker.commerce.productName(), "text"],
    [one([faker.finance.iban({ formatted: true }), faker.finance.accountNumber()]), "account"],
    [codeOf(faker), "code"],
    [
      `${faker.number.int(23)}${one([":", ".", "h", " h ", "."])}${faker.string.numeric(2)}${one(["", "", " Uhr", " am", " h"])}`,
      "time",
    ],
  ];
}

const codeOf = (faker: Faker): string =>
  faker.helpers.replaceSymbols(
    faker.helpers.arrayElement([
      "??-####",
      "####/##",
      "##.####.##",
      "?? ### ###",
      "???-##-####",
      "#########",
      "?#####",
      "####-####-####",
      "??/##/####-##",
    ]),
  );

/** Words at the end of names of organisations. */
const endings =
  "Clinic,Hospital,Council,Bank,Insurance,University,Trust,School,Motors,Foods,Klinikum,Stadtwerke,GmbH,AG,SA,SARL,S.r.l.,B.V.,Lda,S.L.,Ltd,Inc.,LLC,e.V.,KG".split(
    ",",
  );
/** Words at the beginning of names of organisations. */
const beginnings =
  "Stadt,Gemeinde,Mairie de,Ville de,Ayuntamiento de,Comune di,Gemeente,Câmara Municipal de,Urząd Miasta,University of,City of,Hôpital de,Banque de,Sparkasse,Volksbank,Universität,Amtsgericht,Finanzamt,Tribunal de,Cassa di".split(
    ",",
  );
