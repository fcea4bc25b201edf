/**
 * The allocator of glibc gives every few threads an arena of their own. The threads of the search engine come and go, and what they free in one
 * arena is not used by those of another, so that memory grows by 10 MiB a minute and more (bench/soak.ts). The allocator reads its settings
 * once, before the first line of a program runs (`process-setup.ts`).
 */
export const fewArenas = { MALLOC_ARENA_MAX: "2" } as const;
