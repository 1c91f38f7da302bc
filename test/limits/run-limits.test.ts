import { createBranchGroup, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const BRANCHES = 400;

/** Limits on what an operation reads and answers, whatever it was expected to. */
describe("a run that grows beyond its limit", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let branchGroupId: number;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    ({ id: branchGroupId } = await createBranchGroup(gateway, acme.id));
    await addBranches(BRANCHES);
    await createGood(gateway, acme.id, { branchGroupId });
  });
  afterAll(() => gateway.close());

  async function addBranches(count: number): Promise<void> {
    await gateway.db.branch.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        companyId: acme.id,
        branchGroupId,
        name: `Branch ${index}`,
      })),
    });
  }

  const ask = (selection: string) =>
    gateway.app.inject({
      method: "POST",
      url: "/graphql",
      headers: { authorization: `Bearer ${acme.owner.token}` },
      payload: {
        query: `{ branchGroup(companyId: ${acme.id}, id: ${branchGroupId}) { ${selection} } }`,
      },
    });

  it("stops with 400 when it answers too many objects, each time", async () => {
    for (let run = 0; run < 3; run += 1) {
      const answer = await ask("branches { branchGroup { branches { id } } }");

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({
        errors: [{ extensions: { code: "BAD_REQUEST", errors: [{ field: "query", rule: "cost" }] } }],
      });
      expect(answer.json().data).toBeUndefined();
    }
  });

  it("answers what is within the limit", async () => {
    const answer = await ask("branches { branchGroup { id } }");

    expect(answer.json().data.branchGroup.branches).toHaveLength(BRANCHES);
  });

  it("stops when it reads too many rows", async () => {
    const small = await startGateway({ on: gateway, environment: { COST_LIMIT: "300" } });
    const answer = await small
      .withToken(acme.owner.token)
      .rest("GET", `/companies/${acme.id}/goods?per_page=1&fields=id&load=branch_group.branches`);
    await small.close();

    expect([answer.status, answer.body.errors[0].rule]).toEqual([400, "cost"]);
  });

  it("refuses a load that leads back to where it came from", async () => {
    const { status, body } = await acme.owner.rest(
      "GET",
      `/companies/${acme.id}/goods?load=branch_group.branches.branch_group`,
    );

    expect([status, body.errors]).toEqual([
      400,
      [
        {
          field: "load",
          rule: "cycle",
          message: "branch_group.branches.branch_group leads back to BranchGroup",
        },
      ],
    ]);
  });

  it("refuses a related list that is too long to be one", async () => {
    await addBranches(1_001 - BRANCHES);

    const answer = await ask("branches { id }");

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].extensions.errors).toEqual([
      {
        field: "query",
        rule: "max_items",
        message: "more than 1000 rows of Branch belong to one row; read them as a list",
      },
    ]);
  });

  it("refuses a filter with more values than a list may compare", async () => {
    const dates = Array.from({ length: 201 }, () => "2026-01-01T00:00:00Z").join();

    const { status, body } = await acme.owner.rest(
      "GET",
      `/companies/${acme.id}/goods?filter[created_at][in]=${dates}`,
    );

    expect([status, body.errors[0].field, body.errors[0].rule]).toEqual([400, "filter", "max_values"]);
  });
});
