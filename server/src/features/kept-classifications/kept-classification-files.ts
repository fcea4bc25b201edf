/** Keys of the stored files of kept classifications, and the removal of these files. */
import type { Handler } from "../../jobs/runner.ts";
import type { Db } from "../../records/records.ts";
import { type DocumentKey, documentKey, originalKey } from "../documents/documents.service.ts";
import { type KeptFilesDeps, removeFiles } from "../kept-files/kept-files.service.ts";
import { listIds, type Owned } from "./kept-classifications.repo.ts";

const folder = "classifications";

/**
 * Returns the place of the files as a DocumentKey, so that functions for stored Documents accept
 * it.
 */
export const placeOf = ({ id, organization_id }: Owned): DocumentKey => ({
  organizationId: organization_id,
  agent: folder,
  document: id,
});

/** Returns the keys of the files that a kept classification needs. */
export const filesOfKeptClassification = (row: Owned): string[] => {
  const place = placeOf(row);
  return [originalKey(place), documentKey(place)];
};

const keptKey = /^([^/]+)\/classifications\/([^/.]+)\.(?:original|document)$/;

export const isKeptClassificationFile = (key: string): boolean => keptKey.test(key);

/** The job that removes the files of a deleted classification. */
export const cleanKeptClassificationJob = ({
  files,
}: Pick<KeptFilesDeps, "files">): Handler<"classification.clean"> => ({
  concurrency: 2,
  run: async ({ organizationId, payload: { classification } }) => {
    await removeFiles({ files }, placeOf({ id: classification, organization_id: organizationId }));
    return undefined;
  },
});

/**
 * Returns those of the keys whose kept classification does not exist. Ignores keys of files that do
 * not belong to kept classifications.
 */
export async function findStrays(db: Db, keys: readonly string[]): Promise<string[]> {
  const named = keys.flatMap((key) => {
    const [, organizationId, id] = keptKey.exec(key) ?? [];
    return organizationId && id ? [{ key, id, organizationId }] : [];
  });
  const rows = await listIds(
    db,
    named.map(({ id }) => id),
  );
  const owners = new Map(rows.map(({ id, organization_id }) => [id, organization_id]));
  return named.filter(({ id, organizationId }) => owners.get(id) !== organizationId).map(({ key }) => key);
}
