import { getNamedType, isObjectType, type GraphQLObjectType } from "graphql";
import type { Permission } from "../../src/core/access/permissions.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import { delegateName } from "../../src/core/scope/tenant-models.js";
import { createOrder, runningCoupon } from "../coupons/running-coupon.js";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { documentOf, fieldOf, requiredArguments, type Arguments } from "../support/operations.js";
import { sharedSchema } from "../support/schema.js";
import { OPEN_RELATIONS, PRIVATE_RELATIONS, RELATION_AREAS } from "./relation-areas.js";

/** Operations that together answer rows of every type with a relation into an area. */
const ENTRIES = [
  "apiKeys",
  "auditEntries",
  "admins",
  "allowedProviders",
  "balanceMovements",
  "balancePeriods",
  "branchGoodProperties",
  "branchGoods",
  "campaigns",
  "cartItems",
  "carts",
  "clients",
  "companyEvents",
  "couponAttempts",
  "couponAvailableTickets",
  "couponCodes",
  "couponUsedTickets",
  "coupons",
  "forms",
  "fleetAssociations",
  "goodsOfBranchGroup",
  "holdCoupon",
  "invoiceDocuments",
  "orders",
  "providers",
  "serviceCharges",
  "services",
];
const finished = sharedSchema();

let gateway: Gateway;
let home: TestCompany;
let client: { id: number; client: Client };
const inputs: Record<string, unknown> = {};
const admins = new Map<string, Promise<Client>>();

beforeAll(async () => {
  gateway = await startGateway();
  home = await createCompany(gateway);
  await fillCompany(gateway.db, home.id, 2);
  client = await signedInClient(gateway, home.id);
  await gateway.db.cart.updateMany({
    where: { companyId: home.id, id: await firstId("Cart") },
    data: { clientId: client.id, branchId: await firstId("Branch") },
  });
  const companyEventId = await firstId("CompanyEvent");
  await runningCoupon(gateway, home.id, { type: "promo", companyEventId });
  const held = await runningCoupon(gateway, home.id);
  const order = await createOrder(gateway, home.id, { clientId: await firstId("Client") });
  const movements = `/companies/${home.id}/balance-movements`;
  const { body } = await home.owner.rest("POST", `${movements}/adjust`, {
    body: { type: "client", key: client.id, amount_e2: 5 },
  });
  await home.owner.run(
    "mutation ($c: Int!, $id: SafeInt!) { reverseBalanceMovement(companyId: $c, movementId: $id) { id } }",
    { c: home.id, id: body.id },
  );
  await gateway.asOwner(
    `INSERT INTO coupon_redemptions (company_id, coupon_id, client_id, amount_e2, movement_id) VALUES ($1, $2, $3, 5, $4)`,
    [home.id, await firstId("Coupon"), client.id, body.id],
  );
  inputs["holdCoupon"] = { code: held.codes[0], orderId: order.id };
});
afterAll(() => gateway.close());

/** Returns an admin with exactly these permissions. */
function admin(...permissions: Permission[]): Promise<Client> {
  const own = [...new Set(permissions)];
  const key = own.join();
  const known = admins.get(key) ?? adminWith(gateway, home.id, ...own);
  admins.set(key, known);
  return known;
}

/** Returns the id of the company's first row of a model, which has all its relations. */
async function firstId(model: string): Promise<number> {
  const delegate = gateway.db[delegateName(model) as "good"];
  const where = { companyId: home.id };
  return (await delegate.findFirstOrThrow({ where, select: { id: true }, orderBy: { id: "asc" } })).id;
}

function relationsOf(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields())
    .filter(({ extensions }) => extensions["relation"] !== undefined)
    .map(({ name }) => `${type.name}.${name}`);
}

function operationOf(name: string): Operation {
  return finished.operations.get(name) as Operation;
}

function permissionOf({ access }: Operation): Permission {
  if (access.kind !== "permission") throw new Error("the operation needs no permission");
  return access.permission;
}

/** Returns the type of the rows that the operation answers. */
function rowTypeOf(operation: Operation): GraphQLObjectType {
  const answer = getNamedType(fieldOf(finished, operation).type) as GraphQLObjectType;
  const nodes = answer.name.endsWith("Connection") ? answer.getFields()["nodes"]?.type : undefined;
  return nodes === undefined ? answer : (getNamedType(nodes) as GraphQLObjectType);
}

