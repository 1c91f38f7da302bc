/**
 * Shakes 100,000 times in one event, many at once, on the embedded PostgreSQL. It checks whether each coupon seed
 * was won as often as its odds say (by χ², so that one fair run in 10,000 fails), whether a limited one was won as
 * often as there are coupons, whether nobody won twice, and whether a replay of all draws gives the same prize
 * coupons.
 *
 * `--shakes 10000` makes fewer.
 */
import "reflect-metadata";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import {
  setCompanyEventFinished,
  setCompanyEventReady,
} from "../../src/slices/company-events/company-event-lifecycle.service.js";
import { createCompanyEvent } from "../../src/slices/company-events/company-event.service.js";
import { shake } from "../../src/slices/company-events/shake.service.js";
import { verifyEvent } from "../../src/slices/company-events/verification.service.js";
import type { Caller } from "../../src/core/access/caller.js";
import type { Database } from "../../src/engine/connections/client.js";
import { createCompanyScope } from "../../src/engine/tenancy/create-company-scope.js";
import type { CompanyScope } from "../../src/core/scope/company-scope.js";
import { companyFacts, companyRow } from "../support/company-row.js";
import { ProvingGround } from "./proving-ground.js";

const AT_ONCE = 16;
const SHAKES_PER_CLIENT = 4;
/** One fair run in 10,000 exceeds this value of χ² with one degree of freedom. */
const CHI_SQUARE_LIMIT = 15.14;
/** The last coupon seed is limited, so its coupons are gone long before the end. */
const COUPON_SEEDS = [
  { maxCount: 1_000_000, winRate: 100 },
  { maxCount: 1_000_000, winRate: 12 },
  { maxCount: 50, winRate: 3 },
];

const { values } = parseArgs({ options: { shakes: { type: "string", default: "100000" } } });
const ground = await ProvingGround.start("shakes", { poolSize: AT_ONCE, statementTimeoutMs: 60_000 });
await ground.judge(() => prove(ground.database, Number(values.shakes)));

async function prove(database: Database, shakes: number): Promise<boolean> {
  const companyId = await createCompany(database);
  const clients = Math.ceil(shakes / SHAKES_PER_CLIENT);
  const first = await createClients(database, companyId, clients);
  const admin = scopeOf(database, companyId, { kind: "platform" });
  const { id } = await createCompanyEvent(admin, {
    name: "Drop",
    type: "coupon_gen",
    config: { couponSeeds: COUPON_SEEDS },
  });
  await setCompanyEventReady(admin, id, {});

  const start = performance.now();
  let next = 0;
  const work = async (): Promise<void> => {
    for (let number = next++; number < shakes; number = next++) {
      const caller: Caller = { kind: "client", id: first + (number % clients), companyId };
      await shake(scopeOf(database, companyId, caller));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const seconds = (performance.now() - start) / 1000;
  await setCompanyEventFinished(scopeOf(database, companyId, { kind: "platform" }), id);
  console.log(`${shakes} shakes of ${clients} clients, ${Math.round(shakes / seconds)} a second`);
  return tell(database, companyId, id);
}

async function tell(database: Database, companyId: number, id: number): Promise<boolean> {
  const { writer } = database;
  const found = await verifyEvent(writer, companyId, id);
  if (found === null || "status" in found) throw new Error("the event is not finished");
  const winners = await writer.companyEventDraw.groupBy({
    by: ["clientId"],
    where: { companyId, companyEventId: id, place: { not: null } },
    _count: true,
  });
  const twice = winners.filter(({ _count }) => _count > 1).length;
  // A draw that won an earlier coupon seed did not try the later ones.
  let tries = found.draws;
  const rows = found.places.map(({ winRate, maxCount, given }, place) => {
    const expected = tries / winRate;
    const chiSquare = (given - expected) ** 2 / expected + (given - expected) ** 2 / (tries - expected);
    const isLimited = expected > maxCount;
    const holds = isLimited ? given === maxCount : given <= maxCount && chiSquare < CHI_SQUARE_LIMIT;
    const row = {
      place,
      odds: `1 in ${winRate}`,
      tries,
      won: given,
      expected: isLimited ? `all ${maxCount}` : expected.toFixed(1),
      "χ²": isLimited ? "" : chiSquare.toFixed(2),
      holds,
    };
    tries -= given;
    return row;
  });
  console.table(rows);
  console.log(
    `${found.draws} draws replayed: ${found.differenceCount} differences; ${twice} clients won twice`,
  );
  for (const difference of found.differences) console.log(`- ${difference}`);
  return rows.every(({ holds }) => holds) && found.differenceCount === 0 && twice === 0;
}

function scopeOf({ writer }: Database, companyId: number, caller: Caller): CompanyScope {
  return createCompanyScope(writer, companyFacts(companyId), caller, new Date());
}

async function createCompany({ writer }: Database): Promise<number> {
  const { id } = await writer.company.create({
    data: companyRow("proof"),
    select: { id: true },
  });
  return id;
}

/**
 * Creates clients.
 *
 * @returns the id of the first client; the other ids follow it.
 */
async function createClients({ pool }: Database, companyId: number, count: number): Promise<number> {
  const { rows } = await pool.query<{ first: number }>(
    `WITH created AS (
       INSERT INTO clients (company_id, name) SELECT $1, 'Player ' || n FROM generate_series(1, $2::int) AS n RETURNING id)
     SELECT min(id) AS first FROM created`,
    [companyId, count],
  );
  return (rows[0] as { first: number }).first;
}
