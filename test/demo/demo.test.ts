import { passwordFits } from "../../src/core/access/passwords.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { DEMO_PASSWORD, loadDemoData } from "../../src/demo/load.js";
import { loadDemoPictures } from "../../src/demo/load-pictures.js";
import { openStorage } from "../../src/engine/storage/open-storage.js";
import { localStore } from "../files/uploads.js";
import { createTestDatabase } from "../support/database.js";

describe("the demo data", () => {
  let database: Database;
  let drop: () => Promise<void>;
  let ids: number[];
  let statements = 0;
  let loadStatements: number;

  beforeAll(async () => {
    const test = await createTestDatabase();
    drop = test.drop;
    database = await createDatabase({ url: test.url, onQuery: () => (statements += 1) });
    // Two processes start at once.
    await Promise.all([loadDemoData(database), loadDemoData(database)]);
    loadStatements = statements;
    const companies = await database.writer.company.findMany({
      select: { id: true },
      orderBy: { id: "asc" },
    });
    ids = companies.map(({ id }) => id);
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  it("is there once, by few statements however many rows it has", () => {
    expect(ids).toHaveLength(2);
    expect(loadStatements).toBeLessThan(200);
  });

  it("has the goods of each order, which cost its subtotal", async () => {
    const orders = await database.writer.order.findMany({
      where: { companyId: { in: ids } },
      include: { items: { include: { good: { select: { priceE2: true } } } } },
    });

    expect(orders.filter(({ items }) => items.length === 0)).toEqual([]);
    for (const { subtotalE2, items } of orders)
      expect(items.reduce((sum, { good, quantity }) => sum + good.priceE2 * BigInt(quantity), 0n)).toBe(
        subtotalE2,
      );
  });

  it("has pictures of the goods that lists show first", async () => {
    const store = await localStore();
    const storage = await openStorage(store.url);

    await loadDemoPictures(database, storage);

    for (const companyId of ids) {
      const goods = await database.writer.good.findMany({
        where: { companyId, deletedAt: null },
        orderBy: { id: "desc" },
        take: 7,
      });
      expect(goods.map(({ pictures }) => pictures.length)).toEqual([1, 1, 1, 1, 1, 1, 0]);
      for (const key of goods.flatMap(({ pictures }) => pictures)) {
        const file = await database.writer.storedFile.findFirstOrThrow({ where: { companyId, key } });
        expect([file.state, await storage.lengthOf(key)]).toEqual(["used", file.bytes / 2]);
      }
    }
    storage.close();
    await store.close();
  });

  it("changes nothing in a database that has a company", async () => {
    const before = await database.writer.good.count({ where: { companyId: { in: ids } } });

    await loadDemoData(database);

    expect(await database.writer.good.count({ where: { companyId: { in: ids } } })).toBe(before);
    expect(await database.writer.company.count()).toBe(2);
  });

  it("leaves nothing behind when it fails half-way, and is the same when it is loaded again", async () => {
    const test = await createTestDatabase();
    const other = await createDatabase({ url: test.url });
    await other.pool.query("ALTER TABLE orders ADD CONSTRAINT broken CHECK (currency_iso <> 'EUR')");

    await expect(loadDemoData(other)).rejects.toThrow();
    expect(await other.writer.company.count()).toBe(0);
    await other.pool.query("ALTER TABLE orders DROP CONSTRAINT broken");
    await loadDemoData(other);

    expect(await contentsOf(other)).toEqual(await contentsOf(database));
    await other.close();
    await test.drop();
  });

  it("has two shops in different countries, each with a full catalogue", async () => {
    const { writer } = database;
    const companies = await writer.company.findMany({ include: { settings: true }, orderBy: { id: "asc" } });

    expect(companies.map(({ countryIso, timeZoneOffset }) => [countryIso, timeZoneOffset])).toEqual([
      ["VE", "-04:00"],
      ["DE", "+01:00"],
    ]);
    expect(companies.map(({ settings }) => (settings?.data as { currencyIso?: string }).currencyIso)).toEqual(
      ["USD", "EUR"],
    );
    const goods = await Promise.all(ids.map((companyId) => writer.good.count({ where: { companyId } })));
    expect(Math.min(...goods)).toBeGreaterThanOrEqual(140);
    expect(goods.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(300);
  });

  it.each(["service", "digital", "combo", "custom pickup"] as const)(
    "sells goods that are a %s in both",
    async (kind) => {
      const bit = { service: 0x1, "custom pickup": 0x2, digital: 0x4, combo: 0x20 }[kind];
      for (const companyId of ids) {
        const goods = await database.writer.good.findMany({ where: { companyId }, select: { type: true } });
        expect(goods.filter(({ type }) => (type & bit) !== 0).length).toBeGreaterThan(0);
      }
    },
  );

  it("has properties of every kind on goods, with their branches' own", async () => {
    for (const companyId of ids) {
      const { writer } = database;
      const linked = { companyId, goodProperties: { some: { companyId } } };
      const types = await writer.property.findMany({
        where: linked,
        select: { type: true },
        distinct: ["type"],
      });
      expect(types.map(({ type }) => type).sort((a, b) => a - b)).toEqual([0x100, 0x200, 0x400]);
      expect(await writer.good.count({ where: linked })).toBeGreaterThan(60);
      expect(await writer.branchGoodProperty.count({ where: { companyId } })).toBeGreaterThan(100);
      const weighed = await writer.good.findMany({ where: { companyId }, select: { unitConfig: true } });
      expect(weighed.filter(({ unitConfig }) => unitConfig !== null).length).toBeGreaterThan(5);
    }
  });

  it("has clients with favourites, orders of every status and open carts", async () => {
    for (const companyId of ids) {
      const { writer } = database;
      expect(await writer.client.count({ where: { companyId } })).toBeGreaterThanOrEqual(40);
      expect(await writer.clientFavorite.count({ where: { companyId } })).toBeGreaterThan(40);
      expect(await writer.cart.count({ where: { companyId } })).toBeGreaterThan(10);
      const orders = await writer.order.groupBy({
        by: ["status"],
        where: { companyId },
        orderBy: { status: "asc" },
      });
      expect(orders.map(({ status }) => status)).toEqual(["canceled", "created", "delivered", "paid"]);
    }
  });

  it("has coupons of every type and status, whose uses and codes agree with their counts", async () => {
    for (const companyId of ids) {
      const coupons = await database.writer.coupon.findMany({
        where: { companyId, companyEventId: null },
        include: { redemptions: true },
      });
      const counts = await database.writer.couponCode.groupBy({
        by: ["couponId"],
        where: { companyId },
        _count: true,
      });
      const codesOf = new Map(counts.map(({ couponId, _count }) => [couponId, _count]));
      const seen = (key: "type" | "status") => new Set(coupons.map((coupon) => coupon[key]));
      expect([...seen("type")].sort()).toEqual(["batch", "gift_card", "personal", "promo"]);
      expect([...seen("status")].sort()).toEqual(["finished", "pending", "ready", "running"]);
      expect(coupons.filter(({ spentCount }) => spentCount > 0).length).toBeGreaterThan(2);
      for (const { redemptions, ...coupon } of coupons) {
        const given = redemptions.reduce((sum, { amountE2 }) => sum + amountE2, 0n);
        expect([coupon.spentCount, coupon.spentAmountE2]).toEqual([redemptions.length, given]);
        const made = coupon.type === "personal" || coupon.type === "gift_card";
        const codes = codesOf.get(coupon.id) ?? 0;
        if (made) expect(codes).toBe(coupon.status === "pending" ? 0 : coupon.totalCount);
        expect(coupon.generatedCount).toBe(made ? codes : 0);
      }
    }
  });

  it("has an audit trail of changes by its admins, which led to the rows as they are", async () => {
    for (const companyId of ids) {
      const { writer } = database;
      const entries = await writer.auditEntry.findMany({ where: { companyId } });
      const admins = await writer.admin.findMany({ where: { companyId }, select: { id: true } });
      expect(new Set(entries.map(({ operation }) => operation))).toEqual(new Set(["updateGood", "setReady"]));
      for (const { adminId, targetType, targetId, changes } of entries) {
        expect(admins).toContainEqual({ id: adminId });
        const where = { companyId_id: { companyId, id: Number(targetId) } };
        const isNow =
          targetType === "good"
            ? {
                price_e2: [
                  expect.any(Number),
                  Number((await writer.good.findUniqueOrThrow({ where })).priceE2),
                ],
              }
            : { status: ["pending", (await writer.coupon.findUniqueOrThrow({ where })).status] };
        expect(changes).toEqual(isNow);
      }
    }
  });

  it("gives every barcode a right check digit", async () => {
    const goods = await database.writer.good.findMany({
      where: { companyId: { in: ids } },
      select: { barcodes: true },
    });
    const all = goods.flatMap(({ barcodes }) => barcodes);

    expect(all.length).toBeGreaterThan(100);
    expect(new Set(all).size).toBe(all.length);
    const sums = all.map((code) =>
      [...code].reduce((sum, digit, i) => sum + Number(digit) * (i % 2 ? 3 : 1), 0),
    );
    expect(sums.filter((sum) => sum % 10 !== 0)).toEqual([]);
  });

  it("has admins of different roles, all with the known password", async () => {
    for (const companyId of ids) {
      const admins = await database.writer.admin.findMany({
        where: { companyId },
        include: { adminType: { include: { roles: true } } },
        orderBy: { id: "asc" },
      });
      const may = (mailbox: string) =>
        admins
          .find(({ email }) => email.startsWith(`${mailbox}@`))
          ?.adminType?.roles.map(({ role }) => role) ?? [];

      expect(admins[0]).toMatchObject({ isOwner: true, isFullAdmin: true });
      expect(admins[0]?.email).toMatch(/^owner@.*\.example$/);
      expect(may("catalogue")).toEqual(expect.arrayContaining(["can_edit_goods", "can_edit_properties"]));
      expect(may("catalogue")).not.toContain("can_edit_coupons");
      expect(may("cashier")).toEqual(expect.arrayContaining(["can_edit_coupons", "can_redeem_coupons"]));
      expect(may("support").length).toBeGreaterThan(0);
      expect(may("support").filter((role) => !role.startsWith("access_"))).toEqual([]);
      expect(await passwordFits(admins.at(-1)?.passwordHash ?? null, DEMO_PASSWORD)).toBe(true);
    }
  });

  /** Returns the parts of the data that do not depend on when and where it was loaded. */
  async function contentsOf({ writer }: Database): Promise<unknown[]> {
    const order = { id: "asc" } as const;
    const companies = await writer.company.findMany({ select: { id: true }, orderBy: order });
    const where = { companyId: { in: companies.map(({ id }) => id) } };
    return Promise.all([
      writer.good.findMany({
        where,
        select: { name: true, ratingSum: true, createdAt: true },
        orderBy: [{ companyId: "asc" }, { name: "asc" }],
      }),
      writer.order.findMany({
        where,
        select: { totalE2: true, status: true, createdAt: true },
        orderBy: order,
      }),
      writer.client.findMany({ where, select: { email: true, registeredAt: true }, orderBy: order }),
      writer.branchGood.count({ where }),
    ]);
  }
});
