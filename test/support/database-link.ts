import { once } from "node:events";
import { createServer, connect, type AddressInfo, type Socket } from "node:net";

/** A way to a server that counts the statements on it, and can be made slow or be closed. */
export interface DatabaseLink {
  /** The URL of the server by this way. */
  readonly url: string;
  /** The texts of the statements that were begun since `statements.length = 0`; one that was prepared before has its name. */
  readonly statements: string[];
  /** Has each part of what is sent arrive later by this time, in both directions. */
  slowDown(milliseconds: number): void;
  /** Lets nothing pass any more, as a network does that is cut: nobody hears that a connection has ended. */
  cut(): void;
  /** Lets all pass again; what was held back arrives. */
  mend(): void;
  close(): Promise<void>;
}

/** Opens a way to the server of a URL. Statements are counted as they are sent, those of a transaction each by itself. */
export async function openLink(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const statements: string[] = [];
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let isCut = false;
  const server = createServer({ allowHalfOpen: false }, (client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const listen = statementListener((text) => statements.push(text));
    for (const [from, to, hear] of [
      [client, upstream, listen],
      [upstream, client, () => undefined],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("data", (chunk: Buffer) => {
        hear(chunk);
        if (delayMs === 0) to.write(chunk);
        else setTimeout(() => to.write(chunk), delayMs);
      });
      if (isCut) from.pause();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    statements,
    slowDown: (milliseconds) => void (delayMs = milliseconds),
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns what reads the messages of a client: after the first one, each has a letter and its length. */
function statementListener(hear: (text: string) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  let parsed = "";
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = hasBegun ? 1 : 0;
      if (rest.length < head + 4) return;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return;
      const letter = hasBegun ? String.fromCharCode(rest[0] ?? 0) : "";
      const [first = "", second = ""] = rest.toString("utf8", head + 4, end).split("\0");
      if (letter === "Q") hear(first);
      if (letter === "P") parsed = second;
      if (letter === "B") parsed ||= second;
      if (letter === "E") {
        hear(parsed);
        parsed = "";
      }
      hasBegun = true;
      rest = rest.subarray(end);
    }
  };
}
