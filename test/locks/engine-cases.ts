import { randomBytes } from "node:crypto";
import { addJob } from "../../src/core/jobs/jobs.js";
import { deleteSome } from "../../src/core/jobs/delete-some.sql.js";
import { foldRowCounts } from "../../src/engine/counts/fold-row-counts.sql.js";
import { foldUsageCounts } from "../../src/engine/limits/usage.sql.js";
import { noteBytes } from "../../src/engine/storage/stored-file.sql.js";
import { tendJobs, renewLeases } from "../../src/engine/worker/job-lease.sql.js";
import { resident, UNTYPED, type Resident } from "../client-addresses/addresses.js";
import { createGood, unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";
import { type Cases, held, inCompany, runs, type Scene, sends } from "./lock-case.js";

const EXPIRED = new Date("2026-01-01T00:00:00Z");

export const ENGINE_CASES: Cases = {
  "engine/counts/fold-row-counts.function.sql: row_counts": inCompany(async ({ gateway, company, own }) => {
    await createGood(gateway, company.id);
    const { tableName, id } = await gateway.db.rowCount.findFirstOrThrow({
      where: { ...own, id: { gt: 0 } },
    });
    const row = { company_id: company.id, table_name: tableName, id };
    return held(row, () => foldRowCounts(gateway.database.pool));
  }),
  "engine/guard/change.ts findRow: table": inCompany(async ({ gateway, company, own, keyOf }) => {
    const fleet = await gateway.db.fleet.create({ data: { ...own, name: unique() } });
    const since = fleet.updatedAt.toISOString().slice(0, 19).replace("T", " ");
    return held(
      keyOf(fleet),
      () => runs(company, `deleteFleet(id: ${fleet.id}, ifUpdatedAt: "${since}") { id }`),
      "fleets",
    );
  }),
  "engine/guard/change.ts lockPrivateRow: owners": async (gateway) => {
    const { home, change } = await addressWithCondition(gateway);
    return held({ company_id: home.company.id, id: home.id }, change, "clients");
  },
  "engine/guard/change.ts lockPrivateRow: table": async (gateway) => {
    const { home, change, addressId } = await addressWithCondition(gateway);
    return held({ company_id: home.company.id, id: addressId }, change, "client_addresses");
  },
  "core/jobs/delete-some.sql.ts deleteThose: table": async (gateway) => {
    const bucket = unique();
    await gateway.db.rateLimit.create({ data: { bucket, count: 1, resetsAt: EXPIRED } });
    const old = {
      model: "RateLimit",
      where: "resets_at < now()",
      orderBy: "resets_at",
      most: 5_000,
    } as const;
    return held({ bucket }, () => deleteSome(gateway.database, old), "rate_limits");
  },
  "engine/limits/fold-usage-counts.function.sql: usage_counts": inCompany(
    async ({ gateway, company, own }) => {
      await runs(company, 'createCity(input: { name: "Lima" }) { id }');
      const { name, day, id } = await gateway.db.usageCount.findFirstOrThrow({
        where: { ...own, id: { gt: 0 } },
      });
      const row = { company_id: company.id, name, day, id };
      return held(row, () => foldUsageCounts(gateway.database.pool));
    },
  ),
  "engine/storage/stored-file.sql.ts noteBytes: stored_files": inCompany(
    async ({ gateway, company, own }) => {
      const key = `${randomBytes(16).toString("hex")}.png`;
      await gateway.db.storedFile.create({
        data: { ...own, key, bytes: 10, contentType: "image/png", width: 1, height: 1 },
      });
      return held({ company_id: company.id, key }, () =>
        noteBytes(gateway.database.pool, { companyId: company.id, key, bytes: 30 }),
      );
    },
  ),
  "engine/worker/job-lease.sql.ts renewLeases: graphile_worker._private_jobs": inCompany(async (scene) => {
    const id = await abandonedJob(scene);
    return held({ id }, () => renewLeases(scene.gateway.database.pool, "gone", [String(id)]));
  }),
  "engine/worker/job-lease.sql.ts tendJobs: graphile_worker._private_jobs": inCompany(async (scene) => {
    const id = await abandonedJob(scene);
    return held({ id }, () => tendJobs(scene.gateway.database.pool, 1_000));
  }),
};

/** An address of a client, and a change of it that the client makes only if it is still the same. */
async function addressWithCondition(
  gateway: Gateway,
): Promise<{ home: Resident; addressId: number; change: () => Promise<void> }> {
  const home = await resident(gateway);
  const { body } = await home.client.rest("POST", home.own, { body: UNTYPED });
  const addressId = body.id as number;
  const path = `${home.all}/${addressId}`;
  const { headers } = await home.client.rest("GET", path);
  const condition = { "if-match": String(headers["etag"]) };
  return { home, addressId, change: () => sends(home.client, "PATCH", path, { name: "Work" }, condition) };
}

/** A job of a worker that has not renewed its lease for an hour. */
async function abandonedJob({ gateway: { db }, company }: Scene): Promise<bigint> {
  const key = unique();
  await addJob({ db }, "couponDue", { companyId: company.id, couponId: 1 }, { key });
  const [job] = await db.$queryRaw<{ id: bigint }[]>`
    UPDATE graphile_worker._private_jobs SET locked_by = 'gone', locked_at = now() - interval '1 hour'
     WHERE key = ${key} RETURNING id`;
  return (job as { id: bigint }).id;
}
