import type { Database } from "../../../src/engine/connections/client.js";
import { loadDemoData } from "../../../src/demo/load.js";
import { companyRow } from "../../support/company-row.js";
import { fillCompany } from "../../support/fill-company.js";

const BRANCHES = 200;
const LIST_ROWS = 10_000;
const LONG_ROWS = 400;
const LONG_TEXT = "x".repeat(60_000);
const ROWS_OF_OTHERS = 20;

/** The ids of what costly requests ask for. */
export interface CostlyData {
  readonly companyId: number;
  /** The first client of the company. */
  readonly clientId: number;
  /** A shop with 200 branches. */
  readonly branchGroupId: number;
  /** A tag of 10,000 goods: their list is not paged. */
  readonly goodTagId: number;
  /** A type of 400 goods with 60 KB of text each. */
  readonly goodTypeId: number;
  /** A running coupon with 10,000 codes. */
  readonly couponId: number;
  /** An admin of a company of the demo data. */
  readonly bystander: { readonly id: number; readonly companyId: number };
}

/** Loads the demo data, and a company with rows of every kind, and with as many as make some requests costly. */
export async function loadCostlyData(database: Database): Promise<CostlyData> {
  await loadDemoData(database);
  const { writer: db, pool } = database;
  const { id: quiet } = await db.company.findFirstOrThrow({ orderBy: { id: "asc" }, select: { id: true } });
  const bystander = await db.admin.findFirstOrThrow({
    where: { companyId: quiet, isOwner: true, deletedAt: null },
    select: { id: true, companyId: true },
  });
  const { id: companyId } = await db.company.create({
    data: { ...companyRow("calm"), settings: { create: { data: { isMarketplace: true } } } },
  });
  await fillCompany(db, companyId, ROWS_OF_OTHERS);
  const select = { id: true } as const;
  const { id: clientId } = await db.client.findFirstOrThrow({
    where: { companyId },
    orderBy: { id: "asc" },
    select,
  });
  const { id: branchGroupId } = await db.branchGroup.create({ data: { companyId, name: "Large" }, select });
  await db.branch.createMany({
    data: numbered(BRANCHES, (n) => ({ companyId, branchGroupId, name: `Branch ${n}` })),
  });
  const good = { companyId, branchGroupId, shortDetails: "", type: 1, priceE2: 100 };
  const { id: goodTagId } = await db.goodTag.create({ data: { companyId, name: "All" }, select });
  const goods = await db.good.createManyAndReturn({
    data: numbered(LIST_ROWS, (n) => ({ ...good, name: `Good ${n}`, details: "" })),
    select,
  });
  await db.goodTagGood.createMany({
    data: goods.map(({ id: goodId }) => ({ companyId, goodTagId, goodId })),
  });
  const { id: goodTypeId } = await db.goodType.create({ data: { companyId, name: "Long" }, select });
  await db.good.createMany({
    data: numbered(LONG_ROWS, (n) => ({ ...good, goodTypeId, name: `Long ${n}`, details: LONG_TEXT })),
  });
  const { id: couponId } = await db.coupon.create({
    data: {
      companyId,
      name: "Many codes",
      type: "personal",
      status: "running",
      totalCount: LIST_ROWS,
      generatedCount: LIST_ROWS,
      startsAt: new Date("2026-01-01T00:00:00Z"),
      endsAt: new Date("2098-01-01T00:00:00Z"),
    },
    select,
  });
  await db.couponCode.createMany({
    data: numbered(LIST_ROWS, (n) => ({ companyId, couponId, code: `CALM${n}0` })),
  });
  await pool.query("ANALYZE");
  return { companyId, clientId, branchGroupId, goodTagId, goodTypeId, couponId, bystander };
}

function numbered<T>(count: number, row: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => row(index + 1));
}
