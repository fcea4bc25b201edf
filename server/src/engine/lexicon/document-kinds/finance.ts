/** Document kinds used by banks, insurers, tax offices and bookkeepers. */
import type { DocumentKind } from "./document-kind.ts";

export const finance: readonly DocumentKind[] = [
  {
    label: "bank statement",
    description: "Lists the movements and balances of a bank account.",
    names:
      "bank statement, account statement, statement, current account statement, checking account statement, kontoauszug, auszug, girokonto auszug, releve bancaire, releve de compte, releve d'identite bancaire, extracto bancario, extracto de cuenta, estado de cuenta, estratto conto, rekeningafschrift, bankafschrift, extrato bancario",
    strong:
      "opening balance, closing balance, previous balance, new balance, ending balance, beginning balance, deposits, withdrawals, alter saldo, neuer kontostand, neuer saldo, anfangssaldo, endsaldo, kontostand, buchungstag, wertstellung, ancien solde, nouveau solde, solde crediteur, date valeur, debit credit, saldo anterior, saldo final, saldo iniziale, saldo finale, beginsaldo, eindsaldo, vorig saldo",
    weak: "account number, kontonummer, sort code, balance, saldo, solde, transaction, buchung, iban, bic",
  },
  {
    label: "credit card statement",
    description: "Lists the purchases charged to a credit card.",
    names:
      "credit card statement, card statement, kreditkartenabrechnung, kreditkartenauszug, releve de carte, releve de carte de credit, extracto de tarjeta, estratto conto carta di credito, creditcardafschrift",
    strong:
      "minimum payment, credit limit, card number ending, payment due date, verfugungsrahmen, annual percentage rate, apr",
    broader: "bank statement",
  },
  {
    label: "cheque",
    description: "Orders a bank to pay an amount.",
    names:
      "cheque, bank check, cashier check, money order, bank draft, verrechnungsscheck, scheck, cheque bancaire, cheque bancario, assegno",
    strong: "pay to the order of, zahlen sie gegen diesen scheck, payez contre ce cheque",
  },
  {
    label: "direct debit mandate",
    description: "Allows a creditor to collect payments from an account.",
    names:
      "direct debit mandate, sepa mandate, sepa direct debit mandate, direct debit authorisation, lastschriftmandat, sepa-lastschriftmandat, einzugsermachtigung, mandat de prelevement, mandat de prelevement sepa, autorisation de prelevement, mandato sepa, orden de domiciliacion, mandato di addebito, machtiging, doorlopende machtiging",
    strong:
      "creditor identifier, mandate reference, glaubiger-identifikationsnummer, mandatsreferenz, reference unique du mandat",
  },
  {
    label: "payslip",
    description: "States wages or salary and what is withheld of them.",
    names:
      "payslip, pay slip, pay stub, paystub, salary slip, wage slip, earnings statement, payroll, gehaltsabrechnung, lohnabrechnung, entgeltabrechnung, verdienstabrechnung, bezugemitteilung, abrechnung der brutto/netto-bezuge, bulletin de paie, bulletin de salaire, fiche de paie, nomina, recibo de nomina, recibo de salario, busta paga, cedolino, loonstrook, salarisstrook, loonstrookje",
    strong:
      "gross pay, net pay, deductions, year to date, social security, steuerklasse, bruttolohn, nettolohn, auszahlungsbetrag, sozialversicherung, lohnsteuer, salaire brut, salaire net, net a payer avant impot, cotisations, salario bruto, deducciones, liquido a percibir, retribuzione, trattenute, brutoloon, nettoloon, loonheffing",
  },
  {
    label: "tax return",
    description: "Declares income or turnover to a tax office.",
    names:
      "tax return, income tax return, vat return, tax declaration, steuererklarung, einkommensteuererklarung, umsatzsteuervoranmeldung, umsatzsteuererklarung, declaration de revenus, declaration d'impots, declaration de tva, declaracion de la renta, declaracion del iva, dichiarazione dei redditi, modello 730, belastingaangifte, btw-aangifte, form 1040, form w-2, form w-9, wage and tax statement",
    strong:
      "taxable income, adjusted gross income, finanzamt, zu versteuerndes einkommen, revenu imposable, base imponible",
  },
  {
    label: "tax assessment",
    description: "States the tax that an office has assessed.",
    names:
      "tax assessment, notice of assessment, tax bill, tax notice, property tax bill, steuerbescheid, einkommensteuerbescheid, bescheid, grundsteuerbescheid, gewerbesteuerbescheid, gebuhrenbescheid, avis d'imposition, avis d'impot, avis de taxe fonciere, liquidacion tributaria, recibo del ibi, avviso di accertamento, cartella esattoriale, belastingaanslag, aanslag, aanslagbiljet",
    strong: "rechtsbehelfsbelehrung, festgesetzt, finanzamt, assessed value",
  },
  {
    label: "financial statement",
    description: "States assets, liabilities, income or cash flows of an organization.",
    names:
      "financial statement, financial statements, balance sheet, income statement, profit and loss, profit and loss account, statement of income, statement of cash flows, cash flow statement, trial balance, annual accounts, bilanz, gewinn- und verlustrechnung, jahresabschluss, summen- und saldenliste, bwa, betriebswirtschaftliche auswertung, bilan, compte de resultat, comptes annuels, balance general, balance de situacion, cuenta de resultados, cuentas anuales, stato patrimoniale, conto economico, bilancio, balans, winst- en verliesrekening, jaarrekening",
    strong:
      "total assets, total liabilities, shareholders equity, stockholders equity, net income, retained earnings, aktiva, passiva, eigenkapital, jahresuberschuss, capitaux propres, actif, passif, resultat net, patrimonio neto, utile netto",
  },
  {
    label: "budget",
    description: "Plans income and expenses.",
    names:
      "budget, budget proposal, forecast, haushaltsplan, budgetplan, kostenplan, budget previsionnel, presupuesto anual, bilancio preventivo, begroting",
  },
  {
    label: "insurance policy",
    description: "States what an insurance covers.",
    names:
      "insurance policy, policy, policy schedule, certificate of insurance, insurance certificate, insurance contract, versicherungsschein, versicherungspolice, police, versicherungsvertrag, versicherungsnachweis, police d'assurance, contrat d'assurance, attestation d'assurance, poliza de seguro, poliza, polizza, polizza assicurativa, polizza di assicurazione, verzekeringspolis, polis, polisblad",
    strong:
      "insured, policyholder, policy number, sum insured, coverage, deductible, premium, versicherungsnehmer, versicherungssumme, selbstbeteiligung, jahresbeitrag, assure, souscripteur, prime annuelle, tomador del seguro, prima, contraente, premio annuo, verzekeringnemer",
  },
  {
    label: "insurance claim",
    description: "Reports a damage or loss to an insurer.",
    names:
      "insurance claim, claim form, notice of claim, accident report, damage report, claim report, schadenmeldung, schadensmeldung, schadenanzeige, unfallbericht, schadensbericht, leistungsantrag, declaration de sinistre, constat amiable, parte de accidente, declaracion de siniestro, denuncia di sinistro, constatazione amichevole, schadeformulier, schademelding",
    strong: "date of loss, claim number, claimant, schadennummer, schadentag, unfallhergang, date du sinistre",
  },
  {
    label: "loan agreement",
    description: "Lends money under terms.",
    names:
      "loan agreement, credit agreement, mortgage, mortgage agreement, promissory note, loan application, darlehensvertrag, kreditvertrag, schuldschein, hypothek, contrat de pret, contrat de credit, offre de pret, contrato de prestamo, hipoteca, contratto di mutuo, contratto di prestito, leningsovereenkomst, hypotheek",
    strong:
      "borrower, lender, interest rate, principal amount, darlehensnehmer, darlehensgeber, sollzins, emprunteur, preteur, prestatario, mutuatario",
    broader: "contract",
  },
  {
    label: "utility bill",
    description: "Asks for payment for electricity, gas, water or telephone.",
    names:
      "utility bill, electricity bill, gas bill, water bill, phone bill, telephone bill, energy bill, stromrechnung, gasrechnung, wasserrechnung, telefonrechnung, mobilfunkrechnung, nebenkostenabrechnung, heizkostenabrechnung, betriebskostenabrechnung, facture d'electricite, facture de gaz, facture d'eau, facture de telephone, facture mobile, factura de luz, factura de electricidad, factura de gas, factura de agua, bolletta, bolletta luce, bolletta gas, energierekening, energienota",
    strong:
      "meter reading, meter number, kwh, zahlerstand, zahlernummer, consommation, verbrauch, lectura, consumo, meterstand",
    broader: "invoice",
  },
];
