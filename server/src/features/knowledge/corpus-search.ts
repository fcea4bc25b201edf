/** Where in a corpus an answer stands: passages that are found, and fields that are extracted from the documents that hold them. */
import type { Answer, Answerer, Engine, FieldValue, Question, QuestionField } from "../../engine/engine.ts";
import type { StoredFiles } from "../../files/stored-files.ts";
import type { Principal } from "../../lib/caller.ts";
import type { Db } from "../../records/records.ts";
import type { Hit, PassageIndex } from "../../search/passage-index.ts";
import { findReady, listReady, readStoredDocument } from "../documents/documents.service.ts";
import { staleIfGone } from "./citations.ts";

export interface CorpusDeps {
  db: Db;
  files: StoredFiles;
  index: PassageIndex;
  answerer: Answerer;
  /** Extracts the fields that questions ask for. */
  engine: Engine;
}

/** Where an answer is looked for. */
export interface Scope {
  principal: Principal;
  agent: string;
  /** Documents to be left out. */
  excluded: ReadonlySet<string>;
  signal: AbortSignal;
}

/** An answer, and the passages that its sources are of. */
export interface Found {
  answer: Answer;
  hits: Hit[];
}

/** Passages that an answer is looked for in. */
const passagesRead = 30;
/** So many documents are all looked into for a field that no passage speaks of. */
const fewDocuments = 3;
/** A passage without words. */
const nothing = { page: 1, start: 0, end: 0, text: "", title: "", headings: [], score: 0 };

export class CorpusSearch {
  readonly #deps: CorpusDeps;

  constructor(deps: CorpusDeps) {
    this.#deps = deps;
  }

  /** What the built-in engine quotes as the answer. */
  async quoteAnswer(scope: Scope, question: Question): Promise<Found> {
    const { field } = question;
    const found = await this.#from(scope, question, question.searchText);
    if (found.answer.found || field === undefined) return found;
    const wider = await this.#from(scope, question, field.widerText);
    if (wider.answer.found) return wider;
    const few = await this.#fewDocuments(scope, question);
    return few?.answer.found ? few : found;
  }

  /** A field may stand in a document without any word that one would ask for it by. Where there are few documents, all are looked into. */
  async #fewDocuments(scope: Scope, question: Question): Promise<Found | undefined> {
    const { answerer, db } = this.#deps;
    const documents = await listReady(db, scope.principal, scope.agent, fewDocuments + 1);
    if (documents.length > fewDocuments) return undefined;
    const hits = documents
      .filter(({ id }) => !scope.excluded.has(id))
      .map(({ id, name, path }): Hit => ({ document: id, name, path, ...nothing }));
    const fields = await this.#fieldsIn(scope, question, hits);
    return { answer: await answerer.answer(question, hits, fields, scope.signal), hits };
  }

  async #from(scope: Scope, question: Question, searchText: string): Promise<Found> {
    const hits = await this.findPassages(scope, searchText);
    const fields = await this.#fieldsIn(scope, question, hits);
    return { answer: await this.#deps.answerer.answer(question, hits, fields, scope.signal), hits };
  }

  /** The best passages of documents that are there. */
  async findPassages({ principal, agent, excluded, signal }: Scope, searchText: string): Promise<Hit[]> {
    const { db, index } = this.#deps;
    const found = await index.search(agent, { text: searchText, limit: passagesRead });
    signal.throwIfAborted();
    const ready = await findReady(db, principal, agent, [...new Set(found.map((hit) => hit.document))]);
    return found.filter((hit) => ready.has(hit.document) && !excluded.has(hit.document));
  }

  async #fieldsIn(scope: Scope, question: Question, hits: readonly Hit[]): Promise<FieldValue[]> {
    const { field } = question;
    if (field === undefined) return [];
    const values: FieldValue[] = [];
    for (const passage of await this.#deps.answerer.documentsToRead(question, hits, scope.signal)) {
      const hit = hits[passage];
      const evidence = hit && (await this.#extract(scope, hit.document, field));
      if (evidence) values.push({ passage, evidence });
    }
    return values;
  }

  async #extract({ principal, agent, signal }: Scope, reference: string, { param }: QuestionField) {
    const { engine, files } = this.#deps;
    const of = { organizationId: principal.organizationId, agent, document: reference };
    const document = await readStoredDocument(files, of).catch(staleIfGone(reference));
    const { evidence } = await engine.extract({ document, params: [param] }, signal);
    const found = evidence[param.name];
    return found && !Array.isArray(found) ? found : undefined;
  }
}
