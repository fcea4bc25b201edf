/** Document kinds used in buying and selling. */
import type { DocumentKind } from "./document-kind.ts";

export const trade: readonly DocumentKind[] = [
  {
    label: "invoice",
    description: "Asks for payment for goods or services that were supplied.",
    names:
      "invoice, tax invoice, commercial invoice, sales invoice, bill, e-invoice, final invoice, advance invoice, fee note, rechnung, handelsrechnung, abschlagsrechnung, schlussrechnung, sammelrechnung, teilrechnung, honorarnote, honorarrechnung, kostennote, faktura, facture, facture d'acompte, note d'honoraires, note de frais et honoraires, factura, factura de venta, fattura, parcella, factuur, verkoopfactuur, fatura, nota fiscal",
    strong:
      "invoice number, invoice no, invoice nr, invoice date, invoice total, total invoice, amount due, balance due, total due, net amount due, please remit, remit to, due upon receipt, payment terms, rechnungsnummer, rechnung nr, rechnungs nr, rechnungsdatum, rechnungsbetrag, zahlbar bis, zahlbetrag, zahlungsziel, uberweisen sie, bitte uberweisen, numero de facture, facture n°, date de facture, date de facturation, net a payer, montant a payer, date d'echeance, numero de factura, factura n°, fecha de factura, total a pagar, importe a pagar, numero fattura, fattura n, data fattura, totale fattura, factuurnummer, factuurdatum, te betalen, invoice period, billing period",
    weak: "invoice, rechnung, facture, factura, fattura, factuur, bank details, iban, bic, bankverbindung, vat, vat id, ust-id, ust-idnr, umsatzsteuer, mwst, tva, iva, btw, subtotal, zwischensumme, gesamtbetrag, total ttc, total ht, due date, falligkeit, skonto, leistungszeitraum, steuernummer, payment due, terms, billed to, bill to, agency commission, gross amount, net amount",
  },
  {
    label: "pro forma invoice",
    description: "States in advance what an invoice will ask for.",
    names:
      "pro forma invoice, proforma invoice, proforma, proformarechnung, proforma rechnung, facture proforma, facture pro forma, factura proforma, fattura proforma, proforma factuur",
    broader: "invoice",
  },
  {
    label: "credit note",
    description: "Gives back or credits an amount that was invoiced.",
    names:
      "credit note, credit memo, credit memorandum, credit invoice, corrected invoice, correction invoice, gutschrift, rechnungskorrektur, korrekturrechnung, stornorechnung, storno, avoir, facture d'avoir, note de credit, facture rectificative, nota de credito, factura rectificativa, abono, nota di credito, nota di accredito, creditnota, creditfactuur",
    strong:
      "credit note number, credit amount, gutschriftsbetrag, gutschriftsnummer, credited amount, avoir n°, original invoice",
    broader: "invoice",
  },
  {
    label: "payment reminder",
    description: "Reminds of an invoice that is overdue.",
    names:
      "payment reminder, reminder, dunning letter, dunning notice, past due notice, final notice, overdue notice, mahnung, zahlungserinnerung, zahlungsaufforderung, rappel de paiement, lettre de relance, relance, mise en demeure, recordatorio de pago, reclamacion de pago, sollecito di pagamento, sollecito, betalingsherinnering, aanmaning, herinnering",
    strong: "mahngebuhr, mahngebuhren, overdue since, past due, verzugszinsen, offene posten, late fee",
  },
  {
    label: "statement of account",
    description: "Lists the open items between a supplier and a customer.",
    names:
      "statement of account, account statement, customer statement, statement of accounts, kontoauszug debitoren, saldenbestatigung, releve de compte client, releve de factures, estado de cuenta de cliente, estratto conto cliente, rekeningoverzicht",
    strong: "aging, 30 days, 60 days, 90 days, open items, outstanding balance",
  },
  {
    label: "purchase order",
    description: "Orders goods or services from a supplier.",
    names:
      "purchase order, order, p.o, supply order, order form, call-off order, blanket order, order change, purchase order change, change order, bestellung, einkaufsbestellung, auftrag, bestellanderung, bestellschein, abruf, bon de commande, commande, commande d'achat, modification de commande, orden de compra, pedido, pedido de compra, ordine, ordine di acquisto, ordine d'acquisto, inkooporder, bestelling, bestelbon, encomenda, pedido de compra",
    strong:
      "purchase order number, po number, po date, order date, requested delivery date, required delivery, bestellnummer, bestelldatum, liefertermin, wunschliefertermin, numero de commande, date de commande, date de livraison souhaitee, fecha de pedido, data ordine, besteldatum, ship to, vendor, we hereby order, wir bestellen, order total, order number",
    weak: "order, bestellung, commande, pedido, ordine, bestelling, buyer, besteller, acheteur, comprador, lieferant, fournisseur, proveedor, fornitore, leverancier, lieferbedingungen, incoterms",
    referred: true,
  },
  {
    label: "order confirmation",
    description: "Confirms an order that was received.",
    names:
      "order confirmation, order acknowledgement, order acknowledgment, sales order, order response, purchase order response, confirmation of order, auftragsbestatigung, bestellbestatigung, bestellantwort, confirmation de commande, accuse de reception de commande, reponse a la commande, confirmacion de pedido, conferma d'ordine, conferma ordine, orderbevestiging",
    strong:
      "we confirm your order, thank you for your order, wir bestatigen, vielen dank fur ihre bestellung, nous confirmons",
    broader: "purchase order",
  },
  {
    label: "quotation",
    description: "Offers goods or services at a price.",
    names:
      "quotation, quote, offer, price quote, sales quote, estimate, cost estimate, bid, proposal, angebot, kostenvoranschlag, offerte, devis, proposition commerciale, offre de prix, presupuesto, cotizacion, oferta, preventivo, offerta, prijsopgave, orcamento",
    strong:
      "valid until, offer valid, quote number, quotation number, angebotsnummer, angebot nr, gultig bis, wir bieten, freibleibend, devis n°, valable jusqu'au, valido hasta, valida fino, bon pour accord, geldig tot, we are pleased to offer, we are pleased to quote",
  },
  {
    label: "request for quotation",
    description: "Asks suppliers for an offer.",
    names:
      "request for quotation, request for proposal, request for quote, rfq, rfp, invitation to tender, call for tenders, tender, anfrage, angebotsanfrage, ausschreibung, preisanfrage, demande de devis, demande de prix, appel d'offres, solicitud de presupuesto, licitacion, richiesta di offerta, richiesta di preventivo, gara d'appalto, offerteaanvraag, aanbesteding",
  },
  {
    label: "delivery note",
    description: "Lists goods as delivered, with quantities and mostly no prices.",
    names:
      "delivery note, delivery slip, delivery order, delivery receipt, despatch note, dispatch note, despatch advice, dispatch advice, shipping note, lieferschein, warenbegleitschein, bon de livraison, bordereau de livraison, avis d'expedition, albaran, albaran de entrega, nota de entrega, guia de remision, documento di trasporto, ddt, bolla di consegna, pakbon, leveringsbon, afleverbon, vrachtbrief levering",
    strong:
      "goods received, ware erhalten, delivered quantity, liefermenge, lieferscheinnummer, received in good condition, quantite livree, numero de bon de livraison, quantity shipped, qty shipped, number of packages",
    weak: "delivery, lieferung, livraison, entrega, consegna, levering, weight, gewicht, poids, carrier, pallet",
    referred: true,
  },
  {
    label: "packing list",
    description: "Lists what each package of a shipment holds.",
    names:
      "packing list, packing slip, pack list, packliste, packzettel, liste de colisage, lista de empaque, lista de contenido, packing, distinta di imballaggio, paklijst",
    strong:
      "gross weight, net weight, number of cartons, carton no, bruttogewicht, nettogewicht, poids brut, peso bruto, dimensions",
  },
  {
    label: "goods receipt",
    description: "Records goods that came in.",
    names:
      "goods receipt, goods received note, receiving report, receiving slip, wareneingang, wareneingangsschein, bon de reception, albaran de recepcion, bolla di entrata, ontvangstbon goederen",
  },
  {
    label: "receipt",
    titled: "invoice",
    description: "Confirms that something was paid, as the slip of a till does.",
    names:
      "receipt, cash receipt, till receipt, sales receipt, payment receipt, official receipt, cash sale, cash bill, sales slip, simplified tax invoice, cash memo, guest check, quittung, kassenbon, kassenbeleg, kassenzettel, bon, barverkauf, zahlungsbeleg, spendenquittung, zuwendungsbestatigung, bewirtungsbeleg, ticket de caisse, recu, recu de paiement, quittance, recibo, ticket de compra, tique, scontrino, scontrino fiscale, ricevuta, ricevuta fiscale, kassabon, kwitantie, betaalbewijs, cupom fiscal",
    strong:
      "cash, change, change due, cashier, till, thank you please come again, please come again, goods sold are not returnable, not refundable, served by, your server, rounding, rounding adj, total sales, total rounded, tendered, cash tendered, amount tendered, visa, mastercard, debit card, card payment, approval code, auth code, terminal, kasse, bar, ruckgeld, gegeben, kartenzahlung, kassierer, es bediente sie, especes, rendu, monnaie, carte bancaire, efectivo, cambio, cajero, le atendio, contanti, resto, contant, wisselgeld, pinnen, gst summary, tax summary, eftpos",
    weak: "receipt, thank you, vielen dank, merci, gracias, grazie, qty, item, total, tel, gst, sst, tax code, subtotal, member, table, no of items, cash bill",
  },
  {
    label: "remittance advice",
    description: "Tells a supplier what a payment is for.",
    names:
      "remittance advice, payment advice, payment notification, remittance slip, remittance, zahlungsavis, avis, avis de paiement, bordereau de paiement, aviso de pago, avviso di pagamento, betalingsadvies",
  },
  {
    label: "price list",
    description: "Lists goods or services with their prices.",
    names:
      "price list, rate card, tariff, tariffs, fee schedule, preisliste, preisverzeichnis, tarifliste, gebuhrenverzeichnis, liste de prix, tarif, tarifs, grille tarifaire, lista de precios, tarifas, listino prezzi, listino, tariffario, prijslijst",
  },
  {
    label: "catalogue",
    description: "Shows goods that can be ordered.",
    names: "catalogue, catalog, product catalogue, katalog, catalogo, catalogus, menu, speisekarte, carte des menus",
  },
  {
    label: "advertising order",
    titled: "purchase order, contract, order confirmation",
    description: "Orders or contracts the broadcast or print of advertisements.",
    names:
      "advertising order, ad order, advertisement order, advertising contract, broadcast order, broadcast contract, broadcast advertising order, broadcast advertising contract, insertion order, media order, spot order, station order, time order, political advertising agreement, anzeigenauftrag, werbeauftrag, mediaauftrag, schaltauftrag, ordre d'insertion, contrat publicitaire, orden de publicidad, orden de insercion, ordine pubblicitario, advertentieopdracht",
    strong:
      "advertiser, flight dates, start time end time, spots per week, spots/week, spots, spot length, daypart, air date, air time, airtime, broadcast month, broadcast week, broadcast calendar, contract revision, order revision, alt order, estimate number, station, demographic, rating, gross rating points, account executive, agency commission, buyer, schedule dates, werbezeit, sendezeit, anzeigenschluss, werbetreibender, annonceur, anunciante, inserzionista, adverteerder",
    weak: "agency, media buyer, market, sales office, rate, product, weeks, cpe, contract dates, agentur, campaign",
  },
  {
    label: "timesheet",
    description: "Records hours of work.",
    names:
      "timesheet, time sheet, time record, work hours, stundenzettel, stundennachweis, arbeitszeitnachweis, tatigkeitsnachweis, zeiterfassung, feuille de temps, feuille d'heures, releve d'heures, hoja de horas, parte de horas, foglio ore, urenstaat, urenregistratie",
    strong: "hours worked, total hours, overtime, uberstunden, heures supplementaires",
  },
  {
    label: "expense report",
    description: "Claims back what somebody has spent.",
    names:
      "expense report, expense claim, travel expenses, expense statement, reimbursement request, reisekostenabrechnung, spesenabrechnung, reisekosten, auslagenabrechnung, note de frais, etat de frais, informe de gastos, nota de gastos, nota spese, rimborso spese, onkostennota, declaratieformulier",
  },
  {
    label: "work order",
    description: "Orders or records work of a technician or workshop.",
    names:
      "work order, job order, service order, job sheet, service report, job card, arbeitsauftrag, serviceauftrag, werkstattauftrag, montagebericht, servicebericht, regiebericht, ordre de travail, bon de travail, bon d'intervention, rapport d'intervention, orden de trabajo, parte de trabajo, ordine di lavoro, rapporto di intervento, werkbon, werkorder",
  },
  {
    label: "bill of lading",
    description: "Records goods that a carrier took over.",
    names:
      "bill of lading, waybill, air waybill, sea waybill, consignment note, cmr, freight bill, frachtbrief, konnossement, luftfrachtbrief, lettre de voiture, connaissement, lettre de transport, carta de porte, conocimiento de embarque, lettera di vettura, polizza di carico, vrachtbrief, cognossement",
    strong:
      "shipper, consignee, notify party, port of loading, port of discharge, vessel, gross weight, place of delivery, freight prepaid, absender, frachtfuhrer, expediteur, destinataire",
  },
  {
    label: "customs declaration",
    description: "Declares goods to the customs.",
    names:
      "customs declaration, import declaration, export declaration, customs form, single administrative document, zollanmeldung, zollerklarung, ausfuhranmeldung, ausfuhrbegleitdokument, zollbescheid, declaration en douane, declaration d'exportation, declaracion de aduanas, dua, dichiarazione doganale, bolletta doganale, douaneaangifte",
    strong: "country of origin, hs code, customs tariff, warennummer, zolltarifnummer, code douanier",
  },
  {
    label: "certificate of origin",
    description: "Certifies where goods come from.",
    names:
      "certificate of origin, supplier's declaration, long-term supplier's declaration, ursprungszeugnis, ursprungserklarung, lieferantenerklarung, certificat d'origine, certificado de origen, certificato di origine, certificaat van oorsprong",
  },
];
