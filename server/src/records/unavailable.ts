/**
 * Recognizes the errors of SQLite and PostgreSQL that mean that the database is temporarily
 * unavailable.
 */
import { DatabaseUnavailable, type UnavailableReason } from "../lib/database-unavailable.ts";

/** SQLSTATE codes and classes (first two characters) of temporary PostgreSQL errors. */
const postgresReasons: Record<string, UnavailableReason> = {
  // Connection exceptions.
  "08": "connection",
  // A time limit of the session expired and the server closed the connection.
  "25P03": "connection",
  // The server is read-only: after a failover, the old connection may lead to a standby.
  "25006": "connection",
  // The server is shutting down, has crashed or is starting, or an administrator ended the session.
  "57P01": "connection",
  "57P02": "connection",
  "57P03": "connection",
  "57P05": "connection",
  "53300": "connection",
  "40001": "contention",
  "40P01": "contention",
  // Lock timeout of the session.
  "55P03": "resources",
  // Statement timeout of the session.
  "57014": "resources",
  // The server has run out of disk space, memory or other resources.
  "53": "resources",
  // The server could not read or write its files.
  "58": "resources",
};

/**
 * Error codes of sockets and of the DNS resolver. ENOENT and EACCES mean that the server's UNIX
 * socket is missing.
 */
const socketErrors = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENOENT",
  "EACCES",
]);

/** Messages of `pg` errors that have no code. */
const postgresMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client was closed|Client has encountered a connection error)/;

/**
 * Converts an error of `pg` to DatabaseUnavailable if the database is unavailable. Returns any
 * other error unchanged.
 */
export function unavailablePostgres(error: unknown): unknown {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  const reason =
    postgresReasons[code] ??
    (/^\w{5}$/.test(code) ? postgresReasons[code.slice(0, 2)] : undefined) ??
    (socketErrors.has(code) || postgresMessages.test(message) ? "connection" : undefined);
  return reason === undefined ? error : new DatabaseUnavailable(reason, { cause: error });
}

/** Primary result codes of temporary SQLite errors. */
const sqliteReasons: Record<number, UnavailableReason> = {
  // SQLITE_BUSY, SQLITE_LOCKED
  5: "contention",
  6: "contention",
  // SQLITE_NOMEM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN
  7: "resources",
  8: "resources",
  10: "resources",
  13: "resources",
  14: "resources",
};

/**
 * Converts an error of `node:sqlite` to DatabaseUnavailable if the database is unavailable. Returns
 * any other error unchanged.
 */
export function unavailableSqlite(error: unknown): unknown {
  const { errcode } = error as { errcode?: number };
  const reason = errcode === undefined ? undefined : sqliteReasons[errcode & 0xff];
  return reason === undefined ? error : new DatabaseUnavailable(reason, { cause: error });
}
