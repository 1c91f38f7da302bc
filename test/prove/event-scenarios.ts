import { randomBytes } from "node:crypto";
import type { Scenario } from "./scenario.js";
import { createClients, createCompany, tokenOfClient, type World } from "./world.js";

const SHAKE = "mutation ($companyId: Int!) { shake(companyId: $companyId) { won } }";

/** Creates an event in which every draw wins as long as a prize coupon is left. */
async function runningEvent({ db }: World, companyId: number, maxCount: number): Promise<number> {
  const { id } = await db.companyEvent.create({
    data: {
      companyId,
      name: "Drop",
      status: "running",
      startsAt: new Date(Date.now() - 1000),
      seed: randomBytes(32),
      config: { couponSeeds: [{ maxCount, winRate: 1, couponValueE2: 100 }] },
      prizes: { create: [{ place: 0, maxCount }] },
    },
  });
  return id;
}

const prizes = (
  name: string,
  shape: (limit: number, attempts: number) => { clients: number; maxCount: number },
): Scenario => ({
  name,
  refusals: [],
  prepare: async (world, limit) => {
    const companyId = await createCompany(world);
    const { clients, maxCount } = shape(limit, world.attempts);
    const ids = await createClients(world, companyId, clients);
    const tokens = await Promise.all(ids.map((id) => tokenOfClient(world, companyId, id)));
    const eventId = await runningEvent(world, companyId, maxCount);
    return {
      attempt: async (door, number) => [
        await door.run(tokens[number % clients] as string, SHAKE, { companyId }),
      ],
      isUse: ([answer]) => (answer?.data?.["shake"] as { won: boolean } | undefined)?.won === true,
      count: async () => {
        const where = { companyId, companyEventId: eventId };
        const prize = await world.db.companyEventPrize.findFirstOrThrow({ where });
        const won = await world.db.companyEventDraw.findMany({ where: { ...where, place: { not: null } } });
        const coupons = await world.db.coupon.count({ where });
        const winners = await world.db.companyEventPlayer.count({
          where: { ...where, wonAt: { not: null } },
        });
        return {
          counter: prize.wonCount,
          rows: won.length,
          facts: {
            "one win a client":
              new Set(won.map(({ clientId }) => clientId)).size === won.length && winners === won.length,
            "one coupon a win": coupons === won.length,
          },
        };
      },
    };
  },
});

export const EVENT_SCENARIOS: readonly Scenario[] = [
  prizes("event prizes", (limit, attempts) => ({ clients: attempts, maxCount: limit })),
  prizes("one win a client", (limit) => ({ clients: limit, maxCount: 1_000_000 })),
];
