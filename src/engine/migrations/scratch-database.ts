import { randomUUID } from "node:crypto";
import pg from "pg";

/** Gives `work` an empty database of its own on the server of `url`; it is removed afterwards with whatever is connected to it. */
export async function withScratchDatabase<T>(
  url: string,
  work: (scratch: pg.Client, scratchUrl: string) => Promise<T>,
): Promise<T> {
  const name = `scratch_${randomUUID().replaceAll("-", "")}`;
  const scratchUrl = new URL(url);
  scratchUrl.pathname = `/${name}`;
  const server = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const scratch = new pg.Client({ connectionString: scratchUrl.href, connectionTimeoutMillis: 10_000 });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    try {
      await scratch.connect();
      return await work(scratch, scratchUrl.href);
    } finally {
      await scratch.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  } finally {
    await server.end();
  }
}
