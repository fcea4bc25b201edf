/**
 * Thrown if files of an agent's index are missing or damaged. The service then rebuilds the index
 * from the stored Documents. `sheaf doctor` only reports the damage.
 */
export class IndexDamaged extends Error {
  override readonly name: string = "IndexDamaged";
  constructor(agent: string, options?: { cause?: unknown }) {
    super(`The search index of agent ${agent} is damaged and must be rebuilt.`, options);
  }
}

/**
 * Thrown while documents are missing from a copy of an agent's index, for example because the copy
 * is still being built.
 */
export class IndexIncomplete extends IndexDamaged {
  override readonly name = "IndexIncomplete";
}
