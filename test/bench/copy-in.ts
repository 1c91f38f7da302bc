import { once } from "node:events";
import type { Writable } from "node:stream";
import type pg from "pg";

interface CopyConnection {
  readonly stream: Writable;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Sends texts by a `COPY … FROM STDIN`, as fast as the server takes them. */
export function copyIn(client: pg.Client, statement: string, texts: AsyncIterable<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    const copy = {
      submit: (connection: CopyConnection) => connection.query(statement),
      handleCopyInResponse: (connection: CopyConnection) => {
        send(connection, texts).catch((error: unknown) => connection.sendCopyFail(String(error)));
      },
      handleError: (error: Error) => (failure ??= error),
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure === undefined ? resolve() : reject(failure)),
    };
    client.query(copy as unknown as pg.Submittable);
  });
}

async function send(connection: CopyConnection, texts: AsyncIterable<string>): Promise<void> {
  for await (const text of texts) {
    connection.sendCopyFromChunk(Buffer.from(text));
    if (connection.stream.writableNeedDrain) await once(connection.stream, "drain");
  }
  connection.endCopyFrom();
}
