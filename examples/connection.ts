/**
 * Connects the examples to the service. Uses the environment variables BASE_URL, CLIENT_ID and
 * CLIENT_SECRET.
 */
import { join } from "node:path";
import { SheafClient } from "@sheaf/client";

export const sampleInvoice = join(import.meta.dirname, "invoice.pdf");

export function connect(): SheafClient {
  const { BASE_URL = "http://127.0.0.1:8080", CLIENT_ID, CLIENT_SECRET } = process.env;
  if (!CLIENT_ID || !CLIENT_SECRET) {
    console.error("Set CLIENT_ID and CLIENT_SECRET: the service prints them at its first start.");
    process.exit(2);
  }
  return new SheafClient({ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET });
}
