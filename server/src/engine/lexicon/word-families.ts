/**
 * Word families of business documents in English, German, French, Spanish, Italian and Dutch. A
 * family is a set of words that mean the same in these languages. Labels and field names are
 * compared by family, so that a German label matches an English name. Words are folded: lower case,
 * without accents. A phrase is one entry, with `_` between its words. Compounds need no entry,
 * because they are split.
 */
export const families: Record<string, string> = {
  // Documents
  invoice:
    "invoice invoices abrechnung bill rechnung rechnungs rg rng rech facture factura fattura factuur tax_invoice inv einvoice note_d_honoraires honorarnote kostennote",
  receipt:
    "receipt quittung beleg kassenbon bon kassenzettel recu ticket recibo scontrino ricevuta kassabon empfangsschein recepisse",
  document: "document doc dokument documento belegnr vorgang piece",
  credit: "credit gutschrift avoir abono nota_di_credito creditnota creditnote credit_note",
  order:
    "order bestellung bestell auftrag auftrags commande bon_de_commande pedido ordine bestelling po purchase_order",
  offer: "offer quotation quote angebot devis oferta presupuesto offerta preventivo offerte",
  contract: "contract agreement vertrag contrat contrato contratto contract overeenkomst vertrags",
  delivery:
    "delivery deliver shipping shipment shipped ship lieferung liefer lieferschein versand livraison bon_de_livraison expedition entrega envio consegna spedizione levering leverings required_by needed_by need_by needed",
  service: "service services leistung leistungs dienstleistung prestation servicio servizio dienst performance supply",
  policy: "policy police versicherungsschein poliza polizza polis",
  insurance: "insurance versicherung versicherungs assurance seguro assicurazione verzekering",
  project: "project projekt projet proyecto progetto project",
  case: "case dossier aktenzeichen az vorgang expediente pratica dossiernummer",
  format: "factur_x facturx zugferd xrechnung order_x profile profil",
  // Identifiers
  number: "number no nr num numero nummer n° # № numeri nro nummern numbers n",
  id: "id ident identifier identification kennung kennziffer identifiant identificador identificativo identificatie code kennzeichen identifikationsnummer identifikation cod",
  reference:
    "reference ref referenz zeichen referencia riferimento rif referentie referentienummer kenmerk betreff verwendungszweck",
  account: "account konto kto compte cuenta conto rekening acct a_c",
  serial: "serial serien seriennummer serie matricola",
  customer: "customer client kunde kunden cliente klant debitor debitoren abonne subscriber cust kd",
  supplier: "supplier vendor lieferant lieferanten kreditor kreditoren fournisseur proveedor fornitore leverancier",
  tax_id: "steuernummer steuernr stnr st_nr siret siren tin nif cif codice_fiscale tax_number tax_no tax_id steuer_nr",
  vat_id:
    "gstin gst_no gst_reg_no gst_registration gst_number ustid ustidnr ust_id ust_idnr umsatzsteuer_id umsatzsteueridentifikationsnummer ust_id_nr vatin uid uid_nr vat_reg vat_id vat_no vat_number vat_nr vat_reg_no vat_registration n°_tva num_tva numero_tva numero_de_tva n°_de_tva tva_intracommunautaire tva_intra mwst_nr mwstnr btw_nummer btw_nr btw_id nif_iva cif_nif vat_tin partita_iva p_iva mwst_nummer tva_n°",
  iban: "iban",
  bic: "bic swift swift_code bic_code",
  bank: "bank banque banco banca kreditinstitut geldinstitut",
  register:
    "handelsregister handelsregisternummer hrb hra hr registergericht amtsgericht rcs registration register registre kvk",
  // Dates and times
  date: "date datum fecha data dated tag day jour dia giorno dag",
  time: "time uhrzeit zeit heure hora ora tijd",
  issue:
    "issue issued issuing ausstellung ausstellungs ausgestellt emission emis emise emitido emisione emissione emessa uitgifte printed invoiced erstellt",
  due: "due fallig falligkeit falligkeits zahlbar echeance a_payer vencimiento scadenza vervaldatum verval vervaldag payable zahlungsziel date_limite zahltag scadenze",
  until: "until bis jusqu hasta entro by before spatestens vor avant",
  start:
    "start begin commence commencement gultig beginnt beginn from von anfang debut inicio desde inizio dal aanvang vanaf gultig_ab ab since effective",
  end: "end ende expire terminate endet fin to fine al einde eind termination_date expiry expiration ablauf expires",
  period:
    "period zeitraum periode abrechnungszeitraum dauer frist duration term laufzeit duree plazo durata periodo termijn looptijd",
  month:
    "month monat mois mes mese maand monthly monatlich monatliche monatlicher monatliches mensuel mensuelle mensual mensile maandelijks mtl",
  year: "year jahr annee ano anno jaar annual annually yearly jahrlich jahrliche jahrlicher annuel annuelle anual annuale jaarlijks",
  birth: "birth geburt geburts geboren naissance nacimiento nascita geboorte dob",
  termination: "termination notice cancellation kundigung kundigungs resiliation preavis rescision disdetta opzegging",
  flight: "flight flights flug vol vuelo volo vlucht schedule scheduled campaign kampagne campagne campana campagna",
  // Amounts
  amount: "amount amt amout amounts betrag betrage montant importe importo bedrag sum entgelt entgelte hohe",
  total: "total totals zusammen ensemble gesamt summe gesamtsumme endsumme somme totale totali totaal insgesamt summa",
  grand: "grand end general generale",
  sub: "sub zwischen sous parcial parziale sub_total",
  net: "net netto neto ht hors_taxe hors_taxes hors_tva untaxed without_vat without_tax excluding_vat excluding_tax excl_vat excl_tax ex_vat ohne_ust ohne_mwst ohne_umsatzsteuer ohne_mehrwertsteuer exkl_mwst zzgl_mwst sin_iva iva_excluido imponibile base_imponible base_imponibile excl_btw exclusief_btw warenwert before_tax before_vat exklusive_mwst hors_tax taxable zwischensumme sous_total subtotal subtotaal subtotale htva hors_tva excl_gst ex_gst",
  including:
    "incl inclusive including included inkl inklusive einschl einschliesslich compris comprises comprise incluye incluido incluidos inclusa compresa inclusief inc",
  income: "income revenu einkommen ingresos reddito inkomen",
  excluding:
    "avant excl exclusive excluding exkl exklusive ohne without hors sans sin senza exclusief excluido ex before",
  base: "base basis basisbetrag grundlage bemessungsgrundlage",
  gross:
    "gross brutto bruto brut brute lorda bruta ttc toutes_taxes_comprises incl_vat incl_tax including_vat including_tax inkl_mwst inkl_ust inkl_umsatzsteuer con_iva iva_incluido iva_inclusa incl_btw inclusief_btw with_vat inclusive_of_tax lordo tvac with_tax einschliesslich_umsatzsteuer inclusive_gst incl_gst inkl_mehrwertsteuer taxes_included tax_included inc_gst inc_vat",
  tax: "tax vat ust mwst mehrwertsteuer umsatzsteuer steuer tva taxe taxes iva btw gst cst igst cgst sgst impuesto imposta belasting mehrwertst hst pst sales_tax impot impots impuestos",
  rate: "rate satz prozent prozentsatz percent percentage pourcentage taux tipo aliquota tarief porcentaje",
  discount:
    "discount rabatt skonto nachlass remise rabais descuento sconto korting abschlag abschlage ermassigung allowance allowances escompte rebate",
  surcharge: "surcharge charge charges zuschlag zuschlage aufschlag supplement recargo supplemento toeslag surcharges",
  freight:
    "freight fracht versandkosten porto postage frais_de_port transport gastos_de_envio verzendkosten shipping_cost shipping_costs",
  fee: "fee fees gebuhr gebuhren frais tasa commissione kosten cost costs cout costo coste commission provision",
  payable:
    "due_payable payable zahlbetrag zu_zahlen zahlender zahlenden zu_zahlender net_a_payer a_payer somme_a_payer total_due amount_due amount_payable balance_due to_pay balance importe_a_pagar a_pagar da_pagare te_betalen remaining owing balance_owing forderungsbetrag rechnungsendbetrag restbetrag offener outstanding total_amount_due pay_this_amount zahlungsbetrag uberweisungsbetrag solde montant_du saldo reste_a_payer zu_bezahlen noch_zu_bezahlen noch_zu_zahlen restforderung restsumme restschuld reste_du amount_now_due now_due",
  paid: "paid gezahlt bezahlt anzahlung anzahlungen vorauszahlung vorauszahlungen erhaltene paye acompte acomptes pagado pagato betaald prepaid prepayment advance tendered cash received versement deposit",
  change: "change ruckgeld wechselgeld monnaie cambio resto wisselgeld",
  rounding: "rounding rundung arrondi redondeo arrotondamento afronding rounded adj adjustment adjusted",
  previous:
    "previous vorherige fruhere precedent precedente anterior vorige prior associee original vorjahr ancienne ursprunglich ursprungliche initiale",
  currency: "currency wahrung wahrungs devise monnaie moneda divisa valuta curr ccy",
  payment:
    "payment zahlung zahlungs zahlen uberweisen uberweisung remit virement transfer pay paiement reglement pago pagamento betaling betalings remittance lcr riba ri_ba",
  terms: "terms bedingungen konditionen conditions condiciones condizioni voorwaarden zahlungsbedingungen",
  method: "method means art zahlungsart mode moyen metodo modo wijze",
  interest: "interest zins zinsen interet intereses interessi rente",
  // Line items
  line: "line zeile position positions pos ligne linea riga regel item_no poste rang",
  item: "item items artikel article articulo articolo ware waren produkt product produit producto prodotto good goods material merchandise",
  description:
    "description descriptions vorgang buchungstext umsatztext beschreibung bezeichnung designation libelle descripcion descrizione omschrijving leistungsbeschreibung text artikelbezeichnung particulars title concepto denominazione details artikelbeschreibung title desc",
  item_code:
    "art_nr art_no artnr sku ean gtin article_no article_number code_article ref_article artikelnummer artikelnr item_code product_code art_nr_kunde art_nr_lieferant",
  quantity:
    "quantity qty menge anzahl quantite qte nombre cantidad quantita aantal stuckzahl hours stunden std units qta cant hoeveelheid stuck spots anz std_anz nights",
  unit: "unit einheit me mengeneinheit unite unidad unita eenheid uom ea each pro_einheit",
  price: "price prices ansatz preis prix precio prezzo prijs tarif cout_unitaire einzel p_u pu einzelpreis",
  each: "einzelpreis stuckpreis prix_unitaire p_u pu precio_unitario prezzo_unitario eenheidsprijs stukprijs unit_price s_price u_price",
  weight: "weight gewicht poids peso",
  // Parties
  seller:
    "seller sold_by verkaufer vendeur vendedor venditore verkoper issuer aussteller rechnungssteller rechnungsteller rechnungsersteller absender emetteur emisor emittente sender from_company vendu_par merchant store shop supplied_by leistungserbringer service_provider biller creditor verkaufers billed_by",
  buyer:
    "buyer sold_to bill_to billed_to invoice_to billing kaufer leistungsempfanger rechnungsempfanger empfanger acheteur destinataire comprador acquirente koper recipient adresse_de_facturation facture_a adresse_du_client rechnungsadresse rechnungsanschrift bill_to_address invoiced_to facturar_a intestatario factuuradres debtor purchaser kaufers charge_to payer billing_address rechnung_an zahlbar_durch payable_par payable_by pagabile_da credit_to issued_to",
  consignee:
    "consignee ship_to deliver_to shipping_address delivery_address lieferadresse lieferanschrift warenempfanger livre_a adresse_de_livraison lieferung_an ship_from ship_to_address shipto requisitionner requisitioner",
  payee:
    "payee zahlungsempfanger beneficiaire beneficiario begunstigde beneficiary kontoinhaber titulaire account_holder account_name remit_to kontoname titulaire_du_compte send_payment_to zahlbar_an payable_a payable_to pagabile_a",
  holder:
    "holder inhaber titulaire titular titolare houder nehmer versicherungsnehmer preneur tomador contraente verzekeringnemer policyholder policy_holder insured the_insured versicherter versicherte assure asegurado assicurato verzekerde",
  company:
    "company firma unternehmen societe entreprise empresa azienda societa bedrijf organisation organization corporation firm business entreprise",
  name: "name nom nombre_de nome naam namen names razon_social ragione_sociale raison_sociale denomination",
  contact:
    "contact ansprechpartner sachbearbeiter bearbeiter interlocuteur contacto contatto contactpersoon attn attention kontakt",
  person: "person vertreter salesperson representative verkaufsmitarbeiter",
  advertiser: "advertiser annonceur werbetreibender inserent anunciante paid_for_by sponsor",
  agency: "agency agentur agence agencia agenzia",
  address: "address anschrift adresse direccion indirizzo adres domicile",
  street: "street strasse rue calle via straat str",
  city: "city ort stadt ville ciudad citta plaats town",
  postcode: "zip postcode plz postleitzahl code_postal codigo_postal cap postal zip_code",
  country: "country land pays pais paese",
  phone: "phone tel telefon telephone telefono telefoon fon mobile handy mobil phones",
  fax: "fax telefax",
  email: "email mail courriel correo e_mail",
  website: "website web url homepage internet site www",
  // Other document kinds
  statement: "statement statements kontoauszug auszug releve extracto estratto afschrift abrechnung",
  carry: "carried_forward carry_over ubertrag a_reporter report reporte riporto a_riportare suma_y_sigue overdracht",
  brought: "brought_forward balance_b_f saldovortrag vortrag solde_precedent saldo_anterior report_a_nouveau",
  report: "report bericht rapport informe rapporto verslag",
  certificate: "certificate zertifikat bescheinigung certificat certificado certificato attest",
  confirmation: "confirmation conf bestatigung confirmacion conferma bevestiging",
  booking:
    "booking bookings booked reservation reservations buchung buch reservierung reserva prenotazione boeking reservering",
  claim:
    "claim schaden schadens sinistre siniestro sinistro schade loss damage damages damaged dommage dommages dano danos danno danni",
  place: "place places location lieu lieux lugar luogo plaats ort stelle",
  cause: "cause causes ursache ursachen grund causa motif motivo oorzaak reason",
  police: "police polizei policia polizia politie",
  notified: "reported notified gemeldet angezeigt declare declaree signale denunciado denunciato aangegeven gemeld",
  estimate: "estimate estimated geschatzt geschatzte geschatzter estimation estimee estimado stimato geschat",
  payout:
    "payout indemnity entschadigung auszahlung erstattung indemnite indemnisation indemnizacion indennizzo uitkering",
  validity:
    "valid validity gultig gultigkeit gultigkeitsdauer valable valide validite valido valida validez validita geldig geldigheid",
  signature:
    "signature signed unterschrift unterschrieben unterzeichnet unterzeichnung signe signee firmado firma_del firmato handtekening ondertekend",
  waybill:
    "waybill awb frachtbrief lettre_de_voiture connaissement bill_of_lading lading cmr tracking sendung sendungsnummer suivi seguimiento",
  loan: "loan darlehen kredit pret prestamo prestito mutuo lening",
  // Old and new, first and last
  new: "new neu neue neuer neues nouveau nouvelle nuevo nueva nuovo nuova nieuw nieuwe",
  old: "old alt alte alter altes ancien ancienne antiguo anterior vecchio oud oude",
  opening: "opening anfangs anfangsbestand initial inicial iniziale",
  closing: "closing schluss schlussbestand cloture final cierre chiusura slot",
  first: "first erste erster ersten erstes premier premiere primer primero primera primo prima eerste",
  last: "last letzte letzter letzten letztes dernier derniere ultimo ultima laatste",
  // Bank
  balance: "balance kontostand saldo solde bilancio",
  overdraft: "overdraft dispo dispositionskredit kreditlinie kreditrahmen decouvert descubierto fido scoperto",
  limit: "limit limits limite hochstbetrag obergrenze plafond limiet indemnity",
  debit: "debit debits soll belastung debito debe addebito",
  direct_debit:
    "autopay auto_pay direct_debit lastschrift lastschriftverfahren eingezogen abgebucht einzug prelevement prelevement_automatique domiciliation domiciliacion addebito_diretto incasso automatische_incasso automatic_payment automatic_payments",
  transaction:
    "transaction transactions umsatz umsatze transaktion operation operations operacion movimiento movimento transactie mouvement",
  late: "late mahn saumnis verspatung retard demora mora ritardo",
  // Utilities
  meter: "meter zahler compteur contador contatore",
  reading: "reading readings ablesung zahlerstand relevo lectura lettura meterstand",
  consumption: "consumption usage consumed verbrauch verbraucht consommation consomme consumo verbruik",
  electricity: "electricity electric strom elektrizitat electricite electricidad elettricita elettrica stroom",
  gas: "gas erdgas gaz",
  water: "water wasser eau agua acqua",
  instalment:
    "instalment instalments installment installments abschlag abschlage abschlags mensualite cuota rata advance",
  // Insurance
  premium: "premium premiums beitrag versicherungsbeitrag pramie prime prima premio premie cotisation",
  excess: "excess excesses deductible selbstbehalt selbstbeteiligung franchise franquicia franchigia eigen_risico",
  cover: "cover coverage deckung couverture cobertura copertura dekking",
  broker: "broker brokers makler courtier corredor mediatore makelaar vermittler",
  liability:
    "liability liabilities haftpflicht haftung responsabilite responsabilidad responsabilita aansprakelijkheid",
  // Work
  salary:
    "salary salaries wage wages earnings pay gehalt lohn bezuge verdienst salaire salario sueldo stipendio retribuzione loon paie nomina remuneration",
  employee:
    "employee employees arbeitnehmer arbeitnehmerin mitarbeiter mitarbeiterin beschaftigter salarie employe empleado trabajador dipendente lavoratore werknemer medewerker",
  employer: "employer arbeitgeber employeur empleador datore_di_lavoro werkgever",
  hire: "hire hired joined joining eintritt eintritts entree embauche ingreso assunzione indiensttreding anciennete",
  vacation: "vacation leave urlaub urlaubs conges vacaciones ferie verlof",
  bonus: "bonus gratifikation gratification",
  profession: "profession occupation beruf tatigkeit emploi poste_occupe puesto mansione functie job",
  // Rent
  rent: "rent rental miete kaltmiete grundmiete nettomiete miet loyer alquiler renta affitto canone huur",
  lease: "lease leasing bail arrendamiento locazione",
  tenant: "tenant lessee mieter mieterin locataire inquilino arrendatario conduttore huurder",
  landlord: "landlord lessor vermieter vermieterin bailleur arrendador locatore verhuurder",
  security: "security kaution sicherheit garantie_locative fianza cauzione waarborg",
  area: "area flache surface superficie oppervlakte",
  guarantor: "guarantor burge garant fiador garante guaranty",
  renewal:
    "renewal renew renewed renewable extend extension verlangerung verlangern renouvellement renouveler prolongation renovacion prorroga rinnovo proroga verlenging",
  utilities: "utilities nebenkosten betriebskosten charges_locatives spese_accessorie gastos_comunes servicekosten",
  pets: "pets pet haustier haustiere tierhaltung animaux animales mascotas animali huisdieren",
  allowed:
    "allowed permitted erlaubt gestattet zulassig autorise autorises permis permitido consentito ammessi toegestaan",
  // Travel
  seat: "seat seats sitz sitzplatz siege asiento posto stoel",
  gate: "gate boarding flugsteig embarquement embarque imbarco",
  guest: "guest guests gast gaste hote huesped ospite",
  room: "room zimmer chambre habitacion camera kamer",
  arrival: "arrival check_in checkin anreise ankunft arrivee llegada arrivo aankomst",
  departure: "departure check_out checkout abreise abfahrt depart salida partenza vertrek",
  passenger: "passenger traveller traveler passagier reisender fahrgast passager pasajero passeggero reiziger",
  loyalty: "loyalty membership member mitglied mitglieds fidelite adherent membre socio lid lidmaatschap",
  // Health and laboratory
  patient: "patient patientin paziente paciente",
  doctor: "doctor physician prescriber practitioner arzt arztin medecin medico dottore arts",
  diagnosis: "diagnosis diagnose diagnostic diagnostico diagnosi",
  sample: "sample samples sampled sampling specimen probe proben probenahme echantillon muestra campione monster",
  result: "result results ergebnis messwert resultat resultado risultato resultaat measured gemessen",
  compliance:
    "compliance compliant comply complies complied conform conforms conformity konform entspricht eingehalten conforme conformite conformes cumple rispetta voldoet",
  // Transport
  pickup: "pickup pick_up collection enlevement abholung abhol recogida ritiro ophaal ophaling",
  vehicle: "vehicle fahrzeug vehicule vehiculo veicolo voertuig kfz pkw",
  driver: "driver fahrer chauffeur conducteur conducente autista bestuurder",
  mileage: "mileage odometer kilometerstand kilometrage chilometraggio",
  package: "package packages parcel parcels packstuck packstucke colis bulto bultos collo colli pakket",
  origin: "origin ursprung herkunft origine origen ladeort",
  destination: "destination ziel zielort bestimmungsort destino destinazione bestemming",
  carrier: "carrier spediteur frachtfuhrer transporteur transportista vettore vervoerder",
  // Advertising
  broadcast: "broadcast broadcasts airing sendetermin ausstrahlung diffusion emision",
  // Miscellaneous
  yes: "yes ja oui si",
  page: "page seite pagina",
  version: "version revision",
  plate: "plate license_plate kennzeichen immatriculation matricula targa kenteken",
};

/** Words that are ignored when labels are compared, because they say nothing about the field. */
export const stopWords = new Set(
  (
    "the a an of for on after sales at in is and or with as this that your our its his her ihre ihr ihrer unsere unser der die das des dem den ein eine einer und oder fur im am zum zur mit von vom " +
    "le la les l d de du des un une et ou pour sur aux en par votre vos notre nos el los las del y o para por su il lo gli di della dello dei e per het een van en of voor op te uw onze " +
    "please bitte sie wir we you vous nous merci veuillez ci je i il ihnen uns us are can will " +
    "eur usd gbp chf euro euros dollar dollars us " +
    "is was were be been has have had ever wurde wurden worden soit zu as per if any which what whether it not given printed shown written value field whole document"
  ).split(" "),
);

/** Families that many labels have in common. They have less weight when labels are compared. */
export const commonFamilies = new Set([
  "number",
  "id",
  "date",
  "amount",
  "total",
  "name",
  "until",
  "start",
  "end",
  "rate",
  "reference",
  "document",
  "grand",
  "description",
  "days",
]);