async function argumentsOf(operation: Operation): Promise<Arguments> {
  const field = fieldOf(finished, operation);
  const input = inputs[operation.name];
  const ids = operation.idArguments.map(
    async ({ argument, model }) => [argument, await firstId(model)] as const,
  );
  return {
    ...requiredArguments(field),
    companyId: home.id,
    ...(field.args.some(({ name }) => name === "first") && { first: 200 }),
    ...(input !== undefined && { input }),
    ...Object.fromEntries(await Promise.all(ids)),
  };
}

/** Follows a relation of the rows that an operation answers; returns what became of it. */
async function follow(caller: Client, operation: Operation, relation: string) {
  const args = await argumentsOf(operation);
  const inner = `__typename followed: ${relation} { __typename }`;
  const answersPages = getNamedType(fieldOf(finished, operation).type).name.endsWith("Connection");
  const selection = answersPages ? `{ nodes { ${inner} } }` : `{ ${inner} }`;
  const result = await caller.run(documentOf(finished, operation, args, selection), args);
  const answered = result.data?.[operation.name] as unknown;
  const rows = (answersPages ? (answered as { nodes: unknown }).nodes : answered) as
    { __typename: string; followed: unknown } | { __typename: string; followed: unknown }[];
  return {
    rows: [rows].flat(),
    codes: [...new Set(errorCodes(result))],
    places: new Set(result.errors?.map(({ path }) => path?.at(-1))),
  };
}

type Followed = Awaited<ReturnType<typeof follow>>;

function expectFollowed(who: string, { rows, codes }: Followed): void {
  expect([who, codes]).toEqual([who, []]);
  expect([who, rows.some(({ followed }) => followed !== null)]).toEqual([who, true]);
}

/** Expects that the rows stand, and that each relation of them is null with its refusal at its place. */
function expectRefused(who: string, { rows, codes, places }: Followed, typeName: string): void {
  expect([who, codes, [...places]]).toEqual([who, ["FORBIDDEN"], ["followed"]]);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(rows.map(() => ({ __typename: typeName, followed: null })));
}

it("knows of every relation into which area it leads", () => {
  const types = Object.values(finished.schema.getTypeMap()).filter(isObjectType);

  expect(types.flatMap(relationsOf).sort()).toEqual(
    [...Object.keys(RELATION_AREAS), ...OPEN_RELATIONS, ...PRIVATE_RELATIONS].sort(),
  );
});

it("follows every relation into an area below", () => {
  const followed = ENTRIES.flatMap((name) => relationsOf(rowTypeOf(operationOf(name))));
  // One's own row, and rows that no admin reads at all.
  const restricted = Object.keys(RELATION_AREAS).filter(
    (relation) => !/^(?:Me|ClientAddress)\./u.test(relation),
  );

  expect(restricted.filter((relation) => !followed.includes(relation))).toEqual([]);
});

describe.each(ENTRIES)("relations of %s", (name) => {
  const operation = operationOf(name);
  const type = rowTypeOf(operation);
  const permission = permissionOf(operation);

  it.each(relationsOf(type).filter((relation) => relation in RELATION_AREAS))(
    "%s is for who may read its area",
    async (relation) => {
      const [area, besides] = RELATION_AREAS[relation] as (typeof RELATION_AREAS)[string];
      const [see, edit] = [`access_${area}`, `can_edit_${area}`] as Permission[] as [Permission, Permission];
      const key = relation.slice(type.name.length + 1);
      const as = async (caller: Client) => follow(caller, operation, key);

      expectFollowed("the owner", await as(home.owner));
      expectFollowed("the platform", await as(gateway.platform));
      expectFollowed("who sees the area", await as(await admin(permission, see)));
      expectFollowed("who edits the area", await as(await admin(permission, edit)));
      if (permission !== see && permission !== edit)
        expectRefused("who has another area", await as(await admin(permission)), type.name);
      if (operation.access.kind !== "permission" || operation.access.orAnyClient !== true) return;
      const byClient = await as(client.client);
      if (besides === undefined) expectRefused("a client", byClient, type.name);
      else expect([relation, byClient.codes]).toEqual([relation, []]);
    },
  );
});

