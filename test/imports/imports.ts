import { createBranch, createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import type { Client, Gateway, RestResult } from "../support/gateway.js";
import { sendForm, type FormParts } from "../files/uploads.js";

/** A company with a shop that has a branch. */
export interface Shop {
  readonly gateway: Gateway;
  readonly company: TestCompany;
  readonly shopId: number;
  readonly branchId: number;
}

export async function openShop(gateway: Gateway): Promise<Shop> {
  const company = await createCompany(gateway);
  const { id: shopId } = await createBranchGroup(gateway, company.id);
  const { id: branchId } = await createBranch(gateway, company.id, { branchGroupId: shopId });
  return { gateway, company, shopId, branchId };
}

/** Writes a sheet as a text with commas. */
export function csv(...rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string => `"${String(value).replaceAll('"', '""')}"`;
  return rows.map((row) => row.map(cell).join(",")).join("\n");
}

export const shopPath = ({ company, shopId }: Shop): string =>
  `/companies/${company.id}/branch-groups/${shopId}/goods/import`;

/** Sends a sheet to a shop, or to another path. */
export function send(
  shop: Shop,
  text: string,
  parts: FormParts = {},
  {
    client = shop.company.owner,
    path = shopPath(shop),
    name = "goods.csv",
  }: { client?: Client; path?: string; name?: string } = {},
): Promise<RestResult> {
  const file = { bytes: Buffer.from(text), name, type: "text/csv" };
  return sendForm(shop.gateway, client, path, { file, ...parts });
}

/** Sends a sheet, lets the job end, and reads what came of it. */
export async function importAll(
  shop: Shop,
  ...sent: Parameters<typeof send> extends [Shop, ...infer Rest] ? Rest : never
) {
  const { status, body } = await send(shop, ...sent);
  expect([status, body.errors]).toEqual([202, []]);
  await shop.gateway.runJobs();
  return readImport(shop, body.id as number);
}

export async function readImport({ company }: Shop, id: number) {
  const { body } = await company.owner.rest("GET", `/companies/${company.id}/import-jobs/${id}`);
  return body;
}

/** The goods of the shop, in the order of their ids. */
export function goodsOf({ gateway, company, shopId }: Shop) {
  const where = { companyId: company.id, branchGroupId: shopId, deletedAt: null };
  return gateway.db.good.findMany({ where, orderBy: { id: "asc" } });
}
