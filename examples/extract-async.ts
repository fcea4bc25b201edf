/**
 * Creates an agent that stores the fields, starts an extraction and waits for it: `npx node
 * examples/extract-async.ts [FILE]`.
 *
 * The API requires a callback. Set CALLBACK_URL to a receiver of yours. Without it the result is
 * only polled: no host that ends in `.invalid` exists, so the callback is never delivered.
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
