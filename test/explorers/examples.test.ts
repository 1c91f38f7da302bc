import { createDatabase } from "../../src/engine/connections/client.js";
import { EXAMPLES } from "../../src/api/explorers/examples.js";
import type { DemoSession } from "../../src/api/explorers/explorers.js";
import { loadDemoData } from "../../src/demo/load.js";
import { startGateway, type Gateway } from "../support/gateway.js";

interface Answer {
  readonly data: Record<string, unknown>;
  readonly errors?: readonly unknown[];
}

/** Each runs once, in the order of the tabs. */
describe("the examples of GraphiQL on the demo data", () => {
  let gateway: Gateway;
  let session: DemoSession;
  const answers = new Map<string, Record<string, any>>();
  beforeAll(async () => {
    gateway = await startGateway({ own: "database", environment: { DEMO_DATA: "on" } });
    const database = await createDatabase({ url: gateway.ownerUrl });
    await loadDemoData(database);
    await database.close();
    session = (await gateway.app.inject({ url: "/graphiql/session" })).json<{ demo: DemoSession }>().demo;
  });
  afterAll(() => gateway.close());

  it.each(EXAMPLES.map((example) => [/^(?:query|mutation) (\w+)/mu.exec(example.query)?.[1] ?? "", example]))(
    "run: %s",
    async (name, { query, variables = "{}", as }) => {
      const { data, errors } = (
        await gateway.app.inject({
          method: "POST",
          url: "/graphql",
          headers: { authorization: `Bearer ${as === "client" ? session.clientToken : session.token}` },
          payload: { query, variables: JSON.parse(variables) as object },
        })
      ).json<Answer>();

      expect(errors).toBeUndefined();
      expect(Object.values(data)).not.toContain(null);
      answers.set(name, data);
    },
  );

  it("have something to show", () => {
    const { goods } = answers.get("Search") as any;
    const { coupons } = answers.get("Coupons") as any;
    const { checkCoupon } = answers.get("Check") as any;
    const { companyEvents } = answers.get("Drops") as any;

    expect(goods.nodes).toHaveLength(10);
    expect(goods.totalCount).toBeGreaterThan(10);
    expect(goods.nodes.every(({ priceE2 }: { priceE2: number }) => priceE2 <= 1000)).toBe(true);
    expect(new Set(coupons.nodes.map(({ type }: { type: string }) => type)).size).toBe(3);
    expect(checkCoupon).toMatchObject({ discountE2: 800, companyDiscountE2: 400 });
    expect(checkCoupon.explanation.rules.length).toBeGreaterThan(5);
    expect(companyEvents.nodes.map(({ seed }: { seed: string | null }) => seed === null)).toEqual(
      expect.arrayContaining([true, false]),
    );
  });
});
