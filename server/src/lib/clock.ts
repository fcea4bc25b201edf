/** Current time in the format that is stored and sent: ISO 8601 UTC with milliseconds. */

export const now = (): string => new Date().toISOString();

/** Returns the calendar month of an ISO time as `YYYY-MM` (UTC). */
export const monthOf = (isoTime: string): string => isoTime.slice(0, 7);
