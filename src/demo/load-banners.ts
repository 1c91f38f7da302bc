import type { BannerData } from "./demo-company.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import { NameIndex } from "./name-index.js";

/** Banners in their order, with the branch categories on whose pages they are shown. */
export async function loadBanners(target: DemoTarget): Promise<void> {
  const { db, companyId, data } = target;
  const targets = await targetsOf(target);
  const banners = await insertRows(
    db,
    "PromotedBanner",
    data.banners.map((banner, inOrder) => ({
      companyId,
      ...columnsOf(banner),
      ...targetOf(companyId, banner, targets),
      inOrder,
    })),
    ["id", "name"],
  );
  const ids = new NameIndex("banner", banners);
  await insertRows(
    db,
    "PromotedBannerBranchCategory",
    data.banners.flatMap(({ name, categories = [] }) =>
      categories.map((category) => ({
        companyId,
        promotedBannerId: ids.get(name),
        branchCategoryId: targets.branch_category.get(category),
      })),
    ),
  );
}

type Targets = Readonly<Record<"branch_group" | "good" | "branch_category" | "city", NameIndex>>;

/** The rows that banners lead to, of goods only those that they name. */
async function targetsOf({ db, companyId, data }: DemoTarget): Promise<Targets> {
  const query = { where: { companyId }, select: { id: true, name: true } };
  const names = data.banners.flatMap(({ target: [type, name] }) => (type === "good" ? [name] : []));
  return {
    branch_group: new NameIndex("shop", await db.branchGroup.findMany(query)),
    good: new NameIndex(
      "good",
      await db.good.findMany({ ...query, where: { companyId, name: { in: names } } }),
    ),
    branch_category: new NameIndex("branch category", await db.branchCategory.findMany(query)),
    city: new NameIndex("city", await db.city.findMany(query)),
  };
}

function columnsOf({ name, description, hours, days = 0x7f, tz, enabled = true }: BannerData) {
  const [hourFrom, hourTo] = hours ?? ["00:00", "23:59"];
  return { name, description: description ?? null, hourFrom, hourTo, days, tz: tz ?? null, enabled };
}

function targetOf(companyId: number, { target }: BannerData, targets: Targets) {
  const [targetType, name = ""] = target;
  if (targetType === "company") return { targetType, targetId: companyId };
  const targetId = targets[targetType].get(name);
  return {
    targetType,
    targetId,
    ...(targetType === "branch_group" && { branchGroupId: targetId }),
    ...(targetType === "good" && { goodId: targetId }),
    ...(targetType === "branch_category" && { branchCategoryId: targetId }),
    ...(targetType === "city" && { cityId: targetId }),
  };
}
