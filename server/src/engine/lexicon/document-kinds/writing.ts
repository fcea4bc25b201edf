/**
 * Document kinds for correspondence, reports, forms, work, health and travel. Also contains generic
 * page types.
 */
import type { DocumentKind } from "./document-kind.ts";

export const writing: readonly DocumentKind[] = [
  {
    label: "letter",
    description: "Speaks to an addressee, with salutation and closing.",
    names:
      "letter, correspondence, cover letter, brief, schreiben, anschreiben, lettre, courrier, carta, lettera, brief, schrijven",
    strong:
      "dear sir, dear madam, dear sirs, dear mr, dear ms, dear mrs, sincerely, yours sincerely, yours faithfully, sincerely yours, very truly yours, kind regards, best regards, sehr geehrte, sehr geehrter, sehr geehrte damen und herren, mit freundlichen grussen, mit freundlichem gruss, hochachtungsvoll, madame monsieur, veuillez agreer, salutations distinguees, cordialement, estimado, estimada, muy senor mio, atentamente, le saluda atentamente, gentile, egregio, spettabile, distinti saluti, cordiali saluti, geachte, met vriendelijke groet, hoogachtend",
  },
  {
    label: "e-mail",
    description: "A printed e-mail, with sender, recipients and subject.",
    names:
      "e-mail, email, mail message, e-mail message, nachricht, courriel, correo electronico, messaggio di posta, posta elettronica",
    strong:
      "from to subject, sent to subject, from sent to, original message, gesendet an betreff, von an betreff, de a objet, forwarded message, envoye a objet, cc subject",
  },
  {
    label: "memo",
    description: "A short note inside an organization, with sender, recipients and subject.",
    names:
      "memo, memorandum, interoffice memorandum, internal memo, inter-office correspondence, office memorandum, file note, aktennotiz, hausmitteilung, aktenvermerk, vermerk, note de service, note interne, memorando, nota interna, promemoria, interne memo",
    strong: "to from date subject, to from subject, to from date re, inter-office, interoffice",
  },
  {
    label: "fax",
    description: "The cover sheet or page of a fax.",
    names:
      "fax, facsimile, fax cover sheet, fax cover, fax transmission, fax transmittal, facsimile transmission, facsimile cover sheet, telefax, telecopy, telecopie, telecopieur, faxnachricht, fax message, transmission sheet, faxdeckblatt, envio por fax",
    strong:
      "number of pages, pages including cover, including this cover, fax number, fax no, telecopier, anzahl der seiten, nombre de pages, numero de paginas, numero di pagine, if you do not receive all pages, confidentiality notice, this transmission",
  },
  {
    label: "press release",
    description: "Tells the press of something.",
    names:
      "press release, news release, for immediate release, media release, pressemitteilung, presseinformation, communique de presse, nota de prensa, comunicado de prensa, comunicato stampa, persbericht",
    strong: "media contact, press contact, for immediate release, pressekontakt, contact presse",
  },
  {
    label: "notice",
    description: "Tells something to a public or a group of people.",
    names:
      "notice, public notice, announcement, circular, bekanntmachung, mitteilung, aushang, rundschreiben, avis au public, annonce, circulaire, aviso, anuncio, comunicado, avviso, comunicazione, circolare, kennisgeving, mededeling",
  },
  {
    label: "newsletter",
    description: "News of an organization or a subject, issued again and again.",
    names:
      "newsletter, bulletin, magazine, newspaper, gazette, rundbrief, zeitschrift, zeitung, amtsblatt, lettre d'information, journal, boletin, revista, periodico, notiziario, rivista, giornale, nieuwsbrief, tijdschrift, krant",
  },
  {
    label: "article",
    description: "Running text on a subject, as in a journal, an encyclopedia or a conference.",
    names:
      "article, paper, research paper, scientific paper, journal article, essay, working paper, running text, artikel, aufsatz, fachartikel, publication, article scientifique, articulo, ensayo, articolo, saggio, artikel, wetenschappelijk artikel",
    strong:
      "abstract, keywords, references, bibliography, related work, acknowledgments, acknowledgements, et al, zusammenfassung, literaturverzeichnis, resume, bibliographie, mots-cles, resumen, palabras clave, bibliografia, riassunto, parole chiave, samenvatting",
    weak: "introduction, conclusion, figure 1, table 1, fig, doi, university, proceedings",
  },
  {
    label: "report",
    description: "Reports on findings, activities or a period.",
    names:
      "report, annual report, final report, progress report, status report, activity report, study, audit report, survey report, bericht, jahresbericht, geschaftsbericht, abschlussbericht, zwischenbericht, tatigkeitsbericht, gutachten, studie, rapport, rapport annuel, rapport d'activite, etude, informe, informe anual, memoria anual, estudio, relazione, relazione annuale, rapporto, studio, verslag, jaarverslag, onderzoek, rapportage",
    strong:
      "executive summary, table of contents, inhaltsverzeichnis, sommaire, table des matieres, findings, recommendations",
  },
  {
    label: "test report",
    description: "States the results of tests or analyses.",
    names:
      "test report, laboratory report, lab report, analysis report, certificate of analysis, inspection report, test results, prufbericht, laborbericht, analysebericht, messprotokoll, prufprotokoll, abnahmeprotokoll, rapport d'essai, rapport d'analyse, informe de ensayo, informe de laboratorio, rapporto di prova, referto di laboratorio, testrapport, keuringsrapport, analyserapport",
    strong:
      "sample, specimen, method, result unit, reference range, test method, probe, messwert, grenzwert, referenzbereich, echantillon, muestra, campione",
  },
  {
    label: "medical report",
    description: "States findings and treatment of a patient.",
    names:
      "medical report, discharge summary, medical record, clinical report, patient record, doctor's letter, radiology report, arztbrief, entlassungsbericht, befund, befundbericht, arztbericht, compte rendu medical, compte rendu d'hospitalisation, informe medico, informe de alta, historia clinica, referto, referto medico, cartella clinica, lettera di dimissione, ontslagbrief, medisch verslag",
    strong:
      "patient, diagnosis, medication, treatment, anamnesis, history of present illness, diagnose, therapie, befund, diagnostic, traitement, diagnostico, tratamiento, diagnosi, terapia",
  },
  {
    label: "prescription",
    description: "Prescribes medicine or treatment.",
    names:
      "prescription, medical prescription, rezept, verordnung, ordonnance medicale, receta, receta medica, ricetta, ricetta medica, recept",
    strong: "mg, tablets, dosage, refills, einnahme, posologie, dosis",
  },
  {
    label: "sick note",
    description: "Certifies that somebody is unfit for work.",
    names:
      "sick note, medical certificate, sick leave certificate, fit note, arbeitsunfahigkeitsbescheinigung, krankschreibung, arret de travail, avis d'arret de travail, certificat medical, baja medica, parte de baja, certificato medico, certificato di malattia, ziekmelding, doktersattest",
  },
  {
    label: "manual",
    description: "Tells how to use, install or do something.",
    names:
      "manual, user manual, user guide, user's guide, instructions, operating instructions, installation guide, handbook, quick start guide, tutorial, bedienungsanleitung, betriebsanleitung, gebrauchsanweisung, anleitung, handbuch, benutzerhandbuch, montageanleitung, mode d'emploi, manuel, notice d'utilisation, guide d'utilisation, manual de usuario, manual de instrucciones, instrucciones, guia, manuale, manuale d'uso, istruzioni per l'uso, guida, handleiding, gebruiksaanwijzing, gebruikershandleiding",
    strong:
      "warning, caution, troubleshooting, step 1, press the, achtung, sicherheitshinweise, attention, avertissement, advertencia, avvertenza, waarschuwing",
  },
  {
    label: "data sheet",
    description: "States the properties of a product.",
    names:
      "data sheet, datasheet, technical data sheet, product data sheet, specification sheet, spec sheet, product information, datenblatt, technisches datenblatt, produktdatenblatt, fiche technique, ficha tecnica, hoja de datos, scheda tecnica, productblad, technische fiche",
    strong:
      "technical data, features, dimensions, operating temperature, technische daten, caracteristiques techniques, caracteristicas, caratteristiche tecniche",
  },
  {
    label: "safety data sheet",
    description: "States the hazards of a substance and how to handle it.",
    names:
      "safety data sheet, material safety data sheet, msds, sicherheitsdatenblatt, fiche de donnees de securite, ficha de datos de seguridad, hoja de seguridad, scheda di sicurezza, scheda di dati di sicurezza, veiligheidsinformatieblad",
    strong:
      "hazards identification, first aid measures, hazard statements, toxicological information, gefahrenhinweise, erste-hilfe-massnahmen, mentions de danger",
    broader: "data sheet",
  },
  {
    label: "specification",
    description: "Sets out what is required of something.",
    names:
      "specification, technical specification, requirements, requirements specification, standard, statement of work, spezifikation, lastenheft, pflichtenheft, leistungsverzeichnis, leistungsbeschreibung, norm, cahier des charges, specification technique, norme, especificacion, pliego de condiciones, specifica tecnica, capitolato, bestek, programma van eisen",
  },
  {
    label: "resume",
    description: "States education and career of a person.",
    names:
      "resume, curriculum vitae, cv, vita, lebenslauf, lebenslaufe, profil professionnel, hoja de vida, curriculo, levensloop",
    strong:
      "work experience, professional experience, education, skills, employment history, languages, references available, berufserfahrung, ausbildung, kenntnisse, experience professionnelle, formation, competences, centres d'interet, experiencia laboral, experiencia profesional, formacion academica, idiomas, esperienza lavorativa, istruzione e formazione, competenze, werkervaring, opleiding, vaardigheden",
  },
  {
    label: "job application",
    description: "Applies for a job.",
    names:
      "job application, application for employment, employment application, letter of application, motivation letter, bewerbung, bewerbungsschreiben, motivationsschreiben, candidature, lettre de motivation, lettre de candidature, solicitud de empleo, carta de presentacion, domanda di lavoro, lettera di presentazione, sollicitatie, sollicitatiebrief, motivatiebrief",
  },
  {
    label: "job reference",
    description: "States how somebody has worked.",
    names:
      "reference letter, letter of recommendation, job reference, arbeitszeugnis, zwischenzeugnis, dienstzeugnis, lettre de recommandation, certificat de travail, carta de recomendacion, lettera di referenze, getuigschrift, aanbevelingsbrief",
  },
  {
    label: "school report",
    description: "States marks or a degree.",
    names:
      "transcript, transcript of records, school report, report card, diploma, degree certificate, zeugnis, schulzeugnis, notenspiegel, bulletin scolaire, bulletin de notes, releve de notes, diplome, expediente academico, boletin de notas, titulo universitario, pagella, diploma di laurea, cijferlijst, schoolrapport",
    strong: "grade, gpa, credits, semester, note, ects, moyenne, calificacion, voto",
  },
  {
    label: "form",
    description: "A form with fields that were or are to be filled in.",
    names:
      "form, requisition, worksheet, information sheet, contact sheet, assignment sheet, evaluation sheet, request, routing slip, transmittal slip, record sheet, application form, registration form, questionnaire, request form, order blank, checklist, application, enrollment form, evaluation form, survey, formular, antrag, fragebogen, antragsformular, anmeldeformular, meldebogen, vordruck, checkliste, formulaire, demande, questionnaire, formulario, solicitud, cuestionario, modulo, domanda, richiesta, questionario, formulier, aanvraagformulier, vragenlijst, aanvraag",
    strong:
      "please print, please complete, for office use only, check one, check all that apply, signature date, fill in, form no, zutreffendes ankreuzen, bitte ausfullen, bitte ankreuzen, nur fur interne zwecke, cocher, a remplir, a completer, marque con una x, rellenar, da compilare, barrare, in te vullen, aankruisen",
    weak: "name, address, date, signature, yes no, phone, approved by, requested by, submitted by, title, telephone, department, comments, remarks, unterschrift",
  },
  {
    label: "list",
    description: "A list or table of items.",
    names:
      "list, inventory, inventory list, register, directory, liste, bestandsliste, verzeichnis, inventar, inventarliste, inventaire, repertoire, listado, inventario, lista, elenco, lijst, overzicht",
  },
  {
    label: "schedule",
    description: "Plans what happens when.",
    names:
      "schedule, timetable, calendar, project plan, roster, time schedule, zeitplan, terminplan, fahrplan, dienstplan, projektplan, stundenplan, calendrier, emploi du temps, planning, horario, calendario, cronograma, orario, rooster, dienstregeling, tijdschema",
  },
  {
    label: "presentation",
    description: "Slides of a talk.",
    names:
      "presentation, slides, slide deck, prasentation, folien, diaporama, presentacion, diapositivas, presentazione, presentatie",
  },
  {
    label: "book",
    description: "A book, a thesis or a chapter of it.",
    names:
      "book, thesis, dissertation, novel, textbook, chapter, buch, diplomarbeit, bachelorarbeit, masterarbeit, kapitel, livre, these, memoire, roman, chapitre, libro, tesis, novela, capitulo, tesi, romanzo, capitolo, boek, proefschrift, scriptie, hoofdstuk",
    strong: "isbn, copyright, all rights reserved, table of contents, chapter 1, publisher",
  },
  {
    label: "ticket",
    description: "Admits to a journey or an event.",
    names:
      "ticket, boarding pass, e-ticket, train ticket, flight ticket, fahrkarte, fahrschein, bordkarte, eintrittskarte, flugticket, billet, carte d'embarquement, billete, entrada, tarjeta de embarque, biglietto, carta d'imbarco, instapkaart, treinkaartje, toegangskaart",
    strong:
      "seat, gate, boarding, departure, passenger, flight, sitzplatz, abfahrt, wagen, siege, depart, passager, asiento, pasajero, posto, partenza, passeggero, vertrek, stoel",
  },
  {
    label: "booking confirmation",
    description: "Confirms a reservation or a journey.",
    names:
      "booking confirmation, reservation confirmation, itinerary, travel itinerary, reservation, hotel reservation, buchungsbestatigung, reservierungsbestatigung, reisebestatigung, reiseplan, confirmation de reservation, itineraire, confirmacion de reserva, itinerario, conferma di prenotazione, prenotazione, boekingsbevestiging, reserveringsbevestiging",
    strong:
      "check-in, check-out, booking number, booking reference, reservation number, guests, nights, buchungsnummer, anreise, abreise, numero de reservation, arrivee, numero de reserva",
  },
  {
    label: "drawing",
    description: "A technical drawing or plan.",
    names:
      "drawing, technical drawing, floor plan, site plan, blueprint, zeichnung, technische zeichnung, grundriss, lageplan, bauplan, dessin technique, plan de situation, plano, dibujo tecnico, disegno tecnico, planimetria, tekening, plattegrond",
    strong: "scale, drawn by, checked by, drawing no, massstab, gezeichnet, zeichnungsnummer, echelle",
  },
];
