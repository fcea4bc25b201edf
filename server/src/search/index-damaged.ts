/**
 * Thrown while an agent's index has missing or broken files. It is being rebuilt from the stored
 * Documents.
 */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
  constructor(agent: string, options?: { cause?: unknown }) {
    super(`The search index of agent ${agent} is damaged and is being rebuilt.`, options);
  }
}
