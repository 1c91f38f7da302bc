import pg from "pg";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../../../src/demo/random.js";
import { ask, type Followed } from "./followed.js";

/** What writers have been told, to be compared with the journal. */
export class Written {
  /** How many changes the writers believe to have made. */
  changes = 0;
  /** By the request that was answered as done: the type of the rows, and how many of them it has changed. */
  readonly acknowledged = new Map<string, { readonly type: string; readonly rows: number }>();
  /** How many rows were added and rolled back. */
  undone = 0;
  readonly imports: number[] = [];
}

/** How the names of rows begin that are rolled back. Their ids say nothing: PostgreSQL gives some out again after a crash. */
export const UNDONE = "Undone ";

/** Makes some changes. Whatever it throws, it is called again: a process may have been killed. */
type Writer = (turn: number) => Promise<void>;

const AGAIN_MS = 50;
/** Between two looks how an import goes. */
const LOOK_MS = 250;
const TELL_MS = 60_000;
const BULK = 100;
const PARTS = 40;
const IMPORTED = 1_000;
const MANY = 200;
const LONG_MS = [200, 1_500] as const;
const SHORT_MS = [0, 20] as const;
/** Between two statements of many rows, so that the others have their share of all changes. */
const MANY_MS = [800, 2_000] as const;

/**
 * Lets eight writers change companies, each writer one after the other, until there are so many changes and `isEnough`.
 *
 * @returns what was written, in the order of the companies.
 */
export async function write(
  companies: readonly Followed[],
  random: Random,
  { most, isEnough }: { most: number; isEnough: () => boolean },
): Promise<Written[]> {
  const all = companies.map((followed) => ({ followed, written: new Written() }));
  const count = (): number => all.reduce((sum, { written }) => sum + written.changes, 0);
  const directs: Direct[] = [];
  const ofCompanies = all.map(({ followed, written }): Writer[] => {
    const direct = new Direct(followed, random, written);
    directs.push(direct);
    return [
      edits(followed, random, written),
      bulk(followed, random, written),
      parts(followed, random, written),
      imports(followed, written),
      direct.long(),
      direct.undone(),
      direct.crossing(),
      direct.many(),
    ];
  });
  const work = async (kind: number): Promise<void> => {
    for (let turn = 0; count() < most || !isEnough(); turn += 1) {
      const writer = ofCompanies[turn % companies.length]?.[kind] as Writer;
      await writer(Math.floor(turn / companies.length)).catch(() => wait(AGAIN_MS));
    }
  };
  const telling = setInterval(() => console.log(`${count()} changes are written`), TELL_MS);
  try {
    await Promise.all(Array.from(ofCompanies[0] ?? [], (_writer, kind) => work(kind)));
  } finally {
    clearInterval(telling);
    await Promise.all(directs.map((direct) => direct.end()));
  }
  return all.map(({ written }) => written);
}

/** One good at a time, over REST. */
function edits(followed: Followed, random: Random, written: Written): Writer {
  return async (turn) => {
    const id = `edit-${turn}`;
    const path = `/api/companies/${followed.companyId}/goods/${random.pick(followed.goodIds)}`;
    const response = await ask(followed, turn, path, {
      method: "PATCH",
      headers: { "x-request-id": id },
      body: { name: `Edited ${turn}` },
    });
    await response.arrayBuffer();
    if (response.status !== 200) return;
    written.acknowledged.set(id, { type: "Good", rows: 1 });
    written.changes += 1;
  };
}

/** Many goods with a price each. */
function bulk(followed: Followed, random: Random, written: Written): Writer {
  return async (turn) => {
    const id = `bulk-${turn}`;
    const rows = random
      .sample(followed.goodIds, Math.min(BULK, followed.goodIds.length))
      .map((goodId) => ({ id: goodId, price_e2: 1_000 + turn }));
    const response = await ask(followed, turn, `/api/companies/${followed.companyId}/goods?by=id`, {
      method: "PATCH",
      headers: { "x-request-id": id },
      body: rows,
    });
    const results = (await response.json()) as { ok: boolean }[];
    if (response.status !== 200) return;
    const done = results.filter(({ ok }) => ok).length;
    written.acknowledged.set(id, { type: "Good", rows: done });
    written.changes += done;
  };
}

const STOCK = `mutation ($c: Int!, $rows: [UpsertBranchGoodInput!]!) {
  upsertBranchGoods(companyId: $c, by: id, rows: $rows) { ok }
}`;

/** Stock at the branch, which is a change of the goods as well. */
function parts(followed: Followed, random: Random, written: Written): Writer {
  return async (turn) => {
    const id = `part-${turn}`;
    const rows = random
      .sample(followed.goodIds, Math.min(PARTS, followed.goodIds.length))
      .map((goodId) => ({ goodId, branchId: followed.branchId, stock: turn + 1 }));
    const body = { query: STOCK, variables: { c: followed.companyId, rows } };
    const response = await ask(followed, turn, "/graphql", {
      method: "POST",
      headers: { "x-request-id": id },
      body,
    });
    const { data } = (await response.json()) as { data: { upsertBranchGoods: { ok: boolean }[] } | null };
    const done = data?.upsertBranchGoods.filter(({ ok }) => ok).length ?? 0;
    if (done === 0) return;
    written.acknowledged.set(id, { type: "BranchGood", rows: done });
    written.changes += 2 * done;
  };
}

