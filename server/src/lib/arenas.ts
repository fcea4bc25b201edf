/**
 * Limits the number of allocator arenas of glibc. By default, glibc spreads threads over many
 * arenas. The search engine keeps starting threads, and memory freed in one arena is not reused in
 * another, so the process grows by 10 MiB per minute or more (bench/soak.ts). glibc reads this
 * setting once, before the first line of a program runs (`process-setup.ts`).
 */
export const fewArenas = { MALLOC_ARENA_MAX: "2" } as const;
