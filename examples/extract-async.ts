/**
 * Makes an agent that keeps the params, starts an extraction and waits for it: `npx node examples/extract-async.ts [FILE]`.
 * The interface wants a callback; CALLBACK_URL is one of yours. Without it the result is only asked for, and posted nowhere: no name
 * that ends in `.invalid` exists.
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
      callback: process.env.CALLBACK_URL ?? "https://callback.invalid/",
    },
    { onProgress: (sentBytes, totalBytes) => console.log(`sent ${sentBytes} of ${totalBytes} bytes`) },
  );
  const { data, metadata } = await sheaf.waitForExtraction(extract_id, { timeoutMs: 300_000 });
  console.log(data[0], `in ${metadata.duration} s`);
} finally {
  await sheaf.deleteAgent(agent.reference);
}
