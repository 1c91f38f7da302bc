import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine, as somebody else's on the network. */
export interface WebServer {
  readonly port: number;
  /** Its name and port, as `FETCH_ALLOW` names them. */
  readonly host: string;
  readonly requests: IncomingMessage[];
  /** Says what a path answers; returns its URL. */
  serve(path: string, answer: Answer | Buffer | { redirect: string }): string;
  close(): Promise<void>;
}

export async function startWebServer(): Promise<WebServer> {
  const answers = new Map<string, Answer>();
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request);
    const answer = answers.get(request.url ?? "");
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    port,
    host,
    requests,
    serve: (path, answer) => {
      answers.set(
        path,
        typeof answer === "function"
          ? answer
          : (_request, response) => {
              if (Buffer.isBuffer(answer)) response.end(answer);
              else response.writeHead(302, { location: answer.redirect, "set-cookie": "a=b" }).end();
            },
      );
      return `http://${host}${path}`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
