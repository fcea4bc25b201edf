/** A fake clamd that finds the EICAR test file anywhere, and fails in ways that a test chooses. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eicar } from "../self-test.ts";

/** How the server handles a stream and a ping. */
export type Behaviour = keyof typeof behaviours;

export interface ClamdServer extends AsyncDisposable {
  host: string;
  port: number;
  behaviour: Behaviour;
  /** Reply to a whole stream if the behaviour is `answer`. */
  answer: Buffer;
  /** Returns the number of open connections. */
  open(): number;
  /** Number of connections so far. */
  connections: number;
  /**
   * Resumes reading after the behaviour `deaf`. The server notices that a client has closed a
   * connection only when it reads.
   */
  hear(): void;
}

/** Called whenever data arrives, with the state of the stream so far. */
type Behave = (server: ClamdServer, socket: Socket, stream: { complete: boolean; infected: boolean }) => void;

const verdict = (infected: boolean): string => (infected ? "stream: Eicar-Test-Signature FOUND\0" : "stream: OK\0");

const behaviours = {
  /** Works as clamd does. */
  work: (_, socket, { complete, infected }) => {
    if (complete) socket.end(verdict(infected));
  },
  /** Accepts everything and never responds. */
  hang: () => {},
  /** Stops reading from the connection. */
  deaf: (_, socket) => socket.pause(),
  /** Closes the connection as soon as bytes arrive. */
  closeEarly: (_, socket) => socket.end(),
  reset: (_, socket) => socket.resetAndDestroy(),
  /** Accepts everything, then closes the connection without a reply. */
  closeLate: (_, socket, { complete }) => {
    if (complete) socket.end();
  },
  /** Closes the connection in the middle of the verdict. */
  truncate: (_, socket, { complete }) => {
    if (complete) socket.end("stream: OK");
  },
  error: (_, socket, { complete }) => {
    if (complete) socket.end("Error processing command. ERROR\0");
  },
  /** Responds and closes the connection before it has received everything. */
  limit: (_, socket) => socket.end("INSTREAM size limit exceeded. ERROR\0"),
  /** Responds OK before it has received everything. */
  hasty: (_, socket, { complete }) => {
    if (!complete) socket.end("stream: OK\0");
  },
  byteByByte: (_, socket, { complete, infected }) => {
    if (complete) dribble(socket, verdict(infected));
  },
  endless: (_, socket) => {
    socket.write(Buffer.alloc(64 * 1024, "stream: OK "));
  },
  answer: ({ answer }, socket, { complete }) => {
    if (complete) socket.end(answer);
  },
} satisfies Record<string, Behave>;

function dribble(socket: Socket, text: string): void {
  if (text === "") return void socket.end();
  socket.write(text.slice(0, 1));
  setTimeout(() => dribble(socket, text.slice(1)), 2);
}

/** Starts the server, on any free port if none is given. */
export async function openClamdServer(behaviour: Behaviour = "work", port = 0): Promise<ClamdServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    clamd.connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    converse(clamd, socket);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const clamd: ClamdServer = {
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    behaviour,
    answer: Buffer.alloc(0),
    open: () => sockets.size,
    connections: 0,
    hear: () => {
      clamd.behaviour = "hang";
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      if (!server.listening) return;
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return clamd;
}

/**
 * Parses the received bytes. Keeps only the last few bytes, because the test file may begin in them
 * and continue in the next chunk.
 */
function converse(clamd: ClamdServer, socket: Socket): void {
  const behave = (stream: { complete: boolean; infected: boolean }) => {
    const act: Behave = behaviours[clamd.behaviour];
    act(clamd, socket, stream);
  };
  let opening: Buffer | undefined = Buffer.alloc(0);
  let header = Buffer.alloc(0);
  let left = 0;
  let tail = Buffer.alloc(0);
  let infected = false;
  const take = (bytes: Buffer): void => {
    const text = Buffer.concat([tail, bytes]);
    infected ||= text.includes(eicar);
    tail = text.subarray(1 - eicar.length);
    left -= bytes.length;
  };
  const takeStream = (bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; ) {
      const from = at;
      at += left > 0 ? Math.min(left, bytes.length - at) : Math.min(4 - header.length, bytes.length - at);
      if (left > 0) {
        take(bytes.subarray(from, at));
        continue;
      }
      header = Buffer.concat([header, bytes.subarray(from, at)]);
      if (header.length < 4) continue;
      left = header.readUInt32BE();
      header = Buffer.alloc(0);
      if (left > 0) continue;
      behave({ complete: true, infected });
      return;
    }
    behave({ complete: false, infected });
  };
  socket.on("data", (bytes) => {
    if (opening === undefined) {
      takeStream(bytes);
      return;
    }
    opening = Buffer.concat([opening, bytes]);
    const end = opening.indexOf(0);
    if (end < 0) return;
    const command = opening.toString("latin1", 0, end);
    const rest = opening.subarray(end + 1);
    opening = undefined;
    if (command === "zINSTREAM") takeStream(rest);
    else if (clamd.behaviour === "work") socket.end("PONG\0");
    else behave({ complete: true, infected: false });
  });
}
