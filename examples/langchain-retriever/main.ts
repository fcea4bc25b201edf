/**
 * Uses the retriever in a chain, with a prompt for any model:
 * `npx node examples/langchain-retriever/main.ts [QUESTION]`.
 */
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { RunnablePassthrough, RunnableSequence } from "@langchain/core/runnables";
import { connect, sampleInvoice } from "../connection.ts";
import { SheafRetriever } from "./sheaf-retriever.ts";

const [question = "What is the due date of invoice NL-2026-0417?"] = process.argv.slice(2);
const client = connect();
const { data: agent } = await client.createAgent({ name: "Example: LangChain", type: "DOCUMENTALIST" });
try {
  const { data: document } = await client.uploadDocument(agent.reference, { file: { path: sampleInvoice } });
  await client.waitForDocument(agent.reference, document.document_reference);

  const retriever = new SheafRetriever({ client, agent: agent.reference });
  const quotes = retriever.pipe((documents) =>
    documents
      .map(({ pageContent, metadata }) => `"${pageContent}" (${metadata.name}, page ${metadata.page})`)
      .join("\n"),
  );
  const prompt = ChatPromptTemplate.fromTemplate("Answer from these quotes only:\n{quotes}\n\nQuestion: {question}");
  // A real chain would end with a chat model.
  const chain = RunnableSequence.from([{ quotes, question: new RunnablePassthrough<string>() }, prompt]);
  const { messages } = await chain.invoke(question);
  for (const { content } of messages) console.log(content);
} finally {
  await client.deleteAgent(agent.reference);
}
