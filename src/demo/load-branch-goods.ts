import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedGood } from "./load-goods.js";
import type { LoadedShops } from "./load-shops.js";

/** Every branch sells nearly all goods of its shop, some at a price of its own. */
export async function loadBranchGoods(
  { db, companyId, random }: DemoTarget,
  { shops, goods }: { shops: LoadedShops; goods: readonly LoadedGood[] },
): Promise<void> {
  const sold = shops.branches.flatMap((branch) =>
    goods
      .filter((good) => good.shopId === branch.shopId && !random.chance(0.04))
      .map((good) => ({ branch, good })),
  );
  const rows = await insertRows(
    db,
    "BranchGood",
    sold.map(({ branch, good }) => ({
      companyId,
      branchId: branch.id,
      goodId: good.id,
      priceE2: random.chance(0.12) ? dearer(good.priceE2) : null,
      stock: good.isStocked ? stockOf(good, random.int(0, 400)) : null,
      disabled: random.chance(0.02),
    })),
    ["id", "goodId"],
  );
  const goodsById = new Map(goods.map((good) => [good.id, good]));
  await insertRows(
    db,
    "BranchGoodProperty",
    rows.flatMap(({ id, goodId }) =>
      (goodsById.get(goodId)?.properties ?? []).map((property) => ({
        companyId,
        branchGoodId: id,
        goodPropertyId: property.id,
        inOrder: property.inOrder,
        disabled: random.chance(0.01),
      })),
    ),
  );
}

/** Five per cent more, to a tenth. */
function dearer(priceE2: number): number {
  return Math.ceil((priceE2 * 105) / 1000) * 10;
}

/** What is weighed comes in quarters. */
function stockOf({ isWeighed }: LoadedGood, quarters: number): number {
  return isWeighed ? quarters / 4 : quarters;
}
