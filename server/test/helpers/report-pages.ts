/**
 * Makes a long report for tests: chapters of sentences that state facts. The same number of pages
 * always yields the same report.
 */
import { makePdf } from "../../src/reading/testing/make-pdf.ts";

/** A fact that one page of the report states. */
export interface Fact {
  page: number;
  /** A question that the fact answers, phrased with words of the page. */
  question: string;
  /** The sentence that states the fact. */
  sentence: string;
  /** The part of the sentence that answers the question. */
  answer: string;
}

interface Report {
  /** The report divided into files with equal numbers of pages, in order. */
  pdfs: Uint8Array[];
  facts: Fact[];
}

const places = [
  "Lisbon",
  "Oslo",
  "Graz",
  "Leeds",
  "Turin",
  "Ghent",
  "Malmo",
  "Brno",
  "Cork",
  "Vigo",
  "Nantes",
  "Gdansk",
];
const things = [
  "harbour",
  "tramway",
  "library",
  "hospital",
  "archive",
  "aqueduct",
  "observatory",
  "brewery",
  "theatre",
];
const roles = ["warden", "surveyor", "treasurer", "engineer", "curator", "inspector", "librarian"];
const names = ["Adler", "Brandt", "Costa", "Dumas", "Ferrari", "Grimaldi", "Hansen", "Ivanov", "Jensen", "Kowalski"];
const fillers = [
  "The committee visited the site twice and recorded no objections to the works.",
  "Visitors may use the eastern entrance until the repairs of the roof are finished.",
  "Earlier reports described the same building under its former name.",
  "The figures of this section were checked against the books of the municipality.",
  "No further measures are planned before the next inspection takes place.",
  "Water damage was found in the cellar and repaired within the same season.",
];

/** Lines per page. */
const linesOfPage = 34;
/** Words per line. */
const wordsOfLine = 14;

/**
 * @param files number of PDF files to divide the pages into; `Fact.page` counts from the first page
 * of the first file
 */
export function makeReport(pages: number, files = 1): Report {
  const facts: Fact[] = [];
  const written = Array.from({ length: pages }, (_, index) => {
    const page = index + 1;
    const at = <T>(list: readonly T[], step: number): T =>
      list[(page * step + Math.floor(page / 7)) % list.length] as T;
    const [place, thing, role, name] = [at(places, 5), at(things, 2), at(roles, 3), at(names, 7)];
    const costs = `${1 + (page % 89)},${String(100 + ((page * 37) % 900))}.50`;
    const sentences: string[] = [];
    for (let count = 0; count < 22; count++) {
      sentences.push(fillers[(page + count * count) % fillers.length] ?? "");
      sentences.push(
        `Item ${page}-${count + 1} was entered in the register with ${(page * 13 + count * 7) % 997} pieces.`,
      );
    }
    const amount = `The ${thing} of ${place} in district ${page} cost ${costs} euros.`;
    const person = `Its ${role} in district ${page} is ${name}, who was appointed in ${1900 + (page % 120)}.`;
    sentences.splice(5, 0, amount);
    sentences.splice(21, 0, person);
    facts.push(
      {
        page,
        question: `What did the ${thing} of ${place} in district ${page} cost?`,
        sentence: amount,
        answer: costs,
      },
      { page, question: `Who is the ${role} in district ${page}?`, sentence: person, answer: name },
    );
    return { heading: `District ${page}: the ${thing} of ${place}`, lines: inLines(sentences.join(" ")) };
  });
  const length = Math.ceil(pages / files);
  const pdfs = Array.from({ length: files }, (_, file) => pdfOf(written.slice(file * length, (file + 1) * length)));
  return { pdfs, facts };
}

interface WrittenPage {
  heading: string;
  lines: string[];
}

const pdfOf = (written: readonly WrittenPage[]): Uint8Array =>
  makePdf({
    pages: written.map(({ heading, lines }) => ({
      marks: [
        { text: heading, x: 60, y: 780, size: 18, bold: true },
        ...lines.slice(0, linesOfPage).map((text, line) => ({ text, x: 60, y: 740 - line * 20, size: 10 })),
      ],
    })),
    info: { Title: "Report of the districts" },
  });

function inLines(text: string): string[] {
  const words = text.split(" ");
  return Array.from({ length: Math.ceil(words.length / wordsOfLine) }, (_, line) =>
    words.slice(line * wordsOfLine, (line + 1) * wordsOfLine).join(" "),
  );
}
