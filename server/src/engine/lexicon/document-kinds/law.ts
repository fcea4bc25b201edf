/** Document kinds for contracts, courts, authorities and certificates. */
import type { DocumentKind } from "./document-kind.ts";

export const law: readonly DocumentKind[] = [
  {
    label: "contract",
    description: "Binds parties to what they have agreed.",
    names:
      "contract, agreement, service agreement, master agreement, framework agreement, memorandum of understanding, license agreement, consulting agreement, vertrag, vereinbarung, rahmenvertrag, dienstleistungsvertrag, kaufvertrag, werkvertrag, lizenzvertrag, wartungsvertrag, contrat, accord, convention, contrat de prestation, contrat de vente, contrat cadre, contrato, acuerdo, convenio, contrato de servicios, contratto, accordo, convenzione, contratto di servizio, overeenkomst, contract, koopovereenkomst",
    strong:
      "hereinafter, hereby agree, the parties agree, in witness whereof, governing law, entered into by and between, by and between, whereas, indemnify, im folgenden, nachfolgend, vertragsparteien, vertragspartner, salvatorische klausel, gerichtsstand, kundigungsfrist, vertragsdauer, ci-apres, entre les soussignes, il a ete convenu, las partes, clausula, reunidos, manifiestan, le parti, tra le parti, si conviene, articolo, partijen, komen overeen, ondergetekenden",
    weak: "clause, termination, liability, confidentiality, party, parties, § 1, haftung, laufzeit, article 1, obligations, signature, unterschrift",
  },
  {
    label: "lease",
    description: "Lets a flat, a house, premises or a thing for rent.",
    names:
      "lease, lease agreement, rental agreement, tenancy agreement, rental contract, mietvertrag, pachtvertrag, leasingvertrag, wohnraummietvertrag, contrat de location, bail, contrat de bail, bail d'habitation, contrato de arrendamiento, contrato de alquiler, contratto di locazione, contratto di affitto, huurovereenkomst, huurcontract",
    strong:
      "landlord, tenant, lessor, lessee, monthly rent, security deposit, vermieter, mieter, mietsache, kaution, kaltmiete, bailleur, locataire, loyer, arrendador, arrendatario, locatore, conduttore, verhuurder, huurder",
    broader: "contract",
  },
  {
    label: "employment contract",
    description: "Employs somebody under terms.",
    names:
      "employment contract, employment agreement, contract of employment, offer of employment, offer letter, arbeitsvertrag, anstellungsvertrag, dienstvertrag, ausbildungsvertrag, contrat de travail, contrato de trabajo, contrato laboral, contratto di lavoro, arbeidsovereenkomst, arbeidscontract",
    strong:
      "employer, employee, probation period, annual leave, base salary, arbeitgeber, arbeitnehmer, probezeit, jahresurlaub, arbeitszeit, employeur, salarie, periode d'essai, empleador, trabajador, datore di lavoro, lavoratore, werkgever, werknemer, proeftijd",
    broader: "contract",
  },
  {
    label: "non-disclosure agreement",
    description: "Binds parties to keep information secret.",
    names:
      "non-disclosure agreement, nondisclosure agreement, nda, confidentiality agreement, geheimhaltungsvereinbarung, vertraulichkeitsvereinbarung, verschwiegenheitserklarung, accord de confidentialite, accord de non-divulgation, acuerdo de confidencialidad, accordo di riservatezza, geheimhoudingsverklaring, geheimhoudingsovereenkomst",
    strong:
      "confidential information, disclosing party, receiving party, vertrauliche informationen, informations confidentielles",
    broader: "contract",
  },
  {
    label: "terms and conditions",
    description: "States the general terms under which business is done.",
    names:
      "terms and conditions, general terms and conditions, terms of service, terms of use, conditions of sale, terms of sale, allgemeine geschaftsbedingungen, agb, nutzungsbedingungen, verkaufsbedingungen, einkaufsbedingungen, conditions generales, conditions generales de vente, cgv, cgu, condiciones generales, terminos y condiciones, condizioni generali, termini e condizioni, algemene voorwaarden",
    strong: "shall not be liable, these terms, diese bedingungen, les presentes conditions",
  },
  {
    label: "privacy notice",
    description: "Tells how personal data are processed.",
    names:
      "privacy policy, privacy notice, data protection notice, data processing agreement, datenschutzerklarung, datenschutzhinweise, auftragsverarbeitungsvertrag, politique de confidentialite, politica de privacidad, informativa privacy, informativa sulla privacy, privacyverklaring",
    strong:
      "personal data, data subject, personenbezogene daten, donnees personnelles, datos personales, dati personali, persoonsgegevens, gdpr, dsgvo, rgpd",
  },
  {
    label: "power of attorney",
    description: "Authorizes somebody to act for another.",
    names:
      "power of attorney, letter of authorization, proxy, authorization form, vollmacht, vorsorgevollmacht, generalvollmacht, bevollmachtigung, procuration, pouvoir, mandat, poder notarial, poder, autorizacion, procura, delega, volmacht, machtigingsbrief",
    strong: "hereby authorize, hereby appoint, hiermit bevollmachtige, donne pouvoir, otorga poder, delego",
  },
  {
    label: "court document",
    description: "A decision, order or filing of a court case.",
    names:
      "judgment, judgement, court order, verdict, complaint, summons, subpoena, affidavit, motion, petition, indictment, decree, opinion of the court, urteil, beschluss, klage, klageschrift, mahnbescheid, vollstreckungsbescheid, ladung, jugement, arret, ordonnance, assignation, requete, sentencia, demanda, auto judicial, sentenza, decreto, ricorso, citazione, vonnis, dagvaarding, beschikking",
    strong:
      "plaintiff, defendant, court, case no, civil action, klager, beklagte, amtsgericht, landgericht, aktenzeichen, tribunal, demandeur, defendeur, demandante, demandado, attore, convenuto, eiser, gedaagde, rechtbank",
  },
  {
    label: "regulatory filing",
    description: "Registers or reports something to an authority.",
    names:
      "filing, regulatory filing, registration statement, registration form, supplemental statement, amendment, amendment to registration statement, disclosure statement, dissemination report, notification, meldung, anmeldung, registrierung, handelsregistermeldung, declaration, enregistrement, immatriculation, registro, declaracion, dichiarazione, registrazione, aanmelding, opgave",
    strong:
      "registration no, registration number, registrant, pursuant to section, department of justice, securities and exchange commission, as amended, under the act, under penalty of perjury, name of registrant, omb no",
  },
  {
    label: "amendment",
    description: "Changes an earlier contract or filing.",
    names:
      "amendment, addendum, supplement, annex, nachtrag, zusatzvereinbarung, anderungsvereinbarung, avenant, adenda, enmienda, addendum, emendamento, aanvulling, wijziging",
    strong: "is hereby amended, except as amended",
  },
  {
    label: "certificate",
    description: "Certifies a fact, a skill or a quality.",
    names:
      "certificate, certification, attestation, certificate of completion, certificate of conformity, declaration of conformity, test certificate, zertifikat, bescheinigung, zeugnis, urkunde, konformitatserklarung, nachweis, prufzeugnis, teilnahmebescheinigung, certificat, attestation, certificat de conformite, certificado, certificacion, constancia, certificato, attestato, certificaat, attest, verklaring",
    strong:
      "this is to certify, hereby certify, certifies that, hiermit bescheinigen, hiermit wird bescheinigt, wird bestatigt, je soussigne certifie, atteste que, certifie que, certifica que, si certifica, si attesta, verklaart hierbij",
  },
  {
    label: "permit",
    description: "Allows something, as an authority grants it.",
    names:
      "permit, licence, license, authorisation, building permit, work permit, residence permit, genehmigung, erlaubnis, baugenehmigung, bewilligung, aufenthaltstitel, autorisation, permis, permis de construire, titre de sejour, permiso, licencia, licencia de obras, permesso, permesso di soggiorno, licenza, vergunning",
  },
  {
    label: "civil status certificate",
    description: "Certifies a birth, a marriage or a death.",
    names:
      "birth certificate, marriage certificate, death certificate, certificate of live birth, geburtsurkunde, heiratsurkunde, eheurkunde, sterbeurkunde, acte de naissance, acte de mariage, acte de deces, livret de famille, partida de nacimiento, certificado de nacimiento, certificado de matrimonio, atto di nascita, certificato di nascita, certificato di matrimonio, geboorteakte, huwelijksakte, overlijdensakte",
    broader: "certificate",
  },
  {
    label: "identity document",
    description: "Proves who somebody is.",
    names:
      "identity card, id card, passport, driving licence, driver's license, driver license, identity document, personalausweis, reisepass, fuhrerschein, ausweis, carte d'identite, carte nationale d'identite, passeport, permis de conduire, documento nacional de identidad, pasaporte, permiso de conducir, carta d'identita, passaporto, patente di guida, identiteitskaart, paspoort, rijbewijs",
    strong:
      "date of birth, nationality, place of birth, date of expiry, staatsangehorigkeit, geburtsdatum, nationalite, nacionalidad, nazionalita, nationaliteit",
  },
  {
    label: "vehicle registration",
    description: "Registers a vehicle.",
    names:
      "vehicle registration, registration certificate, certificate of title, fahrzeugschein, fahrzeugbrief, zulassungsbescheinigung, carte grise, certificat d'immatriculation, permiso de circulacion, libretto di circolazione, carta di circolazione, kentekenbewijs",
    strong: "vin, license plate, fahrgestellnummer, kennzeichen, erstzulassung, immatriculation",
  },
  {
    label: "deed",
    description: "Transfers or records a right, often before a notary.",
    names:
      "deed, title deed, warranty deed, will, last will and testament, articles of association, articles of incorporation, bylaws, notarial deed, kaufurkunde, notarvertrag, testament, satzung, gesellschaftsvertrag, grundbuchauszug, acte notarie, acte de vente, statuts, escritura, testamento, estatutos, atto notarile, rogito, statuto, akte, notariele akte, statuten",
    strong: "notary, notary public, notar, notaire, notario, notaio, notaris, urkundenrolle",
  },
  {
    label: "notice of termination",
    description: "Ends a contract or a membership.",
    names:
      "notice of termination, termination letter, cancellation, notice of cancellation, resignation letter, kundigung, kundigungsschreiben, widerruf, lettre de resiliation, resiliation, lettre de demission, carta de rescision, rescision, baja, lettera di disdetta, disdetta, recesso, opzegging, opzegbrief",
    strong:
      "hiermit kundige, hereby terminate, hereby give notice, je vous informe de ma decision de resilier, kundigungsbestatigung",
  },
  {
    label: "patent",
    description: "Describes and claims an invention.",
    names: "patent, patent application, patentschrift, offenlegungsschrift, brevet, patente, brevetto, octrooi",
    strong:
      "field of the invention, what is claimed, claims, inventor, prior art, embodiment, patentanspruche, erfindung, revendications",
  },
  {
    label: "minutes",
    description: "Records what a meeting discussed and decided.",
    names:
      "minutes, meeting minutes, minutes of meeting, minutes of the meeting, protokoll, sitzungsprotokoll, besprechungsprotokoll, niederschrift, proces-verbal, compte rendu, compte-rendu de reunion, acta, acta de reunion, verbale, verbale di riunione, verbale di assemblea, notulen",
    strong:
      "present, absent, attendees, next meeting, action items, adjourned, teilnehmer, anwesend, tagesordnung, presents, ordre du jour, asistentes, orden del dia, presenti, ordine del giorno, aanwezig, agendapunten",
  },
  {
    label: "agenda",
    description: "Lists what a meeting or an event is about.",
    names:
      "agenda, meeting agenda, programme, program, tagesordnung, programm, einladung, ordre du jour, programme, orden del dia, programa, ordine del giorno, programma",
  },
];
