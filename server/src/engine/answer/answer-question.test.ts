import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countWords } from "../../language/count-words.ts";
import { passagesOf } from "../../search/passages.ts";
import type { Answer, AskRequest, PassageText, Turn } from "../answering.ts";
import { documentOf } from "../testing/document-builder.ts";
import { answerText, builtinAnswerer } from "./answer-question.ts";
import { readFacts } from "./read-facts.ts";

const passage = (text: string, more: Partial<PassageText> = {}): PassageText => ({
  text,
  title: "",
  headings: [],
  name: "document.pdf",
  path: "",
  score: 10,
  ...more,
});

const lease = passage(
  "4. Term and termination\nThis agreement begins on 1 March 2021 and runs for an indefinite period. Either party may terminate it with a notice period of three months to the end of a " +
    "calendar quarter.\nNotice must be given in writing. The deposit of 2,400 euros is paid back within six weeks after the keys are returned.",
  { title: "Lease agreement", name: "lease.pdf", headings: ["4. Term and termination"] },
);
const bridge = passage(
  "The bridge was opened in 1932 by the mayor, Ada Lindqvist. It spans 640 metres and carries six lanes. Because the old ferry could not cope with the traffic, the city had decided on a " +
    "bridge in 1924. In 2019 about 81,000 vehicles crossed it every day; in 2020 there were only 52,000.",
  { title: "Harbour bridge", name: "bridge.docx", score: 9 },
);
const corpus = [lease, bridge];

function ask(query: string, more: Partial<AskRequest> = {}, passages: readonly PassageText[] = corpus): Answer {
  const question = builtinAnswerer.understand({ query, instructions: [], consignes: [], historic: [], ...more });
  return builtinAnswerer.answer(question, passages);
}

test("the sentence that contains the answer is quoted", () => {
  const cases: [string, RegExp][] = [
    ["What is the notice period of the agreement?", /notice period of three months/],
    ["Who opened the bridge?", /Ada Lindqvist/],
    ["When was the bridge opened?", /opened in 1932/],
    ["How many lanes does the bridge carry?", /six lanes/],
    ["Why did the city decide on a bridge?", /the old ferry could not cope/],
    ["How many vehicles crossed the bridge every day in 2020?", /52,000/],
    ["Is notice to be given in writing?", /Notice must be given in writing/],
    ["How much is the deposit?", /2,400 euros/],
  ];
  for (const [query, expected] of cases) {
    const answer = ask(query);
    assert.ok(answer.found, query);
    assert.match(answerText(answer), expected, query);
    assert.ok(countWords(answerText(answer)) <= 40, query);
  }
});

test("a question is answered in the language of the document", () => {
  const cases: [string, string, RegExp][] = [
    [
      "Qui a fondé la société ?",
      "La société a été fondée en 1987 par Hélène Marchand. Son siège est à Lyon.",
      /Hélène Marchand/,
    ],
    [
      "Wie lange ist die Kündigungsfrist?",
      "Die Kündigungsfrist beträgt vier Wochen. Der Mieter zahlt die Miete zum 3. Oktober im Voraus.",
      /vier Wochen/,
    ],
    [
      "¿Cuándo se firmó el contrato?",
      "El contrato se firmó el 5 de mayo de 2018. El proveedor entrega en Sevilla.",
      /5 de mayo de 2018/,
    ],
    ["Dove si trova la sede?", "La sede si trova a Torino. La società ha 40 dipendenti.", /Torino/],
    [
      "Wanneer begint de overeenkomst?",
      "De overeenkomst begint op 1 juni 2020. De huur bedraagt 900 euro.",
      /1 juni 2020/,
    ],
    ["Quem assinou o acordo?", "O acordo foi assinado por Maria Duarte. A taxa é de 5%.", /Maria Duarte/],
    [
      "Сколько сотрудников работает на заводе?",
      "Завод был построен в 1965 году. На заводе работает 1200 сотрудников.",
      /1200/,
    ],
    ["متى تأسست الشركة؟", "تأسست الشركة عام 1994 في القاهرة. يعمل فيها 300 موظف.", /1994/],
    ["公司是哪一年成立的？", "公司成立于1998年。总部设在上海。", /1998/],
  ];
  for (const [query, text, expected] of cases) {
    const answer = ask(query, {}, [passage(text)]);
    assert.ok(answer.found, query);
    assert.match(answerText(answer), expected, query);
  }
});