/** A sheet of goods of which half are new; jobs of whichever instance import it. */
function imports(followed: Followed, written: Written): Writer {
  const { companyId, shopId } = followed;
  return async (turn) => {
    const lines = Array.from(
      { length: IMPORTED },
      (_, line) => `S-${(turn * IMPORTED) / 2 + line},Imported ${line},${turn + 1}`,
    );
    const body = new FormData();
    body.set("file", new Blob([["sku,name,price", ...lines].join("\n")]), "goods.csv");
    const path = `/api/companies/${companyId}/branch-groups/${shopId}/goods/import`;
    const made = await ask(followed, turn, path, { method: "POST", body });
    const { id } = (await made.json()) as { id: number };
    if (made.status !== 202) throw new Error("refused");
    written.imports.push(id);
    for (let status = "queued"; status !== "finished" && status !== "failed";) {
      await wait(LOOK_MS);
      const shown = await ask(followed, turn, `/api/companies/${companyId}/import-jobs/${id}`).catch(
        () => null,
      );
      if (shown?.ok === true) ({ status } = (await shown.json()) as { status: string });
    }
    written.changes += IMPORTED;
  };
}

/** Writers past the service, as jobs and commands are: in transactions that name nobody. */
class Direct {
  private readonly connections = new Set<pg.Client>();

  constructor(
    private readonly followed: Followed,
    private readonly random: Random,
    private readonly written: Written,
  ) {}

  /** Transactions that take long: all that is written meanwhile is held back. */
  long(): Writer {
    return this.writer(async (run, turn) => {
      await this.add(run, `Long ${turn}`, 2);
      await wait(this.random.int(...LONG_MS));
      await this.rename(run, this.random.sample(this.followed.cityIds, 3), `Long ${turn}`);
      return 5;
    });
  }

  /** Transactions that are rolled back, as a whole or in part. */
  undone(): Writer {
    return this.writer(async (run, turn) => {
      const isWhole = turn % 2 === 0;
      if (!isWhole) await this.add(run, `Kept ${turn}`, 1);
      await run("SAVEPOINT before");
      this.written.undone += (await this.add(run, `${UNDONE}${turn}`, 10)).length;
      await this.rename(run, this.random.sample(this.followed.cityIds, 2), `${UNDONE}${turn}`);
      await wait(this.random.int(...SHORT_MS));
      await run("ROLLBACK TO SAVEPOINT before");
      if (isWhole) return null;
      await this.add(run, `Kept ${turn}`, 1);
      return 2;
    });
  }

  /** Rows that long transactions want, too, each of them changed by whoever comes first. */
  crossing(): Writer {
    return this.writer(async (run, turn) => {
      const [first, second] = this.random.sample(this.followed.cityIds, 2).sort((a, b) => a - b) as [
        number,
        number,
      ];
      await this.rename(run, [first], `Crossing ${turn}`);
      await wait(this.random.int(...SHORT_MS));
      await this.rename(run, [second], `Crossing ${turn}`);
      return 2;
    });
  }

  /** Many rows by one statement. */
  many(): Writer {
    return this.writer(async (run, turn) => {
      await this.add(run, `Many ${turn}`, MANY);
      await wait(this.random.int(...MANY_MS));
      return MANY;
    });
  }

  async end(): Promise<void> {
    await Promise.all([...this.connections].map((client) => client.end().catch(() => undefined)));
  }

  /** @param work returns how many changes it has made; `null` when they are to be rolled back. */
  private writer(work: (run: Run, turn: number) => Promise<number | null>): Writer {
    let client: pg.Client | null = null;
    return async (turn) => {
      client ??= await this.connect();
      const open = client;
      const run: Run = (text, values) => open.query<{ id: number }>(text, values);
      try {
        await run("BEGIN");
        const count = await work(run, turn);
        await run(count === null ? "ROLLBACK" : "COMMIT");
        this.written.changes += count ?? 0;
      } catch (error) {
        this.connections.delete(client);
        await client.end().catch(() => undefined);
        client = null;
        throw error;
      }
    };
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.followed.databaseUrl });
    client.on("error", () => undefined);
    await client.connect();
    this.connections.add(client);
    return client;
  }

  private async add(run: Run, name: string, count: number): Promise<number[]> {
    const { rows } = await run(
      "INSERT INTO cities (company_id, name) SELECT $1, $2 || '.' || n FROM generate_series(1, $3::int) AS n RETURNING id",
      [this.followed.companyId, name, count],
    );
    return rows.map(({ id }) => id);
  }

  /** Locks in the order of ids, so that no two wait for each other. */
  private async rename(run: Run, ids: readonly number[], name: string): Promise<void> {
    for (const id of [...ids].sort((a, b) => a - b))
      await run("UPDATE cities SET name = $3, updated_at = now() WHERE company_id = $1 AND id = $2", [
        this.followed.companyId,
        id,
        name,
      ]);
  }
}

type Run = (text: string, values?: unknown[]) => Promise<{ rows: { id: number }[] }>;
