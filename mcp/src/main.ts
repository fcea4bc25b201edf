#!/usr/bin/env node
/** `sheaf-mcp`: connects standard input and output to the service that the environment names. */
import { accessIn, runBridge } from "./bridge.ts";

const { SHEAF_URL: url } = process.env;
const access = accessIn(process.env);
if (url === undefined || access === undefined) {
  console.error("sheaf-mcp: set SHEAF_URL, and SHEAF_CLIENT_ID and SHEAF_CLIENT_SECRET, or SHEAF_TOKEN");
  process.exit(78);
}
try {
  await runBridge({ url, access, input: process.stdin, output: process.stdout });
} catch (error) {
  console.error(`sheaf-mcp: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
