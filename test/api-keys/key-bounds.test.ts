import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { CREATE, makeKey, REVOKE, ROTATE, UPDATE, type MadeKey } from "./keys.js";

const ROLES = ["can_edit_api_keys", "access_api_keys", "access_goods"];
const END = "2099-06-01 00:00:00";

/** A key is good in its networks and until its end, whatever it does with keys (contract §3.8). */
describe("a key with networks and an end", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let own: MadeKey;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    own = await ownersKey({ networks: ["127.0.0.0/8", "2001:db8::/32"], expiresAt: END });
  });

  const ownersKey = (bounds: { networks?: string[]; expiresAt?: string }) =>
    makeKey(gateway, company.owner, company.id, { roles: ROLES, ...bounds });
  const run = (by: Client, query: string, variables: object) =>
    by.run(query, { companyId: company.id, ...variables });
  const create = (by: Client, bounds: object) =>
    run(by, CREATE, { input: { name: "Child", roles: ["access_goods"], ...bounds } });
  const update = (by: Client, id: number, input: object) => run(by, UPDATE, { id, input });
  const stored = () =>
    gateway.db.apiKey.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } });

  it("does not widen itself, and may be renamed, rotated and revoked by itself", async () => {
    const before = await stored();
    const refused = [
      await update(own.client, own.id, { expiresAt: null }),
      await update(own.client, own.id, { networks: [] }),
    ];
    expect(refused.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
    expect(await stored()).toEqual(before);
    expect(dataOf(await update(own.client, own.id, { name: "Mine" }))["updateApiKey"]).toMatchObject({
      name: "Mine",
    });

    const { rotateApiKey } = dataOf(await run(own.client, ROTATE, { id: own.id, hours: 1 }));
    const [rotated] = await stored();
    expect([rotated?.networks, rotated?.expiresAt]).toEqual([before[0]?.networks, before[0]?.expiresAt]);
    dataOf(await run(gateway.withToken(rotateApiKey.key), REVOKE, { id: own.id }));
  });

  it.each([
    ["no networks", { expiresAt: END }],
    ["a wider network", { expiresAt: END, networks: ["127.0.0.0/7"] }],
    ["one network beyond its own", { expiresAt: END, networks: ["127.0.0.1/32", "192.0.2.0/24"] }],
    [
      "a network of the other family that holds its own",
      { expiresAt: END, networks: ["::ffff:127.0.0.1/96"] },
    ],
    ["a wider one of IPv6", { expiresAt: END, networks: ["2001:db8::/31"] }],
    ["no end", { networks: ["127.0.0.1/32"] }],
    ["a later end", { expiresAt: "2099-06-01 00:00:01", networks: ["127.0.0.1/32"] }],
  ])("gives no key %s", async (_what, bounds) => {
    const child = await makeKey(gateway, own.client, company.id, {
      roles: ["access_goods"],
      networks: ["127.0.0.1/32"],
      expiresAt: END,
    });
    const before = await stored();

    const given = { expiresAt: null, networks: [], ...bounds };
    const refused = [await create(own.client, bounds), await update(own.client, child.id, given)];

    expect(refused.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
    expect(await stored()).toEqual(before);
  });

  it("gives a key less than it has, and as much", async () => {
    const bounds = { networks: ["127.0.0.0/8", "2001:db8:1::/48"], expiresAt: END };
    const { createApiKey } = dataOf(await create(own.client, bounds));

    const changed = await update(own.client, createApiKey.id, {
      networks: ["127.1.2.3/32"],
      expiresAt: "2099-01-01",
    });
    const renamed = await update(own.client, createApiKey.id, { name: "Till" });

    expect(createApiKey).toMatchObject(bounds);
    expect(dataOf(changed)["updateApiKey"]).toMatchObject({ networks: ["127.1.2.3/32"] });
    expect(dataOf(renamed)["updateApiKey"]).toMatchObject({ name: "Till", networks: ["127.1.2.3/32"] });
  });

  it("gets at no key that has more", async () => {
    const wide = await ownersKey({ expiresAt: END });
    const long = await ownersKey({ networks: ["127.0.0.0/8"] });
    const before = await stored();

    const refused = await Promise.all(
      [wide, long].flatMap(({ id }) => [
        run(own.client, ROTATE, { id, hours: 1 }),
        run(own.client, REVOKE, { id }),
        update(own.client, id, { networks: ["127.0.0.1/32"], expiresAt: END }),
      ]),
    );

    expect(refused.map(errorCodes)).toEqual(Array(6).fill(["FORBIDDEN"]));
    expect(await stored()).toEqual(before);
  });

  it("has the bounds that are its own alone: one without any gives what it likes", async () => {
    const free = await ownersKey({});

    dataOf(await create(free.client, {}));
    dataOf(await update(free.client, own.id, { networks: [], expiresAt: null }));
    dataOf(await update(company.owner, free.id, { networks: ["127.0.0.1/32"] }));
  });
});