test("if the passages contain no answer, the fixed sentence is in the language of the question", () => {
  assert.deepEqual(ask("What is the capital of Mongolia?").parts, [
    { before: "", text: "The documents hold no answer to this question.", sources: [] },
  ]);
  assert.match(answerText(ask("Quelle est la capitale de la Mongolie ?")), /^Les documents ne contiennent pas/);
  assert.match(answerText(ask("Какова столица Монголии?", {}, [])), /^В документах нет ответа/);
  assert.match(answerText(ask("蒙古的首都是哪里？", {}, [])), /^文档中没有/);
  assert.equal(ask("Which part of the agreement may never be terminated by anyone in Mongolia?").found, false);
});

test("a follow-up question is resolved from the conversation", () => {
  const turns = (...contents: string[]): Turn[] =>
    contents.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
  const year = ask("And in 2020?", {
    historic: turns("How many vehicles crossed the bridge every day in 2019?", "About 81,000 vehicles."),
  });
  assert.match(answerText(year), /52,000/);
  const pronoun = builtinAnswerer.understand({
    query: "When was it opened?",
    instructions: [],
    consignes: [],
    historic: turns("Who built the Harbour Bridge?", "It was built by the city."),
  });
  assert.match(pronoun.searchText, /Harbour Bridge/);
  const alone = builtinAnswerer.understand({
    query: "How much is the deposit of the lease agreement?",
    instructions: [],
    consignes: [],
    historic: turns("Who opened the bridge?", "Ada Lindqvist."),
  });
  assert.equal(alone.context, "");
  const field = builtinAnswerer.understand({
    query: "And of invoice 4712?",
    instructions: [],
    consignes: [],
    historic: turns("What is the total amount of invoice 4711?", "12.00"),
  });
  assert.equal(field.field?.param.format, "number");
  assert.match(field.searchText, /4712/);
  assert.doesNotMatch(field.searchText, /4711/);
});

test("instructions set the length, the language and text of fixed sentences, and topics to avoid", () => {
  const wishes = (instructions: string[], consignes: string[] = []) =>
    builtinAnswerer.understand({ query: "Who opened the bridge?", instructions, consignes, historic: [] }).wishes;
  assert.equal(wishes(["Answer in one sentence."]).sentences, 1);
  assert.equal(wishes(["Réponds en deux phrases"]).sentences, 2);
  assert.equal(wishes(["Höchstens 20 Wörter"]).words, 20);
  assert.equal(wishes(["Answer briefly"]).sentences, 1);
  assert.ok(wishes(["Give a detailed answer"]).words > 40);
  assert.equal(wishes([], ["Always answer in French."]).language, "fr");
  assert.equal(wishes(["Answer in German"], ["Always answer in French."]).language, "de");
  assert.equal(wishes(['If you don\'t know, say "Please call us."']).noAnswer, "Please call us.");
  assert.deepEqual(wishes(["Do not mention Ada Lindqvist."]).avoid, ["ada lindqvist"]);
  assert.deepEqual(wishes(["Be kind and call the reader by the first name"]), wishes([]));
  assert.doesNotMatch(
    answerText(ask("Who opened the bridge?", { instructions: ["Do not mention Ada Lindqvist."] })),
    /Lindqvist/,
  );
  assert.equal(
    ask("How many vehicles crossed the bridge in 2020?", {
      instructions: ["One sentence only, please: in one sentence."],
    }).parts.length,
    1,
  );
});

