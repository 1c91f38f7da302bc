import { adminNamed } from "../admins/people.js";
import { makeKey, REVOKE } from "../api-keys/keys.js";
import type { Sheets } from "../../src/core/sheets/sheet.js";
import { createBranchGroup } from "../support/factories.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { sheetsWithin } from "../support/sheets-within.js";
import { csv, goodsOf, openShop, readImport, send, shopPath, type Shop } from "./imports.js";

/** A batch has 200 rows, so these are three. */
const ROWS = 500;
const SHEET = csv(
  ["sku", "name", "price"],
  ...Array.from({ length: ROWS }, (_, i) => [`S-${i}`, `Good ${i}`, 1]),
);
const ENDED = { status: "failed", message: "Whoever sent it may not import these goods any more." };
const ROLES = ["can_import_goods", "access_goods", "can_edit_goods", "can_edit_api_keys"] as const;

let gateway: Gateway;
let shop: Shop;
let sender: { id: number; client: Client };
let typeId: number;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
  const companyId = shop.company.id;
  sender = await adminNamed(gateway, companyId, ...ROLES);
  const where = { companyId, id: sender.id };
  typeId = (await gateway.db.admin.findFirstOrThrow({ where })).adminTypeId as number;
});
afterEach(() => gateway.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`);
afterAll(() => gateway.close());

const run = async (call: string, variables: object = {}) =>
  dataOf(await shop.company.owner.run(call, { c: shop.company.id, ...variables }));
const ofSender = (operation: string) => () =>
  run(`mutation ($c: Int!, $id: Int!) { ${operation} { id } }`, { id: sender.id });
const bindTo = async (branchGroupIds: number[], branchIds: number[] = []) =>
  run(
    `mutation ($c: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
      updateAdminType(companyId: $c, id: $id, input: $input) { id } }`,
    { id: typeId, input: { branchGroupIds, branchIds } },
  );
const elsewhere = async () => bindTo([(await createBranchGroup(gateway, shop.company.id)).id]);
const takeRole = () =>
  run(
    `mutation ($c: Int!, $id: Int!) {
      removeAdminTypeRoles(companyId: $c, adminTypeId: $id, input: ["can_import_goods"]) { id } }`,
    { id: typeId },
  );

const LOSSES: [string, () => Promise<unknown>][] = [
  ["is bound to another shop", elsewhere],
  ["is bound to its branch alone", () => bindTo([], [shop.branchId])],
  ["may import no more", takeRole],
  ["is suspended", ofSender("suspendAdmin(companyId: $c, adminId: $id)")],
  ["is deleted", ofSender("deleteAdmin(companyId: $c, id: $id)")],
];

/** Lets something happen once a batch has been written. */
function afterBatch(happens: () => Promise<unknown>): Sheets {
  let has = false;
  return {
    ...sheetsWithin,
    async *read(source) {
      for await (const { rows, read } of sheetsWithin.read(source))
        for (const row of rows) {
          if (!has && row.number > 250) {
            while ((await goodsOf(shop)).length === 0) await new Promise((go) => setTimeout(go, 20));
            has = true;
            await happens();
          }
          yield { rows: [row], read };
        }
    },
  };
}

/** The entries of imports in the trail. */
const entries = async (id: number) =>
  (
    await run(
      `query ($c: Int!, $id: SafeInt!) {
        auditEntries(companyId: $c, filter: { action: { eq: import }, targetId: { eq: $id } }) {
          nodes { actorId changes { field after } } } }`,
      { id },
    )
  )["auditEntries"].nodes as { actorId: number; changes: { field: string; after: unknown }[] }[];

describe("an import", () => {
  it.each(LOSSES)("ends when whoever sent it %s", async (_, lose) => {
    const { body } = await send(shop, SHEET, {}, { client: sender.client });

    await gateway.runJobs({ sheets: afterBatch(lose) });

    const id = body.id as number;
    expect(await readImport(shop, id)).toMatchObject({ ...ENDED, total_rows: 200, imported: 200 });
    expect(await goodsOf(shop)).toHaveLength(200);
    const [entry] = await entries(id);
    expect(entry?.actorId).toBe(sender.id);
    expect(entry?.changes).toEqual(
      expect.arrayContaining([
        { field: "status", after: "failed" },
        { field: "imported", after: 200 },
      ]),
    );
  });

  it.each(LOSSES)("does not begin when whoever sent it %s before its time", async (_, lose) => {
    const sendAt = new Date(Date.now() + 1_500).toISOString();
    const { body } = await send(shop, SHEET, { send_at: sendAt }, { client: sender.client });
    await lose();
    await gateway.db.importJob.updateMany({
      where: { companyId: shop.company.id },
      data: { sendAt: new Date(Date.now() - 1_000) },
    });
    await gateway.db.$executeRaw`UPDATE graphile_worker._private_jobs SET run_at = now()`;

    await gateway.runJobs();

    expect(body.status).toBe("scheduled");
    expect(await readImport(shop, body.id as number)).toMatchObject({ ...ENDED, total_rows: 0 });
    expect(await goodsOf(shop)).toEqual([]);
  });

  it.each([
    ["when its branch moves to another shop", false],
    ["also when it moved before it begins", true],
  ])("ends %s", async (_, isAtOnce) => {
    const path = `/companies/${shop.company.id}/branches/${shop.branchId}/goods/import`;
    const { body } = await send(shop, SHEET, {}, { client: sender.client, path });
    const move = async () => {
      const { id: branchGroupId } = await createBranchGroup(gateway, shop.company.id);
      return run(
        `mutation ($c: Int!, $id: Int!, $input: UpdateBranchInput!) {
            updateBranch(companyId: $c, id: $id, input: $input) { id } }`,
        { id: shop.branchId, input: { branchGroupId } },
      );
    };
    if (isAtOnce) await move();

    await gateway.runJobs(isAtOnce ? {} : { sheets: afterBatch(move) });

    const message = "The branch has moved to another shop, so goods of this one are none of its goods.";
    const imported = isAtOnce ? 0 : 200;
    expect(await readImport(shop, body.id as number)).toMatchObject({
      status: "failed",
      message,
      imported,
    });
    expect(await goodsOf(shop)).toHaveLength(imported);
    const where = { companyId: shop.company.id, branchId: shop.branchId };
    expect(await gateway.db.branchGood.count({ where })).toBe(imported);
  });

  it("of a key ends when the key is revoked, and when whoever made it is suspended", async () => {
    const keys = await Promise.all(
      [0, 1].map(() => makeKey(gateway, sender.client, shop.company.id, { roles: ["can_import_goods"] })),
    );
    const sent: number[] = [];
    for (const { client } of keys) sent.push((await send(shop, SHEET, {}, { client })).body.id as number);
    dataOf(await shop.company.owner.run(REVOKE, { companyId: shop.company.id, id: keys[0]?.id }));
    await gateway.db.$executeRaw`UPDATE graphile_worker._private_jobs SET run_at = now()`;
    await ofSender("suspendAdmin(companyId: $c, adminId: $id)")();

    await gateway.runJobs();

    for (const id of sent) expect(await readImport(shop, id)).toMatchObject(ENDED);
    expect(await goodsOf(shop)).toEqual([]);
  });

  it("goes on while whoever sent it loses other things, and that of the platform always", async () => {
    const kept = csv(["sku", "name", "price"], ["A", "Tea", 1]);
    const mine = await send(shop, kept, {}, { client: sender.client });
    const atBranch = await send(
      shop,
      kept,
      {},
      {
        client: sender.client,
        path: `/companies/${shop.company.id}/branches/${shop.branchId}/goods/import`,
      },
    );
    const platforms = await send(shop, kept, {}, { client: gateway.platform, path: shopPath(shop) });
    await bindTo([shop.shopId]);

    await gateway.runJobs();

    for (const { body } of [mine, atBranch, platforms])
      expect(await readImport(shop, body.id as number)).toMatchObject({ status: "finished" });
  });
});

it("gives up the pictures of an import whose sender lost the right", async () => {
  const rows = Array.from({ length: ROWS }, (_, i) => [`S-${i}`, `Good ${i}`, 1]);
  const named = rows.map((row, i) => [...row, i === 0 ? "https://example.invalid/a.png" : ""]);
  const sheet = csv(["sku", "name", "price", "picture_urls"], ...named);
  const { body } = await send(shop, sheet, {}, { client: sender.client });

  await gateway.runJobs({ sheets: afterBatch(takeRole) });

  const wanted = await gateway.db.goodPictureSource.count({ where: { companyId: shop.company.id } });
  const job = await readImport(shop, body.id as number);
  expect(job).toMatchObject({ ...ENDED, imported: 200 });
  expect([job.pictures, wanted]).toEqual([{ wanted: 0, fetched: 0, failed: 0 }, 0]);
});
