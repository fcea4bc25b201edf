/** A DNS server over UDP that serves the A and AAAA records of a test. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIP } from "node:net";
import { groupsOf } from "../../lib/ip-addresses.ts";

/** IPv4 and IPv6 addresses of a name. A delay of `Infinity` means no response. */
export interface DnsAnswer {
  addresses: readonly string[];
  delayMs?: number;
}

/**
 * Called for each query. `count` is the number of earlier queries for this name and family. Returns
 * undefined if there is no such name.
 */
export type Zone = (name: string, family: 4 | 6, count: number) => DnsAnswer | undefined;

export interface DnsServer {
  /** `address:port` */
  address: string;
  /** The names that were queried, one per query. */
  queries: string[];
  close(): Promise<void>;
}

const types = { 1: 4, 28: 6 } as const;

export async function openDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  socket.on("message", (message, from) => {
    const { name, type, end } = questionOf(message);
    const family = types[type as keyof typeof types];
    const count = queries.filter((query) => query === `${name} ${family}`).length;
    queries.push(`${name} ${family}`);
    const answer = family === undefined ? undefined : zone(name, family, count);
    const delayMs = answer?.delayMs ?? 0;
    if (delayMs === Infinity) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      socket.send(replyTo(message, end, answer, family), from.port, from.address);
    }, delayMs);
    timers.add(timer);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, queries, close: () => close(socket, timers) };
}

async function close(socket: Socket, timers: Set<NodeJS.Timeout>): Promise<void> {
  for (const timer of timers) clearTimeout(timer);
  socket.close();
  await once(socket, "close");
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (message[at] !== 0) {
    const length = message.readUInt8(at);
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function replyTo(query: Buffer, end: number, answer: DnsAnswer | undefined, family: 4 | 6 | undefined): Buffer {
  const records = (answer?.addresses ?? []).filter((address) => isIP(address) === family).map(recordOf);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  // Flags: a reply, with recursion desired and available; NXDOMAIN for an unknown name.
  header.writeUInt16BE(0x8180 | (answer === undefined ? 3 : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

/** Builds an answer record for the name of the question, with a time to live of zero. */
function recordOf(address: string): Buffer {
  const data = isIP(address) === 4 ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const head = Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([head, data]);
}

const ipv6Bytes = (address: string): Buffer =>
  Buffer.from(groupsOf(address).flatMap((group) => [group >> 8, group & 255]));