test("the owner that a question names identifies the document and is not part of the field", () => {
  const understood = (query: string) =>
    builtinAnswerer.understand({ query, instructions: [], consignes: [], historic: [] });
  for (const [query, owners] of [
    ["What is the total of the Netpresse invoice?", ["netpresse"]],
    ["What is the total amount of the invoice from Acme Widgets Ltd?", ["acme", "widgets", "ltd"]],
    ["Wie hoch ist der Gesamtbetrag der Netpresse-Rechnung?", ["netpresse"]],
    ["Wann ist die Rechnung der Stadtwerke fällig?", ["stadtwerke"]],
    ["Quel est le montant total de la facture Orange ?", ["orange"]],
    ["What is the VAT ID of the supplier?", []],
    ["What is the SIREN number of the invoice?", []],
  ] as const)
    assert.deepEqual(understood(query).field?.owners, owners, query);
  assert.equal(understood("What was the total population of Germany?").field, undefined);

  const passages = [
    passage("Invoice 4711 of Netpresse\nTotal: 12.00", { name: "a.pdf", score: 5 }),
    passage("Invoice 4712 of Harbour Cranes\nTotal: 99.00", { name: "b.pdf" }),
  ];
  const read = (query: string) => builtinAnswerer.documentsToRead(understood(query), passages);
  assert.deepEqual(read("What is the total of the Harbour Cranes invoice?"), [[1]]);
  assert.deepEqual(read("What is the total of the Microsoft invoice?"), []);
  assert.deepEqual(read("What is the total of invoice 99999 of Netpresse?"), [], "the name alone is not enough");
});

test("a question about a field of a business document is answered with the field's value", () => {
  const format = (query: string): string | undefined =>
    builtinAnswerer.understand({ query, instructions: [], consignes: [], historic: [] }).field?.param.format;
  assert.equal(format("What is the total amount of invoice RE-2017/05?"), "number");
  assert.equal(format("Wer ist der Lieferant?"), "text");
  assert.equal(format("Quelle est la date d'échéance de la facture ?"), "date");
  assert.equal(format("Why was the bridge built?"), undefined);
  const question = builtinAnswerer.understand({
    query: "What is the total amount of invoice 20170509?",
    instructions: [],
    consignes: [],
    historic: [],
  });
  const passages = [
    passage("Rechnung # RE-20180101 von 01.01.2018\nGesamtbetrag: 12,00 €", { name: "b.pdf" }),
    passage("Rechnung # RE-20170509 von 09.05.2017\nGesamtbetrag: 571,04 €", { name: "a.pdf", score: 5 }),
  ];
  assert.deepEqual(builtinAnswerer.documentsToRead(question, passages), [[1]]);
  // 20170509 as a separate word identifies an invoice better than the same digits in "RE-20170509".
  const bare = passage("Rechnung 20170509 von 09.05.2017\nGesamtbetrag: 99,00 €", { name: "c.pdf" });
  const all = [...passages, bare];
  assert.deepEqual(builtinAnswerer.documentsToRead(question, all), [[2]]);
  const document = documentOf([
    ["Rechnung", "20170509"],
    ["Datum:", "09.05.2017"],
    ["Netto:", "83,19 €"],
    ["Gesamtbetrag:", "99,00 €"],
  ]);
  const answer = builtinAnswerer.answer(question, all, [{ passage: 2, facts: readFacts(document, question) }]);
  assert.equal(answerText(answer), "99,00 €");
  const [source] = answer.parts[0]?.sources ?? [];
  assert.ok(source && "evidence" in source && source.passage === 2 && source.evidence.confidence === answer.confidence);
  const other = builtinAnswerer.understand({
    ...question,
    query: "What is the total amount of invoice 99999999?",
    instructions: [],
    consignes: [],
    historic: [],
  });
  assert.deepEqual(builtinAnswerer.documentsToRead(other, passages), []);
});

const tenancy = documentOf([
  ["TENANCY AGREEMENT"],
  ["Landlord", "Alaric Penhallow"],
  ["Tenant", "Roisin Adeyemi"],
  ["Address of the flat", "9b Tannery Court, Lowick"],
  ["Monthly rent", "£1,085.00"],
  ["Deposit", "£1,250.00"],
  ["Start of the tenancy", "3 February 2025"],
  ["Item", "Keys", "Meter reading"],
  ["Front door", "2", "418"],
  ["Garage", "1", "77"],
]);

