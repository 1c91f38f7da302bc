import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { ServerClient } from "../../../src/engine/connections/hosts.js";
import { companyRow } from "../../support/company-row.js";
import { createDatabase } from "../../../src/engine/connections/client.js";

const WRITERS = 4;
/** Callers that only read, of what the writers were answered. */
const READERS = 8;
/** Each writer waits so long between two changes: most callers read. */
const PAUSE_MS = 40;
/** A caller that was refused comes again after this time. */
const RETRY_MS = 50;

/** What came of the requests of a while. */
export interface LoadResult {
  readonly writes: number;
  readonly reads: number;
  /** Reads that showed a state before a change that was answered before they began. */
  readonly stale: number;
  /** The share of the reads that a replica answered. */
  readonly ofReplicas: number;
  /** Answers of 503, and connections that ended without an answer. */
  readonly refused: number;
  readonly broken: number;
  /** Answers of any other status. */
  readonly strange: number;
  /** The longest time without a change that was answered, in milliseconds. */
  readonly awayMs: number;
}

/** A row that one writer counts up in. */
interface CountedRow {
  readonly path: string;
  readonly id: number;
  /** The number that was sent last, and the last one that was answered. */
  sent: number;
  answered: number;
}

/** The number in a name: names of a company differ, so each begins with the id of its row. */
function numberIn(name: string): number {
  return Number(name.split(" ")[1]);
}

/** Callers that change rows and read them through all processes. */
export class Load {
  private readonly agent = new Agent({ keepAlive: true });

  private constructor(
    private readonly base: string,
    private readonly token: string,
    private readonly rows: readonly CountedRow[],
  ) {}

  static async prepare(ownerUrl: string, token: string, base: string): Promise<Load> {
    const database = await createDatabase({ url: ownerUrl, poolSize: 1 });
    try {
      const { id: companyId } = await database.writer.company.create({
        data: { ...companyRow("cluster"), settings: { create: { data: {} } } },
      });
      const rows: CountedRow[] = [];
      for (let n = 0; n < WRITERS; n += 1) {
        const { id } = await database.writer.property.create({
          data: { companyId, name: `${n} 0`, type: 0 },
        });
        rows.push({ id, path: `/api/companies/${companyId}/properties/${id}`, sent: 0, answered: 0 });
      }
      return new Load(base, token, rows);
    } finally {
      await database.close();
    }
  }

  /** Lets callers write and read as long as something goes on. */
  async during(scene: () => Promise<void>): Promise<LoadResult> {
    const result = {
      writes: 0,
      reads: 0,
      stale: 0,
      ofReplicas: 0,
      refused: 0,
      broken: 0,
      strange: 0,
      awayMs: 0,
    };
    let isOver = false;
    let lastWrite = performance.now();
    const note = (status: number): boolean => {
      if (status === 503) result.refused += 1;
      else if (status === 0) result.broken += 1;
      else if (status !== 200) result.strange += 1;
      return status === 200;
    };
    const write = async (row: CountedRow): Promise<void> => {
      while (!isOver) {
        const number = (row.sent += 1);
        const { status } = await this.send("PATCH", row.path, { name: `${row.id} ${number}` });
        if (note(status)) {
          row.answered = Math.max(row.answered, number);
          result.writes += 1;
          const now = performance.now();
          result.awayMs = Math.max(result.awayMs, Math.round(now - lastWrite));
          lastWrite = now;
          await sleep(PAUSE_MS);
        } else await sleep(RETRY_MS);
      }
    };
    const read = async (first: number): Promise<void> => {
      for (let turn = first; !isOver; turn += 1) {
        const row = this.rows[turn % this.rows.length] as CountedRow;
        const least = row.answered;
        const { status, body } = await this.send("GET", row.path);
        if (note(status)) {
          result.reads += 1;
          if (numberIn((body as { name: string }).name) < least) result.stale += 1;
        } else await sleep(RETRY_MS);
      }
    };
    const callers = [...this.rows.map(write), ...Array.from({ length: READERS }, (_, n) => read(n))];
    try {
      await scene();
    } finally {
      isOver = true;
      result.awayMs = Math.max(result.awayMs, Math.round(performance.now() - lastWrite));
      await Promise.all(callers);
    }
    return result;
  }

  /** What a reader asks for, for one who measures. */
  ofReaders(): { url: string; headers: Record<string, string> } {
    const [row] = this.rows;
    return { url: `${this.base}${row?.path ?? ""}`, headers: { authorization: `Bearer ${this.token}` } };
  }

  /** @returns how many rows lack a change that was answered. */
  async countLost(url: string): Promise<number> {
    const client = new ServerClient({ connectionString: url });
    await client.connect();
    try {
      let lost = 0;
      for (const { id, answered } of this.rows) {
        const { rows } = await client.query<{ name: string }>("SELECT name FROM properties WHERE id = $1", [
          id,
        ]);
        if (numberIn(rows[0]?.name ?? "") < answered) lost += 1;
      }
      return lost;
    } finally {
      await client.end();
      this.agent.destroy();
    }
  }

  private send(method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.token}`,
      ...(body !== undefined && {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(text),
      }),
    };
    return new Promise((resolve) => {
      const failed = (): void => resolve({ status: 0, body: null });
      const sent = request(this.base + path, { method, agent: this.agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", failed);
        response.on("end", () => {
          const status = response.statusCode ?? 0;
          const answer = Buffer.concat(chunks).toString();
          resolve({ status, body: status === 200 ? (JSON.parse(answer) as unknown) : null });
        });
      });
      sent.on("error", failed);
      sent.end(text);
    });
  }
}
