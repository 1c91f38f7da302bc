import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { RESOURCES } from "./resource-cases.js";
import { documentsOf, makeRows, type Page, type Row } from "./resource-operations.js";

const TRAIL = `query ($companyId: Int!, $filter: AuditEntryFilterInput) {
  auditEntries(companyId: $companyId, filter: $filter, orderBy: [{ field: ID }]) {
    nodes { operation action actorKind adminId }
  }
}`;
const snakeCase = (model: string): string => model.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, "_").toLowerCase();

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await createCompany(gateway);
});

describe.each(RESOURCES.map((resource) => [resource.many, resource] as const))("%s", (_, resource) => {
  const make = (count: number) => makeRows(resource, gateway, company.owner, company.id, count);
  const makeOne = async () => (await make(1))[0] as { row: Row; input: Record<string, unknown> };
  const run = (operation: keyof ReturnType<typeof documentsOf>, variables: Record<string, unknown>) =>
    company.owner.run(documentsOf(resource, Object.keys(resource.changes))[operation], {
      companyId: company.id,
      ...variables,
    });
  const page = async (variables: Record<string, unknown>) =>
    dataOf(await run("list", variables))["result"] as Page;

  it("creates a row with what is sent, and shows it", async () => {
    const { row: created, input } = await makeOne();

    const { show } = documentsOf(resource, Object.keys(input));
    const shown = dataOf(await company.owner.run(show, { companyId: company.id, id: created.id }));

    expect(created).toMatchObject(input);
    expect(shown["result"]).toEqual(created);
  });

  it("lists page by page in the order asked, and counts", async () => {
    const ids = (await make(3)).map(({ row }) => row.id);
    const orderBy = [{ field: "ID", direction: "DESC" }];
    const filter = { id: { in: ids } };

    const first = await page({ filter, orderBy, first: 2 });
    const second = await page({ filter, orderBy, first: 2, after: first.pageInfo.endCursor });

    expect(first.nodes.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect(second.nodes.map(({ id }) => id)).toEqual([ids[0]]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    expect([first.totalCount, second.totalCount]).toEqual([3, 3]);
  });

  it("lists by every field that it offers", async () => {
    await make(1);
    const terms = dataOf(
      await company.owner.run(`{ __type(name: "${resource.model}OrderField") { enumValues { name } } }`),
    );

    for (const { name } of terms["__type"].enumValues as { name: string }[]) {
      const { nodes } = await page({ orderBy: [{ field: name, direction: "ASC" }] });
      expect(nodes.length).toBeGreaterThan(0);
    }
  });

  it("needs as many statements for 20 rows as for 2", async () => {
    const counts: number[] = [];
    const forget = keepRemembered();
    for (const more of [2, 18]) {
      await make(more);
      gateway.statements.length = 0;
      await page({ first: 200 });
      counts.push(gateway.statements.length);
    }
    forget();

    expect(counts[1]).toBe(counts[0]);
  });

  it("changes what is sent and nothing else", async () => {
    const { row: before, input } = await makeOne();
    const { update } = documentsOf(resource, Object.keys(input));

    const variables = { companyId: company.id, id: before.id, input: resource.changes };
    const changed = dataOf(await company.owner.run(update, variables))["result"];

    expect(changed).toMatchObject({ ...input, ...resource.changes, createdAt: before["createdAt"] });
  });

  it("deletes a row and answers what it was", async () => {
    const { id } = (await makeOne()).row;

    const deleted = await run("delete", { id });

    expect(dataOf(deleted)["result"]).toMatchObject({ id });
    expect(errorCodes(await run("show", { id }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run("delete", { id }))).toEqual(["NOT_FOUND"]);
    expect((await page({ filter: { id: { eq: id } } })).nodes).toEqual([]);
  });

  it("leaves an entry of the audit trail for each of the three, by whoever did it", async () => {
    const { id } = (await makeOne()).row;
    await run("update", { id, input: resource.changes });
    await run("delete", { id });

    const filter = { targetId: { eq: id }, targetType: { eq: snakeCase(resource.model) } };
    const { auditEntries } = dataOf(await company.owner.run(TRAIL, { companyId: company.id, filter }));
    expect(auditEntries.nodes).toEqual(
      (["create", "update", "delete"] as const).map((action) => ({
        operation: `${action}${resource.model}`,
        action,
        actorKind: "admin",
        adminId: company.ownerId,
      })),
    );
  });

  it("knows no row of an unknown id, whatever the input", async () => {
    const id = 2_000_000_000;

    expect(errorCodes(await run("show", { id }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run("update", { id, input: resource.changes }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run("delete", { id }))).toEqual(["NOT_FOUND"]);
  });

  it("refuses another company, and knows none of its rows", async () => {
    const { id } = (await makeOne()).row;
    const before = dataOf(await run("show", { id }));
    const { owner, id: companyId } = await createCompany(gateway);
    const documents = documentsOf(resource, Object.keys(resource.changes));
    const input = resource.changes;

    for (const document of [documents.show, documents.update, documents.delete]) {
      const variables = { id, ...(document === documents.update && { input }) };
      const foreign = await owner.run(document, { ...variables, companyId: company.id });
      const own = await owner.run(document, { ...variables, companyId });
      expect(errorCodes(foreign)).toEqual(["FORBIDDEN"]);
      expect(errorCodes(own)).toEqual(["NOT_FOUND"]);
    }
    expect(errorCodes(await owner.run(documents.list, { companyId: company.id }))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await owner.run(documents.list, { companyId }))["result"]).toMatchObject({ nodes: [] });
    expect(dataOf(await run("show", { id }))).toEqual(before);
  });

  it("lists every wrong field at once and writes nothing", async () => {
    const input = { ...(await resource.input(gateway, company.id)), ...resource.wrong };
    const before = (await page({})).totalCount;

    const result = await run("create", { input });

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(resource.refusals);
    expect((await page({})).totalCount).toBe(before);
  });

  it("needs the roles of its area", async () => {
    const { id } = (await makeOne()).row;
    const { show, delete: remove } = documentsOf({ ...resource, relations: "" }, []);
    const reader = await adminWith(gateway, company.id, `access_${resource.area}`);
    const writer = await adminWith(gateway, company.id, `can_edit_${resource.area}`);
    const variables = { companyId: company.id, id };

    expect(errorCodes(await gateway.anonymous.run(show, variables))).toEqual(["UNAUTHENTICATED"]);
    expect(errorCodes(await writer.run(show, variables))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await reader.run(remove, variables))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await reader.run(show, variables))["result"]).toMatchObject({ id });
    expect(dataOf(await writer.run(remove, variables))["result"]).toMatchObject({ id });
  });
});
