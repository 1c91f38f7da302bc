import { getNamedType, isObjectType, type GraphQLObjectType } from "graphql";
import type { Operation } from "../../src/engine/schema/operation.js";
import type { GuardedRelation } from "../../src/engine/loading/relation-access.js";
import { delegateName, ownerField, type ModelName } from "../../src/core/scope/tenant-models.js";
import { sharedSchema as createSchema } from "../support/schema.js";
import { isAsked, itOfAll } from "../support/slice.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { documentOf, fieldOf, requiredArguments, type Arguments } from "../support/operations.js";
import { keepRemembered } from "../support/remembered.js";

const GOODS = "query ($companyId: Int!) { goods(companyId: $companyId, first: 1) { totalCount } }";
/** The number of the oldest banners that have each kind of target. */
const FEW = 4;
const MANY = 20;

const finished = createSchema();
const lists = [...finished.operations.values()].filter((operation) => {
  const type = String(fieldOf(finished, operation).type);
  return (
    isAsked(operation) &&
    operation.kind === "query" &&
    operation.hasCompany &&
    (type.includes("Connection") || type.startsWith("["))
  );
});

/** Some lists are there for marketplaces alone. */
const SELLS_FOR_OTHERS = { settings: { isMarketplace: true } };

let gateway: Gateway;
let small: TestCompany;
let big: TestCompany;
let forget: () => void;
beforeAll(async () => {
  gateway = await startGateway();
  small = await createCompany(gateway, SELLS_FOR_OTHERS);
  big = await createCompany(gateway, SELLS_FOR_OTHERS);
  await fillCompany(gateway.db, small.id, FEW);
  // A page does not show all of them, so that their number has to be counted.
  await fillCompany(gateway.db, big.id, MANY + 1);
  // From the first request on, the companies, their owners and first clients are remembered.
  forget = keepRemembered();
  for (const { id, owner } of [small, big]) {
    const client = await gateway.as({ kind: "client", id: await firstClient(id), companyId: id });
    for (const caller of [owner, client]) dataOf(await caller.run(GOODS, { companyId: id }));
  }
});
afterAll(async () => {
  forget();
  await gateway.close();
});

const firstIds = new Map<string, Promise<number>>();

/** Returns the id of the company's oldest row of a model. The tests only read, so it is looked up once. */
function firstId(model: ModelName, companyId: number): Promise<number> {
  const key = `${model} ${companyId}`;
  const known = firstIds.get(key);
  if (known !== undefined) return known;
  const delegate = gateway.db[delegateName(model) as "good"];
  const found = delegate
    .findFirstOrThrow({ where: { companyId }, select: { id: true }, orderBy: { id: "asc" } })
    .then(({ id }) => id);
  firstIds.set(key, found);
  return found;
}

const firstClient = (companyId: number): Promise<number> => firstId("Client", companyId);

/** The company's first client, who has as many rows of its own as there are; for what only clients may read. */
async function callerOf({ access }: Operation, company: TestCompany): Promise<Client> {
  if (access.kind !== "client") return company.owner;
  return gateway.as({ kind: "client", id: await firstClient(company.id), companyId: company.id });
}

/** Returns a selection of one relation and of each relation behind it that the caller of the operation may follow. */
function selections(operation: Operation, type: GraphQLObjectType, depth: number): [string, string][] {
  const relations = Object.values(type.getFields()).filter(({ extensions }) => {
    const relation = extensions["relation"] as GuardedRelation | undefined;
    // Rows that are private to a client are for nobody who lists others' rows.
    if (relation === undefined || ownerField(relation.model) !== null) return false;
    const { access } = relation;
    return (
      operation.access.kind !== "client" ||
      access === null ||
      access.orAnyClient ||
      access.orItself === "client"
    );
  });
  return relations.flatMap(({ name, type: target }): [string, string][] => {
    const related = getNamedType(target) as GraphQLObjectType;
    const own: [string, string] = [name, `${name} { __typename }`];
    if (depth === 1) return [own];
    return [
      own,
      ...selections(operation, related, depth - 1).map(([path, inner]): [string, string] => [
        `${name}.${path}`,
        `${name} { ${inner} }`,
      ]),
    ];
  });
}

async function argumentsIn(operation: Operation, company: TestCompany): Promise<Arguments> {
  const ids = await Promise.all(
    operation.idArguments.map(
      async ({ argument, model }) => [argument, await firstId(model, company.id)] as const,
    ),
  );
  const required = requiredArguments(fieldOf(finished, operation), { filled: true });
  // Who asks for the rows of a holder has to name it.
  const holder =
    "from" in required && "type" in required ? { type: "client", key: await firstClient(company.id) } : {};
  return { ...required, ...holder, companyId: company.id, ...Object.fromEntries(ids) };
}

/**
 * Returns how many statements one request for `rows` rows needs. Pages begin with the oldest rows, which have all
 * their relations.
 */
async function statementsOf(operation: Operation, rows: number, relation: string): Promise<number> {
  const field = fieldOf(finished, operation);
  const isPaged = field.args.some(({ name }) => name === "first");
  const company = isPaged || rows === MANY ? big : small;
  const isOrdered = field.args.some(({ name }) => name === "orderBy");
  const page = isPaged ? { first: rows, ...(isOrdered && { orderBy: [{ field: "ID" }] }) } : {};
  const args = { ...(await argumentsIn(operation, company)), ...page };
  const answered = getNamedType(field.type);
  const total = isObjectType(answered) && "totalCount" in answered.getFields() ? "totalCount" : "";
  const selection = answered.name.endsWith("Connection")
    ? `{ ${total} nodes { __typename ${relation} } }`
    : `{ __typename ${relation} }`;
  const document = documentOf(finished, operation, args, selection);
  const caller = await callerOf(operation, company);
  gateway.statements.length = 0;
  const result = await caller.run(document, args);
  expect(result.errors).toBeUndefined();
  return gateway.statements.length;
}

for (const operation of lists)
  describe(operation.name, () => {
    const named = getNamedType(fieldOf(finished, operation).type);
    const nodes =
      isObjectType(named) && named.name.endsWith("Connection") ? named.getFields()["nodes"]?.type : named;
    const relations: [string, string][] =
      nodes === undefined || !isObjectType(getNamedType(nodes))
        ? []
        : selections(operation, getNamedType(nodes) as GraphQLObjectType, 2);

    it.each([["no relation", ""], ...relations])(
      "needs as many statements for many rows as for few, with %s",
      async (_path, relation) => {
        const few = await statementsOf(operation, FEW, relation);
        const many = await statementsOf(operation, MANY, relation);

        expect(many).toBe(few);
        expect(few).toBeGreaterThan(0);
      },
    );
  });

itOfAll("finds the lists of the service", () => {
  expect(lists.length).toBeGreaterThan(20);
});
