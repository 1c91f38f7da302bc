import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as a receiver gets it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: { type: string; timestamp: string; data: Record<string, any> };
}

/** What a receiver answers: a status, also with headers and a body; `never` does not answer, `broken` ends the connection. */
type Answer =
  number | { status: number; headers?: Record<string, string>; body?: string } | "never" | "broken";

/** A server on this machine that takes messages of webhooks. */
export interface Receiver {
  /** Its name and port, as `FETCH_ALLOW` names them. */
  readonly host: string;
  readonly url: string;
  readonly received: Received[];
  /** The most messages that were being answered at once. */
  readonly most: () => number;
  /** Says what is answered from now on. */
  answers(answer: (message: Received) => Answer | Promise<Answer>): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: (message: Received) => Answer | Promise<Answer> = () => 204;
  let going = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      const message = {
        path: request.url ?? "",
        headers: request.headers,
        text,
        body: JSON.parse(text) as Received["body"],
      };
      received.push(message);
      most = Math.max(most, (going += 1));
      void Promise.resolve(answer(message)).then((given) => {
        going -= 1;
        if (given === "never") return;
        if (given === "broken") {
          response.destroy();
          return;
        }
        const { status, headers = {}, body = "" } = typeof given === "number" ? { status: given } : given;
        response.writeHead(status, headers).end(body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/hook`,
    received,
    most: () => most,
    answers: (next) => {
      answer = next;
      received.length = 0;
      most = 0;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
