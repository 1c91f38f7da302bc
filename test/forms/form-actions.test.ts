import {
  adminWith,
  createBranch,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { createForm, formsPath, PAYMENT, POD } from "./forms.js";

const ENABLE = `mutation ($companyId: Int!, $branchId: Int!) {
  enableForm(companyId: $companyId, branchId: $branchId, formType: "payment") { disabled }
}`;

describe("forms of a branch", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let branchId: number;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { settings: { isMarketplace: true } });
    ({ id: branchId } = await createBranch(gateway, company.id));
    path = formsPath(company.id, branchId);
  });
  afterAll(() => gateway.close());

  const create = (overrides: object = {}) => createForm(gateway, company.id, branchId, overrides);
  const stored = (id: number) => gateway.db.form.findFirst({ where: { companyId: company.id, id } });

  it("are disabled and enabled, again without a change", async () => {
    const { id } = await create();

    const answers = [];
    for (const action of ["disable", "disable", "enable", "enable"])
      answers.push(await company.owner.rest("PATCH", `${path}/payment/${action}`));

    expect(answers.map(({ status, body }) => [status, body.id, body.disabled])).toEqual([
      [200, id, true],
      [200, id, true],
      [200, id, false],
      [200, id, false],
    ]);
    expect(answers[1]?.body.updated_at).toBe(answers[0]?.body.updated_at);
    expect(answers[3]?.body.updated_at).toBe(answers[2]?.body.updated_at);
    const entries = await gateway.db.auditEntry.findMany({
      where: { companyId: company.id, targetType: "form" },
    });
    expect(entries.map(({ operation }) => operation)).toEqual(["disableForm", "enableForm"]);
  });

  it("are enabled over GraphQL", async () => {
    await create({ disabled: true });

    const result = await company.owner.run(ENABLE, { companyId: company.id, branchId });

    expect(dataOf(result)["enableForm"]).toEqual({ disabled: false });
  });

  it("are deleted by their type or id, the first of a type first", async () => {
    const [first, second, pod] = [await create(), await create(), await create({ type: POD })];

    const answers = [
      await company.owner.rest("DELETE", `${path}/payment`),
      await company.owner.rest("DELETE", `${path}/${pod.id}`),
      await company.owner.rest("DELETE", `${path}/pod`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([204, 204, 404]);
    expect([await stored(first.id), await stored(pod.id)]).toEqual([null, null]);
    expect(await stored(second.id)).not.toBeNull();
  });

  it("keep a branch from being deleted", async () => {
    const { id } = await create();

    const { errors } = await company.owner.run(
      `mutation ($companyId: Int!, $id: Int!) { deleteBranch(companyId: $companyId, id: $id) { id } }`,
      { companyId: company.id, id: branchId },
    );

    expect(errors?.[0]?.extensions?.["code"]).toBe("CONFLICT");
    expect(await stored(id)).not.toBeNull();
  });

  it("are another branch's, and not found here", async () => {
    const { id: other } = await createBranch(gateway, company.id);
    const { id } = await createForm(gateway, company.id, other, { disabled: true });

    const answers = [
      await company.owner.rest("GET", `${path}/${id}`),
      await company.owner.rest("PATCH", `${path}/${id}/enable`),
      await company.owner.rest("DELETE", `${path}/${id}`),
      await company.owner.rest("GET", `${path}/0${id}`),
      await company.owner.rest("GET", `${formsPath(company.id, 2_000_000_000)}/payment`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(await stored(id)).toMatchObject({ disabled: true });
  });

  it("are not changed by readers and clients", async () => {
    const { id } = await create({ disabled: true });
    const reader = await adminWith(gateway, company.id, "access_forms");
    const { client } = await signedInClient(gateway, company.id);

    for (const caller of [reader, client]) {
      const answers = [
        await caller.rest("PATCH", `${path}/${id}/enable`),
        await caller.rest("PATCH", `${path}/${id}/disable`),
        await caller.rest("DELETE", `${path}/${id}`),
        await caller.rest("POST", `${path}/payment`, { body: {} }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
    expect(await stored(id)).toMatchObject({ disabled: true });
    expect(await gateway.db.form.count({ where: { companyId: company.id } })).toBe(1);
  });

  it("are read by clients while they are enabled", async () => {
    const [off, on] = [await create({ disabled: true }), await create()];
    const { client } = await signedInClient(gateway, company.id);

    const answers = [
      await client.rest("GET", `${path}/payment`),
      await client.rest("GET", `${path}/${on.id}`),
      await client.rest("GET", `${path}/${off.id}`),
      await client.rest("GET", path),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
    expect(answers[0]?.body.id).toBe(on.id);
    expect((answers[3]?.body as { id: number }[]).map(({ id }) => id)).toEqual([on.id]);
    expect((await company.owner.rest("GET", `${path}/payment`)).body.id).toBe(off.id);
  });

  it("are listed for a marketplace, the payment forms of all its branches", async () => {
    const { id: other } = await createBranch(gateway, company.id);
    const first = await create();
    await create({ type: POD });
    const second = await createForm(gateway, company.id, other, { disabled: true });

    const { status, body, headers } = await company.owner.rest("GET", path);

    expect([status, headers["x-total-count"]]).toEqual([200, "2"]);
    expect((body as { id: number; type: number }[]).map(({ id, type }) => [id, type])).toEqual([
      [first.id, PAYMENT],
      [second.id, PAYMENT],
    ]);
  });

  it("are listed by as many statements for 20 forms as for 2", async () => {
    const count = async () => {
      gateway.statements.length = 0;
      const { status } = await company.owner.rest("GET", path);
      return [status, gateway.statements.length];
    };
    const forget = keepRemembered();
    await Promise.all([create(), create()]);
    await count();
    const few = await count();
    await Promise.all(Array.from({ length: 18 }, () => create()));

    const many = await count();
    forget();

    expect(many).toEqual(few);
  });

  it("take `payment` and `pod` exactly, and plain ids", async () => {
    const { id } = await create();
    const answers = await Promise.all(
      ["payment%20", "%20payment", "Payment", `${id}%20`, `0${id}`].flatMap((type) => [
        company.owner.rest("GET", `${path}/${type}`),
        company.owner.rest("PUT", `${path}/${type}`, { body: { name: "New" } }),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect(await gateway.db.form.count({ where: { companyId: company.id, name: "New" } })).toBe(0);
  });

  it("are not listed where there is no marketplace, nor for an unknown branch", async () => {
    const shop = await createCompany(gateway);
    const { id } = await createBranch(gateway, shop.id);

    const answers = [
      await shop.owner.rest("GET", formsPath(shop.id, id)),
      await company.owner.rest("GET", formsPath(company.id, id)),
    ];

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, "INVALID_STATE"],
      [404, "NOT_FOUND"],
    ]);
  });
});
