/** Wall-clock time as it is stored and sent: ISO 8601 UTC with milliseconds. */

export const now = (): string => new Date().toISOString();

/** The calendar month of an ISO time, `YYYY-MM` in UTC. */
export const monthOf = (isoTime: string): string => isoTime.slice(0, 7);
