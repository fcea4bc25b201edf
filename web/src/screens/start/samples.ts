/**
 * Samples for new users: an extractor with five invoices and a corpus with three documents. They
 * are created through the HTTP API, as a user would create them. The application recognizes them by
 * their description.
 */
import { type Agent, type AgentSummary, SheafError } from "@sheaf/client";
import invoice from "../../../../examples/invoice.pdf?url";
import consulting from "../../../samples/consulting.pdf?url";
import factura from "../../../samples/factura.pdf?url";
import facture from "../../../samples/facture.pdf?url";
import handbook from "../../../samples/handbook.pdf?url";
import lease from "../../../samples/lease.pdf?url";
import rechnung from "../../../samples/rechnung.pdf?url";
import warranty from "../../../samples/warranty.pdf?url";
import { sheaf } from "../../app/api.ts";
import { sampleDescription } from "../../app/sample-description.ts";

const invoices = { invoice, rechnung, facture, consulting, factura };
const corpusDocuments = { "employee-handbook": handbook, "lease-unit-7": lease, "warranty-terms": warranty };

const text = "text" as const;
const number = "number" as const;
/** Fields of the sample extractor. Agents have no format for dates, so dates are read as text. */
const params = [
  { name: "invoice_number", format: text, description: "Number of the invoice", items: [] },
  { name: "invoice_date", format: text, description: "Date of the invoice", items: [] },
  { name: "due_date", format: text, description: "Date by which the invoice is to be paid", items: [] },
  { name: "seller", format: text, description: "Name of the company that issues the invoice", items: [] },
  { name: "customer", format: text, description: "Name of the company or person that is billed", items: [] },
  { name: "net_total", format: number, description: "Total amount before tax", items: [] },
  { name: "tax", format: number, description: "Amount of the tax", items: [] },
  { name: "gross_total", format: number, description: "Total amount including tax", items: [] },
  { name: "iban", format: text, description: "IBAN of the account to pay to", items: [] },
  {
    name: "line_items",
    format: "list" as const,
    description: "The lines of the invoice",
    items: [
      { name: "description", format: text, description: "Description of the goods or service", items: [] },
      { name: "quantity", format: number, description: "Quantity", items: [] },
      { name: "unit_price", format: number, description: "Price of one unit", items: [] },
      { name: "amount", format: number, description: "Amount of the line", items: [] },
    ],
  },
];

export interface Samples {
  extractor: AgentSummary | undefined;
  corpus: AgentSummary | undefined;
}

export const samplesAmong = (agents: readonly AgentSummary[]): Samples => {
  const samples = agents.filter(({ description }) => description === sampleDescription);
  return {
    extractor: samples.find(({ type }) => type === "EXTRACTOR"),
    corpus: samples.find(({ type }) => type === "DOCUMENTALIST"),
  };
};

export interface SampleNames {
  extractor: string;
  corpus: string;
}

/**
 * Adds the samples that are missing. The call can be repeated after a failure, because existing
 * agents and documents are kept.
 * @param onProgress called with the progress, from 0 to 1
 */
export async function addSamples(
  existing: Samples,
  names: SampleNames,
  onProgress: (share: number) => void,
): Promise<void> {
  const steps = Object.keys(corpusDocuments).length + Object.keys(invoices).length;
  let done = 0;
  const step = () => onProgress(++done / steps);
  const corpus = existing.corpus ?? (await createSample("DOCUMENTALIST", names.corpus));
  for (const [name, url] of Object.entries(corpusDocuments)) {
    await uploadOnce(corpus.reference, await fileOf(name, url));
    step();
  }
  const extractor = existing.extractor ?? (await createSample("EXTRACTOR", names.extractor));
  for (const [name, url] of Object.entries(invoices)) {
    await sheaf.extractWithAgent(extractor.reference, { file: await fileOf(name, url), include: ["evidence"] });
    step();
  }
}

export async function removeSamples({ extractor, corpus }: Samples): Promise<void> {
  for (const agent of [extractor, corpus]) if (agent !== undefined) await sheaf.deleteAgent(agent.reference);
}

async function createSample(type: "EXTRACTOR" | "DOCUMENTALIST", name: string): Promise<Agent> {
  const fields = type === "EXTRACTOR" ? { configuration: { params } } : {};
  return (await sheaf.createAgent({ name, type, description: sampleDescription, ...fields })).data;
}

async function uploadOnce(reference: string, file: File): Promise<void> {
  try {
    await sheaf.uploadDocument(reference, { file });
  } catch (error) {
    if (!(error instanceof SheafError && error.is("document_already_exists"))) throw error;
  }
}

async function fileOf(name: string, url: string): Promise<File> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The sample ${name} could not be loaded: HTTP ${response.status}.`);
  return new File([await response.blob()], `${name}.pdf`, { type: "application/pdf" });
}
