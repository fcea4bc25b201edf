/** Runs an extractor on a file. */
import type { EvidenceRecord, ExtractedRecord } from "@sheaf/client";
import { sheaf } from "../../app/api.ts";

export interface Run {
  data: ExtractedRecord[];
  evidence: EvidenceRecord[];
  /** Id of the kept extraction; undefined if the organization does not keep extractions. */
  extractionId: string | undefined;
}

export async function runExtractor(
  reference: string,
  file: Blob,
  filename: string,
  signal?: AbortSignal,
): Promise<Run> {
  const { data, metadata } = await sheaf.extractWithAgent(
    reference,
    { file, filename, include: ["evidence"] },
    { signal },
  );
  const { evidence = [], extraction_id } = metadata;
  return { data, evidence, extractionId: extraction_id };
}
