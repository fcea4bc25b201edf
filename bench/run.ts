/** `npm run bench [-- NAME…]`: runs the named measurements, or all, and prints their tables. */
import { cpus, totalmem } from "node:os";
import { benchExtraction } from "./extraction.ts";
import { benchHandChecks } from "./hand-checks.ts";
import { benchIngest } from "./ingest.ts";
import { benchJobs } from "./jobs.ts";
import { benchOcr } from "./ocr.ts";
import { benchOffice } from "./office.ts";
import { benchOverload } from "./overload.ts";
import { benchPages } from "./pages.ts";
import { benchReading } from "./reading.ts";
import { type BenchRow, table } from "./rows.ts";
import { benchSearch } from "./search.ts";
import { benchService } from "./service.ts";
import { benchSoak } from "./soak.ts";
import { benchStart } from "./start.ts";
import { benchTenants } from "./tenants.ts";
import { benchUpload } from "./upload.ts";
import { benchWebhooks } from "./webhooks.ts";

const benches: Record<string, () => Promise<BenchRow[]>> = {
  start: benchStart,
  reading: benchReading,
  office: benchOffice,
  ocr: benchOcr,
  extraction: benchExtraction,
  upload: benchUpload,
  search: benchSearch,
  service: benchService,
  ingest: benchIngest,
  pages: benchPages,
  overload: () => benchOverload(),
  jobs: benchJobs,
  webhooks: benchWebhooks,
  soak: benchSoak,
  tenants: benchTenants,
  "hand-checks": benchHandChecks,
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !(name in benches));
if (unknown !== undefined)
  throw new Error(`There is no measurement "${unknown}", only ${Object.keys(benches).join(", ")}.`);

console.log(
  `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`,
);
for (const [name, bench] of Object.entries(benches)) {
  if (named.length === 0 || named.includes(name)) console.log(`\n## ${name}\n\n${table(await bench())}`);
}
