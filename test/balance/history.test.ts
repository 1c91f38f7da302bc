import { startGateway, type Gateway } from "../support/gateway.js";
import { createWorld, proveHistory, type Answer, type Ask, type Door } from "../prove/ledger/history.js";

let gateways: Gateway[];
beforeAll(async () => {
  const gateway = await startGateway();
  gateways = [gateway, await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } })];
});
afterAll(() => gateways[1]?.close());

const doorOf =
  (gateway: Gateway, companyId: number): Door =>
  async ({ path, body, key, clientId }: Ask): Promise<Answer> => {
    const caller =
      clientId === null ? gateway.platform : await gateway.as({ kind: "client", id: clientId, companyId });
    const headers: Record<string, string> = key === null ? {} : { "idempotency-key": key };
    if (path !== "/graphql") {
      const answer = await caller.rest("POST", path.replace("/api", ""), { body, headers });
      return { status: answer.status, code: answer.body?.code ?? null, data: answer.body };
    }
    const { query, variables } = body as { query: string; variables: Record<string, unknown> };
    const { data, errors } = await caller.run(query, variables, headers);
    const refused = errors?.[0]?.extensions;
    return { status: refused?.["status"] ?? 200, code: refused?.["code"] ?? null, data: data?.["answer"] };
  };

it("keeps the balances of a plain model through random operations at two processes", async () => {
  const [{ db, database }] = gateways as [Gateway];
  const world = await createWorld(db, 40);
  const doors = gateways.map((gateway) => doorOf(gateway, world.companyId));

  const result = await proveHistory({ db, pool: database.pool, doors }, world, {
    operations: 400,
    atOnce: 12,
    seed: 7,
    isPatient: false,
  });

  expect(result.faults).toEqual([]);
  expect(result.done).toBeGreaterThan(250);
  expect(result.refused).toBeGreaterThan(0);
});