test("a question about a business document is answered even if it uses other words or another language", () => {
  const text = passagesOf(tenancy, { name: "tenancy.pdf", path: "" }).map((each) => passage(each.text, each));
  const askPaper = (query: string): Answer => {
    const question = builtinAnswerer.understand({ query, instructions: [], consignes: [], historic: [] });
    return builtinAnswerer.answer(question, text, [{ passage: 0, facts: readFacts(tenancy, question) }]);
  };
  const cases: [string, string][] = [
    ["How much rent does Ms Adeyemi pay per month?", "£1,085.00"],
    ["Wie hoch ist die Kaution von Roisin Adeyemi?", "£1,250.00"],
    ["When did the tenancy of Roisin Adeyemi begin?", "3 February 2025"],
    ["Who is the landlord of Roisin Adeyemi?", "Alaric Penhallow"],
  ];
  for (const [query, expected] of cases) {
    const answer = askPaper(query);
    assert.equal(answerText(answer), expected, query);
    const [source] = answer.parts[0]?.sources ?? [];
    assert.ok(source && "evidence" in source && source.evidence.boxes.length > 0, query);
  }
  for (const query of ["What is the telephone number of Alaric Penhallow?", "Which bank does Roisin Adeyemi use?"])
    assert.equal(askPaper(query).found, false, query);
});

test("a value is left out of the answer if the instructions exclude it", () => {
  const ask = (query: string, instructions: string[]): string => {
    const question = builtinAnswerer.understand({ query, instructions, consignes: [], historic: [] });
    return answerText(builtinAnswerer.answer(question, [], [{ passage: 0, facts: readFacts(tenancy, question) }]));
  };
  const query = "How much rent does Ms Adeyemi pay per month?";
  assert.equal(ask(query, []), "£1,085.00");
  assert.notEqual(ask(query, ["Do not mention 1,085"]), "£1,085.00");
});

test("a question that asks for a document is answered with the document's name and a quote as evidence", () => {
  const cases: [string, RegExp][] = [
    ["Which document mentions a deposit of 2,400 euros?", /^lease\.pdf: .*deposit of 2,400 euros/s],
    ["In welchem Dokument kommt Ada Lindqvist vor?", /^bridge\.docx: .*Ada Lindqvist/s],
    ["Which document mentions paper?", /^letter\.pdf: Cotton rag paper is enclosed\./],
    ["Quel document parle de Ada Lindqvist ?", /^bridge\.docx: .*Ada Lindqvist/s],
  ];
  const letter = passage("Cotton rag paper is enclosed.", { name: "letter.pdf", score: 5 });
  for (const [query, expected] of cases) {
    const answer = ask(query, {}, [...corpus, letter]);
    assert.match(answerText(answer), expected, query);
    assert.ok(answer.parts.every(({ sources }) => sources.length === 1));
  }
  assert.equal(ask("Which document mentions penguins in Antarctica?").found, false);
  const partly = ask("Which letter is about rag paper from Fabriano, Italy?", {}, [letter, ...corpus]);
  assert.match(
    answerText(partly),
    /^letter\.pdf: Cotton rag paper/,
    "one of three words is enough for the first passage",
  );
  assert.ok(partly.confidence < 0.5);
});

test("questions that ask for a document are distinguished from questions about a document's content", () => {
  const cases: [string, boolean][] = [
    ["Which invoice is for a new boiler?", true],
    ["Which paper covers a load of tiles?", true],
    ["In welchem Bericht geht es um Listerien?", true],
    ["Welche Bestellung enthält Handschuhe?", true],
    ["¿Qué contrato permite tener un perro?", true],
    ["Which document did they sign?", false],
    ["Which documents are enclosed?", false],
    ["Which invoice number does the reminder state?", false],
    ["Which of the quotations is the cheapest?", false],
    ["What does the invoice amount to?", false],
    ["When does the document on the bridge say it was opened?", false],
  ];
  for (const [query, expected] of cases) {
    const question = builtinAnswerer.understand({ query, instructions: [], consignes: [], historic: [] });
    assert.equal(question.asksForDocument, expected, query);
  }
});

