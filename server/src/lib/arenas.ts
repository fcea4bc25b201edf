/**
 * The allocator of glibc gives every few threads an arena of their own. The threads of the search engine come and go, and what they free in one
 * arena is not used by those of another, so that memory grows by 10 MiB a minute and more (bench/soak.ts). The allocator reads its settings
 * once, before the first line of a program runs.
 */
export const fewArenas = { MALLOC_ARENA_MAX: "2" } as const;

/** Begins this process anew, with the same id, unless its allocator has been set already. Only before anything has begun. */
export function restartWithFewArenas(): void {
  // Whoever has started it with a channel for messages would lose that.
  if (process.platform !== "linux" || process.env.MALLOC_ARENA_MAX !== undefined || process.connected) return;
  const { execPath, execArgv, argv, env } = process;
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...fewArenas });
}
