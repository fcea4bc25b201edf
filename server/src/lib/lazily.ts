/** Opens components and loads modules on first use, to save start-up time and memory. */

/**
 * Returns a function that opens a component once and returns the same promise to every caller. If
 * opening fails, the next call tries again.
 */
export function openedOnce<T>(open: () => Promise<T>): Opened<T> {
  let opening: Promise<T> | undefined;
  const get = (): Promise<T> => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return Object.assign(get, { underWay: () => opening });
}

export interface Opened<T> {
  (): Promise<T>;
  /**
   * Returns the promise of the component, which may still be pending. Returns undefined before the
   * first use.
   */
  underWay(): Promise<T> | undefined;
}

type Method = (...args: never[]) => Promise<unknown>;

/** Names of the methods that return promises. */
type AsyncMethods<T> = { [K in keyof T]: T[K] extends Method ? K : never }[keyof T] & string;

/**
 * Returns an object that forwards the given methods to the component. The first call of any method
 * opens the component. If opening fails, the call rejects.
 * @example
 * const index = lazily<Index>({ put: true, search: true }, openedOnce(() => openIndex(folder)));
 */
export function lazily<T extends object>(
  methods: Record<AsyncMethods<T>, true>,
  part: () => Promise<T>,
): Pick<T, AsyncMethods<T>> {
  const forward =
    (name: AsyncMethods<T>) =>
    async (...args: never[]): Promise<unknown> =>
      ((await part()) as Record<string, Method>)[name]?.(...args);
  const names = Object.keys(methods) as AsyncMethods<T>[];
  return Object.fromEntries(names.map((name) => [name, forward(name)])) as Pick<T, AsyncMethods<T>>;
}