test("table rows and form lines are quoted alone", () => {
  const table = passage(
    "Product 2018 2019 2020\nSteel pipes 1,200 1,350 1,410\nCopper wire 310 295 402\nContact: Jana Novak\nDelivery: within 14 days",
  );
  assert.match(answerText(ask("How much copper wire was sold in 2019?", {}, [table])), /^Copper wire 310 295 402/m);
  assert.match(answerText(ask("Who is the contact?", {}, [table])), /Contact: Jana Novak/);
});

test("every answer to random questions consists of verbatim quotes", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.constantFrom(lease.text, bridge.text, "公司成立于1998年。总部设在上海。"),
  );
  const query = fc.oneof(text, fc.constantFrom("Who opened it?", "wann?", "什么？", "?", "", "كم", "and in 2019?"));
  const turn = fc.record({ role: fc.constantFrom("user" as const, "assistant" as const), content: text });
  fc.assert(
    fc.property(
      query,
      fc.array(text, { maxLength: 4 }),
      fc.array(turn, { maxLength: 3 }),
      fc.array(text, { maxLength: 2 }),
      (asked, texts, historic, instructions) => {
        const passages = texts.map((each, index) => passage(each, { score: 3 - index }));
        const question = builtinAnswerer.understand({ query: asked, instructions, consignes: [], historic });
        builtinAnswerer.documentsToRead(question, passages);
        const answer = builtinAnswerer.answer(question, passages);
        assert.ok(answer.parts.length > 0 && answer.confidence >= 0 && answer.confidence <= 1);
        for (const { text: part, sources } of answer.parts) {
          const [source] = sources;
          if (source === undefined) assert.equal(answer.found, false);
          else
            assert.ok(
              "start" in source &&
                passages[source.passage]?.text.slice(source.start, source.end) === part &&
                part !== "",
            );
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("the time to answer grows linearly with the length of the passages", { timeout: 20_000 }, () => {
  const long = Array.from({ length: 20 }, (_, index) =>
    passage("a, ".repeat(3_000) + bridge.text, { score: 20 - index }),
  );
  const start = process.cpuUsage();
  ask("a b c d e f g h who opened the bridge? ".repeat(200).slice(0, 8_000), {}, long);
  assert.ok(process.cpuUsage(start).user < 10_000_000);
});

test("a form label is quoted with the value below it, a table row with its header", () => {
  const form = passage(
    "Amendment to Registration Statement\n1. Name of Registrant 2. Registration No.\nHarbour Communications Group 4711\n3. Name of foreign principal\nMinistry of Tourism\n" +
      "Supplier:\nNordwind Papier GmbH\nContact person: Ida Kern",
  );
  assert.match(
    answerText(ask("What is the name of the registrant?", {}, [form])),
    /Registrant .*\nHarbour Communications Group 4711/,
  );
  assert.match(
    answerText(ask("What is the name of the foreign principal?", {}, [form])),
    /foreign principal\nMinistry of Tourism/,
  );
  assert.match(answerText(ask("Who is the supplier?", {}, [form])), /Supplier:\nNordwind Papier GmbH/);
  const table = passage(
    "Prices of paper\nArticle 2018 2019 2020\nCopy paper A4 4.10 4.35 4.60\nDrawing paper A3 8.20 8.50 8.75\nEnvelopes C5 2.10 2.15 2.30",
  );
  const cost = answerText(ask("How much did drawing paper cost in 2019?", {}, [table]));
  assert.match(cost, /^Article 2018 2019 2020\n/);
  assert.match(cost, /\nDrawing paper A3 8.20 8.50 8.75(?:\n|$)/);
});
