import { verifyEvent } from "../../src/slices/company-events/verification.service.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { loadDemoData } from "../../src/demo/load.js";
import { createTestDatabase } from "../support/database.js";

describe("the demo's coupon drops", () => {
  let database: Database;
  let drop: () => Promise<void>;
  let ids: number[];
  beforeAll(async () => {
    const test = await createTestDatabase();
    drop = test.drop;
    database = await createDatabase({ url: test.url });
    await loadDemoData(database);
    ids = (await database.writer.company.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  it("are there to shake, to set ready and to verify in both companies", async () => {
    for (const companyId of ids) {
      const events = await database.writer.companyEvent.findMany({ where: { companyId } });

      expect(new Set(events.map(({ status }) => status))).toEqual(
        new Set(
          companyId === ids[0]
            ? ["running", "pending", "finished", "ready"]
            : ["running", "pending", "finished"],
        ),
      );
    }
  });

  it("gave the prizes that were due where they are over", async () => {
    for (const companyId of ids) {
      const { id } = await database.writer.companyEvent.findFirstOrThrow({
        where: { companyId, status: "finished" },
      });

      const found = await verifyEvent(database.writer, companyId, id);

      expect(found).toMatchObject({ clients: 30, differences: [] });
      expect(
        await database.writer.coupon.count({ where: { companyId, companyEventId: id } }),
      ).toBeGreaterThan(0);
    }
  });
});
