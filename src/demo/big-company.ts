import { randomUUID } from "node:crypto";
import type { Database } from "../engine/connections/client.js";
import type { PrismaClient } from "../generated/prisma/client.js";
import { type BulkParents, insertBulkGoods, PROPERTIES_PER_GOOD } from "./big-company.sql.js";
import { daysBefore } from "./moment.js";

/**
 * Goods of one statement: each takes well under a second, a few seconds on a distributed database, so that no limit of a session cuts
 * it off, on a busy machine neither.
 */
const BATCH = 200;
const SHOPS = 5;
const GOOD_TYPES = 20;
const CATEGORIES = 40;
const PROPERTIES = 200;
const OPTIONS_PER_PROPERTY = 4;
const CLIENTS = 1_000;

export interface BigCompany {
  readonly id: number;
  readonly name: string;
  readonly ownerEmail: string;
  /** How many rows it has of what. */
  readonly counts: Readonly<Record<string, number>>;
}

const numbered = <T>(count: number, row: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => row(index + 1));

/** What the names of such companies begin with. */
export const BIG_COMPANY = "Harbour Wholesale";

/**
 * Makes a new company with many goods, each with three properties. The company stays disabled until all of it
 * is there; its owner has no password and comes in by a token.
 *
 * @param onProgress is called with how many goods are there.
 */
export async function makeBigCompany(
  { writer }: Database,
  goods: number,
  onProgress: (done: number) => void,
): Promise<BigCompany> {
  const tag = randomUUID().slice(0, 8);
  const name = `${BIG_COMPANY} ${tag}`;
  const domain = `harbour-${tag}.example`;
  const company = await writer.company.create({
    data: {
      name,
      domain,
      email: `office@${domain}`,
      folderName: `harbour-${tag}`,
      enabled: false,
      defaultIsoLang: "en",
      countryIso: "NL",
      timeZoneOffset: "+01:00",
      stringsJson: { strings: [], version: 1 },
      stylesJson: { styles: {}, version: 1 },
      expiresAt: daysBefore(-3650),
      settings: { create: { data: { slogan: "Everything, by the pallet", currencyIso: "EUR" } } },
    },
    select: { id: true },
  });
  const parents = await makeParents(writer, company.id, domain);
  for (let first = 1; first <= goods; first += BATCH) {
    const last = Math.min(first + BATCH - 1, goods);
    await insertBulkGoods(writer, parents, { first, last, total: goods });
    onProgress(last);
  }
  await writer.company.update({ where: { id: company.id }, data: { enabled: true } });
  const counts = {
    goods,
    "good properties": goods * PROPERTIES_PER_GOOD,
    "branch goods": goods,
    properties: PROPERTIES,
    "property options": PROPERTIES * OPTIONS_PER_PROPERTY,
    categories: CATEGORIES,
    clients: CLIENTS,
  };
  return { id: company.id, name, ownerEmail: `owner@${domain}`, counts };
}

async function makeParents(db: PrismaClient, companyId: number, domain: string): Promise<BulkParents> {
  const select = { id: true } as const;
  const idsOf = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);
  const named = (kind: string, count: number) =>
    numbered(count, (n) => ({ companyId, name: `${kind} ${n}` }));
  const city = await db.city.create({ data: { companyId, name: "Rotterdam", countryIso: "NL" }, select });
  const shopIds = idsOf(await db.branchGroup.createManyAndReturn({ data: named("Hall", SHOPS), select }));
  const branches = shopIds.map((branchGroupId, index) => ({
    companyId,
    name: `Gate ${index + 1}`,
    branchGroupId,
    cityId: city.id,
  }));
  const branchRows = await db.branch.createManyAndReturn({
    data: branches,
    select: { id: true, branchGroupId: true },
  });
  const branchOf = new Map(branchRows.map(({ id, branchGroupId }) => [branchGroupId, id]));
  await db.admin.create({
    data: {
      companyId,
      name: "Owner",
      displayName: "Owner",
      email: `owner@${domain}`,
      phone: "+31105550100",
      isOwner: true,
      isFullAdmin: true,
    },
  });
  await db.client.createMany({
    data: numbered(CLIENTS, (n) => ({
      companyId,
      name: `Client ${n}`,
      email: `client${n}@mail.example`,
      cityId: city.id,
    })),
  });
  return {
    companyId,
    shopIds,
    branchIds: shopIds.map((id) => branchOf.get(id) as number),
    goodTypeIds: idsOf(await db.goodType.createManyAndReturn({ data: named("Range", GOOD_TYPES), select })),
    categoryIds: idsOf(await db.category.createManyAndReturn({ data: named("Aisle", CATEGORIES), select })),
    propertyIds: await makeProperties(db, companyId),
  };
}

async function makeProperties(db: PrismaClient, companyId: number): Promise<number[]> {
  const properties = await db.property.createManyAndReturn({
    data: numbered(PROPERTIES, (n) => ({ companyId, name: `Choice ${n}`, type: 0x100 })),
    select: { id: true },
  });
  await db.propertyOption.createMany({
    data: properties.flatMap(({ id }) =>
      numbered(OPTIONS_PER_PROPERTY, (n) => ({
        companyId,
        propertyId: id,
        name: `Variant ${n}`,
        priceE2: (n - 1) * 50,
        inOrder: n - 1,
        isDefault: n === 1,
      })),
    ),
  });
  return properties.map(({ id }) => id);
}
