import { proveDiscounts, type Send } from "../prove/discounts/history.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const STEPS = 500;

describe("the discounts of orders at random, at once, on two instances", () => {
  let gateway: Gateway;
  let second: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ environment: { RATE_LIMIT: "0" } });
    second = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
  });
  afterAll(async () => {
    await second.close();
    await gateway.close();
  });

  function services(change: (send: Send) => Send = (send) => send) {
    const sends = [gateway, second].map(({ platform }): Send =>
      change(async (document, variables) => {
        const { data, errors = [] } = await platform.run(document, variables as Record<string, unknown>);
        return { data, codes: errors.map(({ extensions }) => String(extensions["code"])) };
      }),
    );
    return { db: gateway.db, pool: gateway.database.pool, sends };
  }

  it("are always those of a plain model that takes one step after the other", async () => {
    const { steps, refused, faults } = await proveDiscounts(services(), {
      steps: STEPS,
      seed: 1,
      worlds: 3,
      givingBack: 0.1,
    });

    expect(faults).toEqual([]);
    expect(steps).toBeGreaterThanOrEqual(STEPS);
    expect(refused).toBeLessThan(steps * 0.8);
  });

  it("are unknown where a service has no time to answer, and no fault", async () => {
    let requests = 0;
    const late =
      (send: Send): Send =>
      async (document, variables) => {
        const answer = await send(document, variables);
        requests += 1;
        return requests % 20 === 0 ? { data: null, codes: ["UNAVAILABLE"] } : answer;
      };

    const { unanswered, faults } = await proveDiscounts(services(late), {
      steps: 60,
      seed: 2,
      worlds: 1,
      givingBack: 0,
    });

    expect(faults).toEqual([]);
    expect(unanswered).toBeGreaterThan(0);
  });
});
