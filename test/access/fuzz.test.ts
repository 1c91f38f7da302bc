import fc from "fast-check";
import { adminWith, createCompany, signedInClient } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { faultOf, fuzzRequests } from "../support/fuzz.js";
import { startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 2_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_122);

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
    await fc.assert(
      fc.asyncProperty(
        fuzzRequests(sharedSchema(), { callers: callers.length, companyId: company.id }),
        async (request) => {
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
    await gateway.close();
    expect([...seen.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404, 422]));
  },
  Math.max(120_000, REQUESTS * 20),
);
