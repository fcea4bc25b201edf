/**
 * Splits a file into documents, and prints the class of each document:
 * `npx node examples/classify.ts [FILE]`.
 */
import { connect, sampleInvoice } from "./connection.ts";

const sheaf = connect();
const { classification_id } = await sheaf.startClassification({
  file: { path: process.argv[2] ?? sampleInvoice },
  classes: [
    { label: "invoice", description: "A bill for goods or services" },
    { label: "delivery note", description: "Lists goods as delivered, without prices" },
    { label: "contract", description: "An agreement between parties" },
  ],
});
const { data } = await sheaf.waitForClassification(classification_id);
for (const { start, end, label, title, confidence } of data.segments)
  console.log(`pages ${start} to ${end}: ${label}, "${title}", ${Math.round(100 * confidence)} %`);
