/**
 * Extracts data from a file and prints the evidence of each value: `npx node examples/extract.ts
 * [FILE]`.
 */
import { connect, sampleInvoice } from "./connection.ts";

const sheaf = connect();
const { data, metadata } = await sheaf.extract({
  file: { path: process.argv[2] ?? sampleInvoice },
  params: [
    { name: "invoice_number", format: "text", description: "Number of the invoice" },
    { name: "due_date", format: "date", description: "Date by which it must be paid" },
    { name: "gross_total", format: "number", description: "Total amount including tax" },
    {
      name: "lines",
      format: "list",
      description: "The invoiced items",
      items: [
        { name: "description", format: "text", description: "What was sold" },
        { name: "line_total", format: "number", description: "Amount of the line" },
      ],
    },
  ],
  include: ["evidence"],
});

console.log(data[0]);
for (const [name, evidence] of Object.entries(metadata.evidence?.[0] ?? {}))
  if (evidence !== null && !Array.isArray(evidence))
    console.log(`${name}: page ${evidence.page}, "${evidence.quote}", ${Math.round(100 * evidence.confidence)} %`);
