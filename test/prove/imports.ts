/**
 * Imports 50,000 goods while the process that does it is killed ten times (`kill -9`), then the same file again, then two
 * files of the same new goods at once by two processes. It checks whether each row took effect exactly once: as many goods
 * as rows, each sku once, and one entry of the audit trail for each good that was created.
 *
 * `--rows 5000` imports fewer.
 */
import "reflect-metadata";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import type { Database } from "../../src/engine/connections/client.js";
import { companyRow } from "../support/company-row.js";
import { startService, stopServices, type ServiceProcess } from "../support/service-process.js";
import { ProvingGround } from "./proving-ground.js";
import { SECRET } from "../bench/secret.js";

const KILLS = 10;
const POLL_MS = 20;

const { values } = parseArgs({ options: { rows: { type: "string", default: "50000" } } });
const ROWS = Number(values.rows);

interface Shop {
  readonly companyId: number;
  readonly shopId: number;
}

const ground = await ProvingGround.start("imports", { poolSize: 2, statementTimeoutMs: 60_000 });
await ground.judge(() => prove(ground.database).finally(stopServices));

async function prove(database: Database): Promise<boolean> {
  const door = await start({ JOBS: "off" }).ready;
  const killed = await openShop(database, 1);
  const first = await send(door, killed, sheet("Good"));
  let kills = 0;
  while (kills < KILLS) {
    const before = (await read(database, killed, first)).totalRows;
    const one = start();
    const goal = before + ROWS / (2 * KILLS);
    const tooEarly = one.exited.then((code) => {
      throw new Error(`the process ended by itself with ${code}:\n${one.output()}`);
    });
    await Promise.race([
      until(async () => (await read(database, killed, first)).totalRows >= goal),
      tooEarly,
    ]);
    tooEarly.catch(() => undefined);
    one.kill("SIGKILL");
    await one.exited;
    kills += 1;
  }
  const [another] = [start(), start()];
  await ended(database, killed, first);
  const again = await send(door, killed, sheet("Good"));
  await ended(database, killed, again);

  const shared = await openShop(database, 2);
  const both = [await send(door, shared, sheet("One")), await send(door, shared, sheet("Two", -1))];
  for (const id of both) await ended(database, shared, id);
  const results = [
    await tell(database, killed, `killed ${kills} times, then again`, [first, again], [ROWS, 0]),
    await tell(database, shared, "two at once", both, null),
  ];
  another?.kill("SIGTERM");
  return results.every(Boolean);
}

/** @param imported is how many goods each import has to create; with null both together as many as there are rows. */
async function tell(
  database: Database,
  shop: Shop,
  label: string,
  ids: readonly number[],
  imported: readonly number[] | null,
): Promise<boolean> {
  const { companyId } = shop;
  const jobs = [];
  for (const id of ids) jobs.push(await read(database, shop, id));
  const { rows } = await database.pool.query<{ goods: number; skus: number; entries: number }>(
    `SELECT count(*)::int AS goods, count(DISTINCT sku)::int AS skus,
            (SELECT count(*)::int FROM audit_entries e
              WHERE e.company_id = $1 AND e.target_type = 'good' AND e.action = 'create') AS entries
       FROM goods WHERE company_id = $1`,
    [companyId],
  );
  const { goods, skus, entries } = rows[0] as { goods: number; skus: number; entries: number };
  const counts = jobs.map((job) => job.imported);
  const holds =
    jobs.every(
      ({ status, totalRows, failed }) => status === "finished" && totalRows === ROWS && failed === 0,
    ) &&
    (imported === null
      ? counts.reduce((sum, count) => sum + count, 0) === ROWS
      : counts.every((count, i) => count === imported[i])) &&
    [goods, skus, entries].every((count) => count === ROWS);
  console.log(
    `${label}: ${ROWS} rows, created ${counts.join(" and ")}; ${goods} goods, ${skus} skus, ${entries} entries: ` +
      (holds ? "each row took effect once" : "WRONG"),
  );
  return holds;
}

function start(environment: Record<string, string> = {}): ServiceProcess {
  return startService({
    DATABASE_URL: ground.url,
    STORAGE_URL: `file://${join(ground.directory, "files")}`,
    DATA_DIR: join(ground.directory, "data"),
    JWT_SECRET: SECRET,
    SECRETS_KEY: "5e".repeat(32),
    ...environment,
  });
}

async function openShop({ writer }: Database, number: number): Promise<Shop> {
  const { id: companyId } = await writer.company.create({
    data: { ...companyRow(`proof-${number}`), settings: { create: { data: {} } } },
  });
  const { id: shopId } = await writer.branchGroup.create({ data: { companyId, name: "Shop" } });
  return { companyId, shopId };
}

function sheet(name: string, order: 1 | -1 = 1): string {
  const rows = Array.from({ length: ROWS }, (_, i) => `S-${i},${name} ${i},1`);
  return ["sku,name,price", ...(order === 1 ? rows : rows.reverse())].join("\n");
}

async function send(url: string, { companyId, shopId }: Shop, text: string): Promise<number> {
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  const form = new FormData();
  form.set("file", new Blob([text]), "goods.csv");
  const response = await fetch(`${url}/api/companies/${companyId}/branch-groups/${shopId}/goods/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (response.status !== 202) throw new Error(`the import was answered ${response.status}`);
  return ((await response.json()) as { id: number }).id;
}

function read({ writer }: Database, { companyId }: Shop, id: number) {
  return writer.importJob.findFirstOrThrow({ where: { companyId, id } });
}

function ended(database: Database, shop: Shop, id: number): Promise<void> {
  return until(async () => ["finished", "failed"].includes((await read(database, shop, id)).status));
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(POLL_MS);
}
