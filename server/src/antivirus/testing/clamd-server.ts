/** A server that speaks as clamd does, finds the EICAR test file wherever it stands, and goes wrong as a test says. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { eicar } from "../self-test.ts";

/** What it does with a stream, and with a ping. */
export type Behaviour = keyof typeof behaviours;

export interface ClamdServer extends AsyncDisposable {
  host: string;
  port: number;
  behaviour: Behaviour;
  /** Sent as the reply to a whole stream where the behaviour is `answer`. */
  answer: Buffer;
  /** Connections that last. */
  open(): number;
  /** Connections that were made. */
  connections: number;
  /** Takes again what it didn't while it was deaf, and so sees who has hung up. */
  hear(): void;
}

/** Called with each part of a conversation: the stream, or what has arrived of it, and whether that is all. */
type Behave = (server: ClamdServer, socket: Socket, stream: { complete: boolean; infected: boolean }) => void;

const verdict = (infected: boolean): string => (infected ? "stream: Eicar-Test-Signature FOUND\0" : "stream: OK\0");

const behaviours = {
  /** As clamd does. */
  work: (_, socket, { complete, infected }) => {
    if (complete) socket.end(verdict(infected));
  },
  /** Takes everything and never answers. */
  hang: () => {},
  /** Takes nothing. */
  deaf: (_, socket) => socket.pause(),
  /** Hangs up as soon as something comes. */
  closeEarly: (_, socket) => socket.end(),
  reset: (_, socket) => socket.resetAndDestroy(),
  /** Takes everything and hangs up. */
  closeLate: (_, socket, { complete }) => {
    if (complete) socket.end();
  },
  /** Hangs up in the middle of its verdict. */
  truncate: (_, socket, { complete }) => {
    if (complete) socket.end("stream: OK");
  },
  error: (_, socket, { complete }) => {
    if (complete) socket.end("Error processing command. ERROR\0");
  },
  /** Answers and hangs up while there is more to come. */
  limit: (_, socket) => socket.end("INSTREAM size limit exceeded. ERROR\0"),
  /** Is content before it has seen everything. */
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

/** Without a port, on any that is free. */
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
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
  return clamd;
}

/** Takes apart what arrives; keeps of the stream only what the beginning of the test file may be in. */
function converse(clamd: ClamdServer, socket: Socket): void {
  const behave = (stream: { complete: boolean; infected: boolean }) => {
    const act: Behave = behaviours[clamd.behaviour];
    act(clamd, socket, stream);
  };
  let command: string | undefined;
  let pending = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let infected = false;
  socket.on("data", (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    if (command === undefined) {
      const end = pending.indexOf(0);
      if (end < 0) return;
      command = pending.toString("latin1", 0, end);
      pending = pending.subarray(end + 1);
    }
    if (command === "zPING") {
      if (clamd.behaviour === "work") socket.end("PONG\0");
      else behave({ complete: true, infected: false });
      return;
    }
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE()) {
      const length = pending.readUInt32BE();
      if (length === 0) return behave({ complete: true, infected });
      const text = Buffer.concat([tail, pending.subarray(4, 4 + length)]);
      infected ||= text.includes(eicar);
      tail = text.subarray(-eicar.length);
      pending = pending.subarray(4 + length);
      behave({ complete: false, infected });
    }
  });
}
