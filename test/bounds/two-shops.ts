import type { Permission } from "../../src/core/access/permissions.js";
import { createAdminRow, createType } from "../admins/people.js";
import { createBranch, createBranchGroup, createCompany, createGood } from "../support/factories.js";
import type { Client, Gateway } from "../support/gateway.js";

/** A shop with a branch, and rows of each. */
export interface Shop {
  readonly id: number;
  readonly branchId: number;
  readonly goodId: number;
  readonly branchGoodId: number;
  readonly orderId: number;
  readonly couponId: number;
}

export interface TwoShops {
  readonly companyId: number;
  readonly owner: Client;
  readonly ownerId: number;
  readonly own: Shop;
  readonly other: Shop;
  /** A good of the whole company. */
  readonly commonGoodId: number;
}

/** Makes a company with two shops and a good of both. Texts of the other shop hold `beyond`. */
export async function createTwoShops(gateway: Gateway): Promise<TwoShops> {
  const { id: companyId, owner, ownerId } = await createCompany(gateway);
  const own = await createShop(gateway, companyId, "own");
  const other = await createShop(gateway, companyId, "beyond");
  const { id: commonGoodId } = await createGood(gateway, companyId, { name: "common lamp" });
  return { companyId, owner, ownerId, own, other, commonGoodId };
}

async function createShop(gateway: Gateway, companyId: number, mark: string): Promise<Shop> {
  const { db } = gateway;
  const { id } = await createBranchGroup(gateway, companyId);
  const { id: branchId } = await createBranch(gateway, companyId, { branchGroupId: id });
  const { id: goodId } = await createGood(gateway, companyId, { branchGroupId: id, name: `${mark} lamp` });
  const { id: branchGoodId } = await db.branchGood.create({ data: { companyId, branchId, goodId } });
  const { id: orderId } = await db.order.create({
    data: { companyId, branchId, currencyIso: "USD", source: mark },
  });
  await db.orderItem.create({ data: { companyId, orderId, goodId, quantity: 2 } });
  const { id: couponId } = await db.coupon.create({
    data: {
      companyId,
      branchGroupId: id,
      name: `${mark} coupon`,
      type: "promo",
      targetType: "branch_group",
      totalCount: 5,
    },
  });
  return { id, branchId, goodId, branchGoodId, orderId, couponId };
}

/** Signs in an admin whose type has these roles and is bound to these shops and branches. */
export async function boundAdmin(
  gateway: Gateway,
  companyId: number,
  bounds: { readonly branchGroupIds?: number[]; readonly branchIds?: number[] },
  ...roles: Permission[]
): Promise<Client> {
  const { db } = gateway;
  const adminTypeId = await createType(gateway, companyId, ...roles);
  await db.adminType.updateMany({ where: { companyId, id: adminTypeId }, data: bounds });
  return gateway.as({
    kind: "admin",
    companyId,
    id: await createAdminRow(gateway, companyId, { adminTypeId }),
  });
}
