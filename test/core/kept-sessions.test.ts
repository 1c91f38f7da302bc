import type pg from "pg";
import { keepsStatements } from "../../src/engine/connections/kept-sessions.js";

const PID = 4711;

/** A session that is shown under a number, and the names under which its server knows what is prepared in it. */
function session(shown: number, knownAs: (name: string) => string) {
  const sent: string[] = [];
  const prepared: string[] = [];
  const query = (given: string | { name: string }, values?: string[]) => {
    if (typeof given !== "string") prepared.push(knownAs(given.name));
    else sent.push(given);
    if (typeof given === "string" && given.includes("pg_backend_pid")) return { rows: [{ pid: PID }] };
    return { rows: prepared.filter((name) => name === values?.[0]).map((name) => ({ name })) };
  };
  return { client: { processID: shown, query } as unknown as pg.Client, sent };
}

describe("whether a session keeps its statements", () => {
  it("is so without a pooler, at the price of one statement", async () => {
    const { client, sent } = session(PID, (name) => name);

    expect(await keepsStatements(client)).toBe(true);
    expect(sent).toEqual(["SELECT pg_backend_pid() AS pid"]);
  });

  it("is so behind a pooler that names them anew", async () => {
    const { client, sent } = session(1, () => "PGBOUNCER_1");

    expect(await keepsStatements(client)).toBe(true);
    expect(sent.at(-1)).toBe("COMMIT");
  });

  it("is not so behind one that passes them on, and nothing stays behind", async () => {
    const { client, sent } = session(1, (name) => name);

    expect(await keepsStatements(client)).toBe(false);
    expect(sent.slice(-2)).toEqual([expect.stringMatching(/^DEALLOCATE "kept [0-9a-f-]{36}"$/u), "COMMIT"]);
  });
});
