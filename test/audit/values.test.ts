import {
  adminWith,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { type Client, dataOf, startGateway, type Gateway } from "../support/gateway.js";

const ENTRIES = `query ($c: Int!, $filter: AuditEntryFilterInput) {
  auditEntries(companyId: $c, filter: $filter, orderBy: [{ field: ID }]) {
    nodes { action targetType targetId targetKey changes { field before after } }
    edges { node { changes { field before after } } }
  }
}`;

interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}
interface Entry {
  readonly action: string;
  readonly targetType: string;
  readonly changes: readonly Change[];
}

let gateway: Gateway;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
});
afterAll(() => gateway.close());

const act = (text: string, by: Client = acme.owner) => by.run(text, {}).then(dataOf);

/** Changes of a client, a coupon, and of links and parts, each with a text that only readers of its area may see. */
async function fillTrail(): Promise<void> {
  const c = acme.id;
  await act(
    `mutation { createClient(companyId: ${c}, input: { name: "Ada", email: "ada@example.com" }) { id } }`,
  );
  await act(
    `mutation { createCoupon(companyId: ${c}, input: { name: "Ten", type: batch, promoCode: "MARKCODE", totalCount: 5 }) { id } }`,
  );
  const { tag } = await act(
    `mutation { tag: createGoodTag(companyId: ${c}, input: { name: "Tagged" }) { id } }`,
  );
  const { id } = await createGood(gateway, c);
  await acme.owner.rest("PUT", `/companies/${c}/good-tags/${tag.id}/goods`, { body: [id] });
}

async function entriesFor(reader: Client, filter: object = {}): Promise<readonly Entry[]> {
  const { nodes, edges } = dataOf(await reader.run(ENTRIES, { c: acme.id, filter }))["auditEntries"];
  expect(edges.map(({ node }: { node: Entry }) => node.changes)).toEqual(
    nodes.map(({ changes }: Entry) => changes),
  );
  return nodes;
}

/** The kinds of rows whose values are shown. */
function toldTo(entries: readonly Entry[]): string[] {
  const told = entries.filter(({ changes }) =>
    changes.some(({ before, after }) => before !== null || after !== null),
  );
  return [...new Set(told.map(({ targetType }) => targetType))].sort();
}

const hidden = (entries: readonly Entry[]) =>
  entries.map((entry) => ({
    ...entry,
    changes: entry.changes.map(({ field }) => ({ field, before: null, after: null })),
  }));

it("shows who reads the trail alone which rows and fields changed, and no value", async () => {
  await fillTrail();
  const all = await entriesFor(gateway.platform);

  const seen = await entriesFor(await adminWith(gateway, acme.id, "access_audit_entries"));

  expect(JSON.stringify(all)).toMatch(/ada@example\.com.*MARKCODE/su);
  expect(seen).toEqual(hidden(all));
});

it.each<[string, string[]]>([
  ["access_clients", ["client"]],
  ["can_edit_clients", ["client"]],
  ["access_coupons", ["coupon"]],
  ["access_goods", ["good_tag", "good_tag_good"]],
  ["access_carts", []],
])("shows the values of an area to who may read it: %s", async (permission, expected) => {
  await fillTrail();
  const reader = await adminWith(gateway, acme.id, "access_audit_entries", permission as "access_goods");

  const seen = await entriesFor(reader);

  expect(toldTo(seen)).toEqual(expected);
  expect(seen).toHaveLength((await entriesFor(gateway.platform)).length);
});

it("shows full administrators and the platform all values but those of a client's addresses", async () => {
  const { client, id } = await signedInClient(gateway, acme.id);
  await fillTrail();
  dataOf(
    await client.run(
      `mutation { createClientAddress(companyId: ${acme.id}, clientId: ${id}, input: { name: "Home", address: "5 Mark Road" }) { id } }`,
    ),
  );

  for (const reader of [acme.owner, gateway.platform]) {
    const seen = await entriesFor(reader);

    expect(toldTo(seen)).toEqual(["client", "coupon", "good_tag", "good_tag_good"]);
    const addresses = seen.filter(({ targetType }) => targetType === "client_address");
    expect(addresses).toHaveLength(1);
    expect(addresses[0]?.changes.map(({ field }) => field)).toEqual(
      expect.arrayContaining(["address", "clientId", "name"]),
    );
    expect(addresses).toEqual(hidden(addresses));
  }
});

it("keeps tokens that no permission is about for who holds everything", async () => {
  const { id } = await signedInClient(gateway, acme.id);
  const shop = await adminWith(gateway, acme.id, "can_issue_client_tokens");
  const issue = `mutation { issueClientToken(companyId: ${acme.id}, clientId: ${id}) { accessToken } }`;
  await act(issue, shop);
  await gateway.db.refreshToken.findFirstOrThrow({ where: { companyId: acme.id, subjectId: id } });
  const reader = await adminWith(gateway, acme.id, "access_audit_entries", "access_admins", "access_clients");

  const filter = { targetType: { eq: "refresh_token" } };

  expect(toldTo(await entriesFor(reader, filter))).toEqual([]);
  expect(toldTo(await entriesFor(acme.owner, filter))).toEqual(["refresh_token"]);
});
