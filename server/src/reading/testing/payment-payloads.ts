/** Payloads of payment codes, with valid check digits. The people and companies are fictitious. */

export const swissLines: readonly string[] = [
  ...[
    "SPC",
    "0200",
    "1",
    "CH4431999123000889012",
    "S",
    "Robert Schneider AG",
    "Rue du Lac",
    "1268",
    "2501",
    "Biel",
    "CH",
  ],
  ...["", "", "", "", "", "", "", "1949.75", "CHF"],
  ...["S", "Pia-Maria Rutschmann-Schnyder", "Grosse Marktgasse", "28", "9400", "Rorschach", "CH"],
  ...["QRR", "210000000003139471430009017", "Order of 15.06.2026", "EPD"],
];
export const swissPayload = swissLines.join("\r\n");

export const europeanPayload = [
  ...["BCD", "002", "1", "SCT", "BHBLDEHHXXX", "Franz Mustermann", "DE71110220330123456789", "EUR12.30", "GDDS"],
  ...["RF18539007547034", "", ""],
].join("\n");
