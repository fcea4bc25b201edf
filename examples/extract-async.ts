/**
 * Creates an agent that stores the fields, starts an extraction and waits for its result:
 * `npx node examples/extract-async.ts [FILE]`.
 *
 * Polls the result. If CALLBACK_URL is set, the service also posts the result to that URL.
 */
import { connect, sampleInvoice } from "./connection.ts";

const sheaf = connect();
const { data: agent } = await sheaf.createAgent({
  name: "Example: invoices",
  type: "EXTRACTOR",
  configuration: {
    params: [
      { name: "seller_name", format: "text", description: "Name of the seller", items: [] },
      { name: "gross_total", format: "number", description: "Total amount including tax", items: [] },
    ],
  },
});
try {
  const { extract_id } = await sheaf.startExtractionWithAgent(
    agent.reference,
    {
      file: { path: process.argv[2] ?? sampleInvoice },
      ...(process.env.CALLBACK_URL && { callback: process.env.CALLBACK_URL }),
    },
    { onProgress: (sentBytes, totalBytes) => console.log(`sent ${sentBytes} of ${totalBytes} bytes`) },
  );
  const { data, metadata } = await sheaf.waitForExtraction(extract_id, { timeoutMs: 300_000 });
  console.log(data[0], `in ${metadata.duration} s`);
} finally {
  await sheaf.deleteAgent(agent.reference);
}