/** The names of all relations of a type that need no permission, and of those behind them, as nested selections. */
function everyRelation(type: GraphQLObjectType, depth: number): string {
  const open = relationsOf(type).filter((relation) => !(relation in RELATION_AREAS));
  const inner = open.map((relation) => {
    const name = relation.slice(type.name.length + 1);
    const target = getNamedType(type.getFields()[name]?.type) as GraphQLObjectType;
    return `${name} ${depth === 1 ? "{ __typename }" : everyRelation(target, depth - 1)}`;
  });
  return `{ __typename ${inner.join(" ")} }`;
}

it.each(["goods", "properties", "goodProperties"])(
  "leads everybody from %s to all that a shop shows",
  async (name) => {
    const operation = operationOf(name);
    const args = { companyId: home.id, first: 2 };
    const selection = `{ nodes ${everyRelation(rowTypeOf(operation), 3)} }`;
    const stranger = (await createCompany(gateway)).owner;

    for (const caller of [gateway.anonymous, client.client, stranger, await admin(), gateway.platform]) {
      const result = await caller.run(documentOf(finished, operation, args, selection), args);
      expect(result.errors).toBeUndefined();
    }
  },
);

describe("a caller's own row", () => {
  const ME = "{ me { kind admin { email adminType { name } } client { name city { name } } } }";

  it("is read without a permission, what lies behind it only with one", async () => {
    const { data, errors } = await (await admin()).run(ME);

    expect(data?.["me"]).toEqual({
      kind: "admin",
      admin: { email: expect.any(String), adminType: null },
      client: null,
    });
    expect(errors?.map(({ path, extensions }) => [path, extensions])).toEqual([
      [["me", "admin", "adminType"], { code: "FORBIDDEN", status: 403, permission: "access_admin_types" }],
    ]);
    expect((await client.client.run(ME)).errors).toBeUndefined();
  });

  it("is the only one of its kind: a client reads no other client", async () => {
    const { id } = await gateway.db.cart.findFirstOrThrow({
      where: { companyId: home.id, clientId: { not: client.id } },
    });
    const CART = "query ($c: Int!, $id: Int!) { cart(companyId: $c, id: $id) { clientId client { name } } }";
    const own = "query ($c: Int!) { carts(companyId: $c) { nodes { client { id } branch { name } } } }";

    const seen = await client.client.run(own, { c: home.id });
    const byAdmin = await (await admin("access_carts")).run(CART, { c: home.id, id });

    expect(seen.errors).toBeUndefined();
    expect(seen.data?.["carts"].nodes).toEqual([
      { client: { id: client.id }, branch: { name: expect.any(String) } },
    ]);
    expect(byAdmin.data?.["cart"]).toEqual({ clientId: expect.any(Number), client: null });
    expect(errorCodes(byAdmin)).toEqual(["FORBIDDEN"]);
  });
});

it("shows clients nothing of the odds and prizes of events", async () => {
  const PROMOS = `query ($c: Int!) { applicablePromos(companyId: $c, input: { subtotalE2: 10000 }) {
    coupon { id companyEvent { config { couponSeeds { winRate maxCount } } prizes { maxCount wonCount } } } } }`;

  const { data, errors } = await client.client.run(PROMOS, { c: home.id });

  expect(data?.["applicablePromos"].length).toBeGreaterThan(0);
  for (const promo of data?.["applicablePromos"] as unknown[])
    expect(promo).toEqual({ coupon: { id: expect.any(Number), companyEvent: null } });
  expect(errors?.every(({ extensions }) => extensions["code"] === "FORBIDDEN")).toBe(true);
});

it("reads no rows behind a relation that it refuses", async () => {
  const USES = `query ($c: Int!, $id: Int!) { couponUsedTickets(companyId: $c, couponId: $id) {
    nodes { amountE2 client { email phone } order { totalE2 } } } }`;
  const variables = { c: home.id, id: await firstId("Coupon") };
  const read = () =>
    gateway.statements.filter((sql) => /FROM (?:"public"\.)?"(?:clients|orders)"/u.test(sql));
  const caller = await admin("access_coupons");
  await home.owner.run(USES, variables);
  const readByOwner = read();
  gateway.statements.length = 0;

  const { data } = await caller.run(USES, variables);

  const [first] = data?.["couponUsedTickets"].nodes as unknown[];
  expect(first).toEqual({ amountE2: expect.any(Number), client: null, order: null });
  expect([readByOwner.length > 0, read()]).toEqual([true, []]);
});
