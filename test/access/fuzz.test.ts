import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { adminWith, createCompany, signedInClient } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { faultOf, fuzzRequests } from "../support/fuzz.js";
import { startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 1_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_122);

const TENTH = Math.ceil(REQUESTS / 10);
const MEGABYTE = 1_000_000;
/** The rooms for documents may fill up after the first tenth of the requests (`engine/execution/documents.ts`). */
const MOST_GROWTH_MB = 150;

/** The heap in megabytes after a full collection. */
function heap(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return Math.round(process.memoryUsage().heapUsed / MEGABYTE);
}

/** `FUZZ_REQUESTS=50000 FUZZ_SEED=7 npx jest test/access/fuzz` looks further. */
it(
  "answers requests that nobody thought of without a fault or a leak",
  async () => {
    const gateway = await startGateway({ own: "database", environment: { RATE_LIMIT: "0" } });
    const company = await createCompany(gateway);
    await fillCompany(gateway.db, company.id, 5);
    const callers = [
      company.owner,
      await adminWith(gateway, company.id, "access_goods", "access_coupons"),
      (await signedInClient(gateway, company.id)).client,
      gateway.anonymous,
      // No request takes rights from the platform, unlike from the owner.
      gateway.platform,
      gateway.platform,
      gateway.platform,
    ];

    const seen = new Map<number, number>();
    const heaps: number[] = [];
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(
        fuzzRequests(sharedSchema(), { callers: callers.length, companyId: company.id }),
        async (request) => {
          if (requests > 0 && requests % TENTH === 0) heaps.push(heap());
          requests += 1;
          gateway.statements.length = 0;
          const { token } = callers[request.caller] as (typeof callers)[number];
          const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
          const answer = await gateway.app.inject({
            ...request.inject,
            headers: { ...request.inject.headers, ...authorization },
          });
          seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
          expect(faultOf(answer.statusCode, answer.body, request)).toBeNull();
        },
      ),
      { numRuns: REQUESTS, seed: SEED },
    );
    heaps.push(heap());
    await gateway.close();
    process.stdout.write(`heap after each tenth of ${REQUESTS} requests: ${heaps.join(", ")} MB\n`);
    expect((heaps.at(-1) as number) - (heaps[0] as number)).toBeLessThan(MOST_GROWTH_MB);
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 422]));
  },
  Math.max(300_000, REQUESTS * 60),
);
