/** Tests the antivirus with the real clamd: its self-test, scan results and recovery. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits, megabyte } from "@sheaf/contract/limits.ts";
import type { Antivirus } from "../../src/antivirus/antivirus.ts";
import { archiveWith } from "../../src/antivirus/sample-archive.ts";
import { eicar, runSelfTest } from "../../src/antivirus/self-test.ts";
import {
  type ClamdDaemon,
  highLimits,
  openClamdDaemon,
  withoutClamd,
} from "../../src/antivirus/testing/clamd-daemon.ts";
import { eventually, fileOf, never, open } from "../../src/antivirus/testing/scanned-files.ts";

describe("the self-test with the real clamd", { skip: withoutClamd, concurrency: true }, () => {
  const { maxDocumentFileBytes: largest } = limits;
  const tooLow = /clamd finds the EICAR test file at the end of an archive of .* StreamMaxLength and MaxFileSize/;
  const cases: [
    name: string,
    conf: Record<string, string>,
    known: "everywhere" | "asFile" | "none",
    bytes: number,
    problem?: RegExp,
  ][] = [
    ["high limits", highLimits, "everywhere", largest],
    ["high limits and real signatures", highLimits, "asFile", largest],
    [
      "the limits of Debian",
      { StreamMaxLength: "25M", MaxFileSize: "25M", MaxScanSize: "100M" },
      "asFile",
      largest / 4,
      tooLow,
    ],
    ["a low StreamMaxLength", { ...highLimits, StreamMaxLength: "32M" }, "asFile", largest / 2, tooLow],
    ["a low MaxFileSize", { ...highLimits, MaxFileSize: "25M" }, "asFile", largest / 4, tooLow],
    ["a low MaxScanSize", { ...highLimits, MaxScanSize: "40M" }, "asFile", largest / 2, tooLow],
    [
      "a low MaxFileSize with alerts",
      { ...highLimits, MaxFileSize: "25M", AlertExceedsMax: "yes" },
      "asFile",
      largest / 4,
      tooLow,
    ],
    ["archives that are not unpacked", { ...highLimits, ScanArchive: "no" }, "asFile", 0, tooLow],
    ["no signature of the test file", highLimits, "none", 0, /does not know the EICAR test file/],
  ];
  for (const [name, conf, known, scannedBytes, problem] of cases)
    test(name, async () => {
      await using clamd = await openClamdDaemon(conf, known);
      const found = await runSelfTest(clamd, 20_000, never);
      assert.equal(found.scannedBytes, scannedBytes);
      if (problem === undefined) assert.equal(found.problem, undefined);
      else assert.match(found.problem ?? "", problem);
    });
});

describe("scans by the real clamd", { skip: withoutClamd }, () => {
  let clamd: ClamdDaemon;
  let antivirus: Antivirus;
  before(async () => {
    clamd = await openClamdDaemon();
    antivirus = open(clamd);
  });
  after(async () => {
    antivirus[Symbol.dispose]();
    await clamd[Symbol.asyncDispose]();
  });

  test("reports infected files, whether the virus is at the beginning, in the middle, at the end or in an archive", async () => {
    const padding = Buffer.alloc(limits.maxDocumentFileBytes - eicar.length);
    const infected = [
      await fileOf("plain", eicar),
      await fileOf("start", eicar, padding),
      await fileOf("end", padding, eicar),
      await fileOf("packed", ...archiveWith(eicar, 2 * megabyte)),
    ];
    for (const file of infected)
      await assert.rejects(antivirus.scan(file, never), (error: Error & { code: string }) => {
        assert.equal(error.code, "infected_file", file.path);
        assert.match((error.cause as Error).message, /^clamd found Eicar-Test-Signature/);
        return true;
      });
  });

  test("accepts clean files, including empty ones and those of maximum size", async () => {
    await antivirus.scan(await fileOf("empty"), never);
    await antivirus.scan(await fileOf("small", Buffer.from("Sheaf")), never);
    await antivirus.scan(await fileOf("large", Buffer.alloc(limits.maxDocumentFileBytes, "ab")), never);
    await antivirus.check();
  });

  test("works after clamd is stopped and restarted with other limits", async () => {
    const small = await fileOf("s", Buffer.from("Sheaf"));
    const large = await fileOf("l", Buffer.alloc(26 * megabyte));
    await clamd.stop();
    await assert.rejects(antivirus.scan(small, never), { code: "antivirus_unavailable" });
    await assert.rejects(antivirus.check());
    await clamd.start({ ...highLimits, MaxFileSize: "25M" });
    await eventually(() => antivirus.scan(small, never));
    await assert.rejects(antivirus.scan(large, never), { code: "antivirus_unavailable" });
    await assert.rejects(antivirus.check(), { message: /MaxFileSize/ });
    await clamd.stop();
    await clamd.start();
    await eventually(() => antivirus.scan(large, never));
    await antivirus.check();
  });

  test("refuses large files after clamd has restarted with lower limits, even before the service has noticed the restart", async () => {
    using patient = open(clamd, 60_000);
    const small = await fileOf("s2", Buffer.from("Sheaf"));
    const large = await fileOf("l2", Buffer.alloc(26 * megabyte));
    await eventually(() => patient.scan(large, never));
    await clamd.stop();
    await clamd.start({ ...highLimits, MaxFileSize: "25M" });
    await assert.rejects(patient.scan(large, never), { code: "antivirus_unavailable" });
    await eventually(() => patient.scan(small, never));
    await clamd.stop();
    await clamd.start();
    await eventually(() => patient.scan(large, never));
  });
});
