/**
 * Creates an agent that stores the fields, starts an extraction and waits for it: `npx node
 * examples/extract-async.ts [FILE]`.
 *
 * The result is polled. Set CALLBACK_URL to have it posted to a receiver of yours as well.
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
