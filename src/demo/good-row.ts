import type { Prisma } from "../generated/prisma/client.js";
import type { GoodEntry, GoodGroup, GoodTraits } from "./demo-company.js";
import { daysBefore } from "./moment.js";
import type { Random } from "./random.js";

/** A good with what its group gives it. */
export interface GroupedGood extends GoodTraits {
  readonly name: string;
  readonly priceE2: number;
  readonly shortDetails: string;
  readonly details: string;
  readonly sku: string;
  readonly group: GoodGroup;
}

/** All goods of the groups in their order. A good's own traits win; its tags and keywords add to the group's. */
export function goodsOfGroups(groups: readonly GoodGroup[]): GroupedGood[] {
  return groups.flatMap((group) => group.goods.map((entry, index) => groupedGood(group, entry, index)));
}

function groupedGood(group: GoodGroup, entry: GoodEntry, index: number): GroupedGood {
  const [name, priceE2, shortDetails, details, own = {}] = entry;
  return {
    ...group,
    ...own,
    tags: [...new Set([...(group.tags ?? []), ...(own.tags ?? [])])],
    keywords: [...(group.keywords ?? []), ...(own.keywords ?? [])],
    name,
    priceE2,
    shortDetails,
    details: `${details}\n\n${group.note}`,
    sku: `${group.skuPrefix}-${String(index + 1).padStart(3, "0")}`,
    group,
  };
}

export function goodRow(good: GroupedGood, barcodes: string[], random: Random) {
  const age = random.int(40, 700);
  return {
    name: good.name,
    shortDetails: good.shortDetails,
    details: good.details,
    priceE2: good.priceE2,
    type: good.group.type ?? 0,
    sku: good.sku,
    unit: good.unit ?? "",
    eta: good.eta ?? null,
    notesEnabled: good.notesEnabled ?? false,
    maxQuantity: good.maxQuantity ?? null,
    limitType: good.limitType ?? null,
    ...(good.unitConfig !== undefined && { unitConfig: good.unitConfig as Prisma.InputJsonObject }),
    keywords: [...(good.keywords ?? [])],
    barcodes,
    weight: good.weight ?? null,
    label: good.label ?? null,
    providerFeePrc: good.providerFeePrc ?? 0,
    ...rating(random),
    createdAt: daysBefore(age),
    updatedAt: daysBefore(random.int(1, age)),
    deletedAt: good.isDeleted === true ? daysBefore(0) : null,
  };
}

/** Stars of clients: the average in hundredths beside their sum and number. */
function rating(random: Random) {
  const ratingCount = random.int(0, 240);
  const ratingSum = Math.round(ratingCount * (3.6 + 1.4 * random.next()));
  return {
    ratingCount,
    ratingSum,
    ratingE2: ratingCount === 0 ? 0 : Math.round((ratingSum * 100) / ratingCount),
  };
}

/** An EAN-13: prefix, number and check digit. */
export function barcode(prefix: string, number: number): string {
  const digits = prefix + String(number).padStart(12 - prefix.length, "0");
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
