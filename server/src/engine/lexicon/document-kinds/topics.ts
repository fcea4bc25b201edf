/**
 * Topics, such as finance, with the document kinds that belong to each. Users often name classes
 * after topics.
 */

export interface Topic {
  /** Comma-separated names of the topic in all languages. */
  names: string;
  /** Labels of the document kinds that belong to the topic. */
  kinds: readonly string[];
}

export const topics: readonly Topic[] = [
  {
    names: "insurance, versicherung, versicherungen, assurance, seguro, seguros, assicurazione, verzekering",
    kinds: ["insurance policy", "insurance claim"],
  },
  {
    names: "bank, banking, banque, banco, banca, bankunterlagen, bankdokumente",
    kinds: ["bank statement", "credit card statement", "cheque", "direct debit mandate", "loan agreement"],
  },
  {
    names:
      "tax, taxes, taxation, steuer, steuern, finanzamt, impots, fiscalite, impuestos, imposte, tasse, belasting, belastingen",
    kinds: ["tax return", "tax assessment"],
  },
  {
    names:
      "medical, health, healthcare, gesundheit, medizin, arzt, medizinisch, sante, medico, medica, salud, salute, gezondheid, medisch",
    kinds: ["medical report", "prescription", "sick note", "test report"],
  },
  {
    names:
      "legal, law, court, recht, rechtliches, juristisch, gericht, juridique, justice, legale, juridico, juridisch, rechtbank",
    kinds: ["court document", "contract", "power of attorney", "deed"],
  },
  {
    names:
      "human resources, hr, personnel, staff, payroll, personal, personalwesen, personalakte, ressources humaines, paie, recursos humanos, risorse umane, personale, personeel, personeelszaken",
    kinds: ["payslip", "employment contract", "resume", "job application", "job reference", "sick note", "timesheet"],
  },
  {
    names: "travel, trip, reise, reisen, voyage, viaje, viajes, viaggio, viaggi, reizen",
    kinds: ["ticket", "booking confirmation", "expense report"],
  },
  {
    names:
      "shipping, logistics, shipment, freight, delivery, versand, logistik, spedition, lieferung, logistique, expedition, livraison, logistica, envio, spedizione, transport, transporte, trasporto, verzending",
    kinds: [
      "delivery note",
      "packing list",
      "bill of lading",
      "customs declaration",
      "certificate of origin",
      "goods receipt",
    ],
  },
  {
    names:
      "correspondence, mail, letters, korrespondenz, schriftverkehr, briefverkehr, post, correspondance, correspondencia, corrispondenza, correspondentie",
    kinds: ["letter", "e-mail", "fax", "memo", "notice of termination", "payment reminder"],
  },
  {
    names: "purchasing, procurement, einkauf, beschaffung, achats, approvisionnement, compras, acquisti, inkoop",
    kinds: ["purchase order", "order confirmation", "quotation", "request for quotation"],
  },
  {
    names: "identity, identification, identitat, ausweisdokumente, identite, identidad, identita, identiteit, id",
    kinds: ["identity document", "permit", "civil status certificate"],
  },
  {
    names:
      "housing, rent, tenancy, miete, wohnung, wohnen, immobilien, logement, loyer, vivienda, alquiler, affitto, casa, huur, woning",
    kinds: ["lease", "utility bill"],
  },
  {
    names: "vehicle, car, auto, kfz, fahrzeug, voiture, vehicule, coche, vehiculo, veicolo, voertuig",
    kinds: ["vehicle registration"],
  },
  {
    names:
      "technical documentation, technical, technik, technische dokumentation, documentation technique, documentacion tecnica, documentazione tecnica, technische documentatie",
    kinds: ["manual", "data sheet", "safety data sheet", "specification", "drawing"],
  },
  {
    names:
      "education, school, university, bildung, schule, studium, formation, ecole, educacion, escuela, istruzione, scuola, onderwijs",
    kinds: ["school report", "certificate"],
  },
  {
    names: "advertising, advertisement, broadcast, werbung, publicite, publicidad, pubblicita, reclame",
    kinds: ["advertising order"],
  },
];
