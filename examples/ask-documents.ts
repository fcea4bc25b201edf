/**
 * Creates an agent with a corpus, uploads a document and asks questions about it:
 * `npx node examples/ask-documents.ts [FILE [QUESTION]]`.
 */
import { connect, sampleInvoice } from "./connection.ts";

const [path = sampleInvoice, query = "What is the due date of invoice NL-2026-0417?"] = process.argv.slice(2);
const sheaf = connect();
const { data: agent } = await sheaf.createAgent({ name: "Example: papers", type: "DOCUMENTALIST" });
try {
  const { data: document } = await sheaf.uploadDocument(agent.reference, { file: { path }, path: "examples" });
  await sheaf.waitForDocument(agent.reference, document.document_reference);

  const { data, metadata } = await sheaf.askKnowledge(agent.reference, { query, include: ["citations"] });
  console.log(data.answer);
  for (const { name, page, quote } of data.citations ?? []) console.log(`  "${quote}" (${name}, page ${page})`);

  const { thread_id } = metadata;
  const followUp = await sheaf.askKnowledge(agent.reference, { query: "And who is the seller?", thread_id });
  console.log(followUp.data.answer);
} finally {
  await sheaf.deleteAgent(agent.reference);
}
