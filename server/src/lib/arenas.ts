/**
 * Limits glibc to few allocator arenas. By default glibc gives every few threads an arena of their
 * own. Threads of the search engine come and go, and memory that they free in one arena is not
 * reused in another, so that the process grows by 10 MiB per minute or more (bench/soak.ts). glibc
 * reads this setting once, before the first line of a program runs (`process-setup.ts`).
 */
export const fewArenas = { MALLOC_ARENA_MAX: "2" } as const;
