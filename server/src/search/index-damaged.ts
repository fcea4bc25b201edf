/** Thrown while an agent's index can't be used: files of it are missing or broken, and it is made anew from the stored Documents. */
export class IndexDamaged extends Error {
  override readonly name = "IndexDamaged";
  constructor(agent: string, options?: { cause?: unknown }) {
    super(`The search index of agent ${agent} is damaged and has to be made anew.`, options);
  }
}
