/**
 * Thrown while files of an agent's index are missing or damaged. The service rebuilds it from the
 * stored Documents; `sheaf doctor` only reports it.
 */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
  constructor(agent: string, options?: { cause?: unknown }) {
    super(`The search index of agent ${agent} is damaged and must be rebuilt.`, options);
  }
}
