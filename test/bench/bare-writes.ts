import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import pg from "pg";

/**
 * What a value of a statement is: the same at each run, one that the request brings, or the id that an earlier statement of the
 * run has answered.
 */
export type ScriptValue =
  { readonly constant: string | null } | { readonly given: number } | { readonly answeredId: true };

/** The statements of one kind of request, in their order. */
export type Script = readonly { readonly text: string; readonly values: readonly ScriptValue[] }[];

/**
 * Runs the statements that another service was seen to send, one after the other by prepared statements of `pg`, and nothing else:
 * `POST /name` with a JSON array of the values that a request brings. The scripts stand in a file, by their names.
 */
const [url, port, file] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 16 });
const scripts = JSON.parse(readFileSync(file ?? "", "utf8")) as Readonly<Record<string, Script>>;

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const name = (request.url ?? "").slice(1);
    const script = scripts[name];
    if (script === undefined) {
      response.end("ready");
      return;
    }
    run(name, script, JSON.parse(Buffer.concat(chunks).toString()) as string[]).then(
      (id) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ data: { [name]: { id } } }));
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
}).listen(Number(port), "127.0.0.1");

async function run(name: string, script: Script, given: readonly string[]): Promise<unknown> {
  const client = await pool.connect();
  let id: unknown = null;
  let failure: Error | undefined;
  try {
    for (const [index, { text, values }] of script.entries()) {
      const bound = values.map((value) => {
        if ("constant" in value) return value.constant;
        return "given" in value ? given[value.given] : id;
      });
      const { rows } = await client.query<{ id?: unknown }>(
        values.length === 0 ? text : { name: `${name} ${index}`, text, values: bound },
      );
      id = rows[0]?.id ?? id;
    }
    return id;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
