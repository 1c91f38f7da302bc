import { createCouponRow } from "../support/coupons.js";
import { createCompany, createGood, createProperty, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway, saidBy } from "../support/gateway.js";
import { CREATE_PROPERTY, holdProperty, newKey, propertyNamed, runWithKey } from "./with-key.js";

let gateway: Gateway;
let other: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  other = await startGateway({ on: gateway });
  company = await createCompany(gateway);
});
afterAll(async () => {
  await other.close();
  await gateway.close();
});

const properties = (): string => `/companies/${company.id}/properties`;
const named = (name: string): Promise<number> =>
  gateway.db.property.count({ where: { companyId: company.id, name } });

/** Two changes; the second one may have to wait for the first. */
const CREATE_AND_RENAME = `mutation ($companyId: Int!, $name: String!, $id: Int!) {
  createProperty(companyId: $companyId, input: { name: $name, isTypeText: true, propertyText: { regex: "^.*$" } }) { id }
  updateProperty(companyId: $companyId, id: $id, input: { name: $name }) { id name }
}`;

describe("many requests with one key at once", () => {
  it("have one effect over both instances; the others wait for nothing", async () => {
    const [key, name] = [newKey(), unique()];
    const clients = [company.owner, other.withToken(company.owner.token)];

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        clients[i % 2]!.rest("POST", properties(), {
          body: propertyNamed(name),
          headers: { "idempotency-key": key },
        }),
      ),
    );

    const done = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code as string}`))).toEqual(
      new Set(refused.length === 0 ? [] : ["409 CONFLICT"]),
    );
    expect(await named(name)).toBe(1);
  });

  it("all get the answer that is kept, over both instances", async () => {
    const [key, variables] = [newKey(), { companyId: company.id, name: unique() }];
    const first = await runWithKey(gateway, company.owner, key, CREATE_PROPERTY, variables);
    const repeat = (n: number) =>
      runWithKey(n % 2 === 0 ? gateway : other, company.owner, key, CREATE_PROPERTY, variables);

    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => repeat(n)));

    expect(answers.map(({ body }) => saidBy(body))).toEqual(Array(40).fill(saidBy(first.body)));
    expect(answers.map(({ headers }) => headers["idempotent-replayed"])).toEqual(Array(40).fill("true"));
    expect(await named(variables.name)).toBe(1);
  });

  it("are refused while the first one runs, and get its answer then", async () => {
    const { id } = await createProperty(gateway, company.id);
    const held = await holdProperty(gateway, company.id, id);
    const [key, name] = [newKey(), unique()];
    const rename = (from: Gateway) =>
      from.withToken(company.owner.token).rest("PATCH", `${properties()}/${id}`, {
        body: { name },
        headers: { "idempotency-key": key },
      });
    const first = rename(gateway);
    await held.waiting();

    const meanwhile = await rename(other);
    await held.release();
    const done = await first;
    const afterwards = await rename(other);

    expect([meanwhile.status, meanwhile.body.code]).toEqual([409, "CONFLICT"]);
    expect(meanwhile.headers["retry-after"]).toBe("1");
    expect([done.status, done.body.name]).toEqual([200, name]);
    expect([afterwards.status, afterwards.body]).toEqual([200, done.body]);
  });
});

describe("a refusal under a key that others send at once", () => {
  it("is everybody's answer, or nobody's", async () => {
    const goods = await Promise.all(Array.from({ length: 12 }, () => createGood(gateway, company.id)));
    const answersOf = async (good: { id: number }): Promise<string[]> => {
      const path = `/api/companies/${company.id}/goods/${good.id}`;
      const authorization = `Bearer ${String(company.owner.token)}`;
      const headers = { authorization, "content-type": "application/json", "idempotency-key": newKey() };
      const restore = ({ app }: Gateway) =>
        app.inject({ method: "POST", url: `${path}/restore`, headers, payload: "{}" });
      // It is refused until the good is deleted.
      const [, ...atOnce] = await Promise.all([
        gateway.app.inject({ method: "DELETE", url: path, headers: { authorization } }),
        ...[gateway, other, other, gateway].map(restore),
      ]);
      const answers = [...atOnce, await restore(gateway), await restore(other)];
      return answers.filter(({ body }) => !body.includes('"CONFLICT"')).map(({ body }) => body);
    };

    const answers = await Promise.all(goods.map(answersOf));

    expect(answers.map((bodies) => bodies.length >= 2 && new Set(bodies).size)).toEqual(goods.map(() => 1));
  });
});

describe("several mutations under a key, the first of which comes too late", () => {
  it("have one refusal, and take no effect", async () => {
    const hasty = await startGateway({ on: gateway, environment: { REQUEST_TIMEOUT_MS: "2000" } });
    const [held, free] = [
      await createProperty(gateway, company.id),
      await createProperty(gateway, company.id),
    ];
    const holder = await holdProperty(gateway, company.id, held.id);
    const name = unique();
    const rename = (alias: string, id: number) =>
      `${alias}: updateProperty(companyId: ${company.id}, id: ${id}, input: { name: "${name}" }) { id }`;
    const document = `mutation { ${rename("a", held.id)} ${rename("b", free.id)} ${rename("c", free.id)} }`;

    const late = await runWithKey(hasty, company.owner, newKey(), document);
    await holder.release();
    await hasty.close();

    expect(late.body).toMatchObject({
      data: null,
      errors: [{ path: ["a"], extensions: { code: "UNAVAILABLE" } }],
    });
    expect(late.body.errors).toHaveLength(1);
    expect(await named(name)).toBe(0);
  });
});

describe("a crash in the middle", () => {
  it("leaves no half effect, and the key free", async () => {
    const { id } = await createProperty(gateway, company.id);
    const held = await holdProperty(gateway, company.id, id);
    const [key, name] = [newKey(), unique()];
    const variables = { companyId: company.id, name, id };
    const first = runWithKey(gateway, company.owner, key, CREATE_AND_RENAME, variables);
    await held.terminate(await held.waiting());
    const crashed = await first;
    await held.release();
    const left = await named(name);

    const again = await runWithKey(other, company.owner, key, CREATE_AND_RENAME, variables);

    expect(crashed.body).toMatchObject({ data: null, errors: [{ extensions: { code: "UNAVAILABLE" } }] });
    expect(left).toBe(0);
    expect(again.body.data.updateProperty).toEqual({ id, name });
    expect(again.headers["idempotent-replayed"]).toBeUndefined();
    expect(await named(name)).toBe(2);
  });

  it("after the answer was kept changes nothing on another instance", async () => {
    const [key, variables] = [newKey(), { companyId: company.id, name: unique() }];
    const passing = await startGateway({ on: gateway });
    const first = await runWithKey(passing, company.owner, key, CREATE_PROPERTY, variables);
    await passing.close();

    const again = await runWithKey(other, company.owner, key, CREATE_PROPERTY, variables);

    expect(saidBy(again.body)).toEqual(saidBy(first.body));
    expect(await named(variables.name)).toBe(1);
  });
});

describe("a document with several changes", () => {
  it("takes effect whole or not at all", async () => {
    const name = unique();
    const variables = { companyId: company.id, name, id: 2_000_000_000 };
    const key = newKey();

    const first = await runWithKey(gateway, company.owner, key, CREATE_AND_RENAME, variables);
    const again = await runWithKey(gateway, company.owner, key, CREATE_AND_RENAME, variables);

    expect(first.body).toMatchObject({
      data: null,
      errors: [{ path: ["updateProperty"], extensions: { code: "NOT_FOUND" } }],
    });
    expect(saidBy(again.body)).toEqual(saidBy(first.body));
    expect(await named(name)).toBe(0);
  });

  it("of rows with their parts moves no version twice, and notes what is new once", async () => {
    const companyId = company.id;
    const { id } = await createCouponRow(gateway, companyId, { status: "pending" });
    for (const name of ["One", "Two"]) {
      const { id: branchGroupId } = await gateway.db.branchGroup.create({ data: { companyId, name } });
      await gateway.db.couponBranchGroup.create({ data: { companyId, couponId: id, branchGroupId } });
    }

    const { body } = await runWithKey(
      gateway,
      company.owner,
      newKey(),
      `mutation ($companyId: Int!, $ids: [Int!]!) {
        copyCoupons(companyId: $companyId, ids: $ids, input: { name: "Copy" }) { error { code } }
      }`,
      { companyId, ids: [id] },
    );

    expect(body.data).toEqual({ copyCoupons: [{ error: null }] });
    const copy = await gateway.db.coupon.findFirstOrThrow({ where: { companyId, name: "Copy" } });
    const about = { companyId, type: "Coupon", entityId: copy.id };
    expect([copy.version, copy.sharesSecond]).toEqual([1, false]);
    expect(await gateway.db.couponBranchGroup.count({ where: { companyId, couponId: copy.id } })).toBe(2);
    expect(await gateway.db.journalEntry.findMany({ where: about })).toMatchObject([{ action: "created" }]);
  });

  it("does not go with signing in", async () => {
    const MIXED = `mutation ($companyId: Int!, $name: String!) {
      logout(input: { refreshToken: "none" })
      createProperty(companyId: $companyId, input: { name: $name, isTypeText: true, propertyText: { regex: "^.*$" } }) { id }
    }`;
    const name = unique();

    const answer = await runWithKey(gateway, company.owner, newKey(), MIXED, {
      companyId: company.id,
      name,
    });

    expect(answer.body.errors[0].extensions).toMatchObject({
      status: 422,
      errors: [{ field: "Idempotency-Key", rule: "unsupported" }],
    });
    expect(await named(name)).toBe(0);
  });
});

it("takes effect for other instances as a change without a key does", async () => {
  const { id } = await gateway.db.admin.create({
    data: {
      companyId: company.id,
      name: "A",
      displayName: "A",
      email: `${unique()}@example.com`,
      phone: "+1",
      settings: {},
      isFullAdmin: true,
    },
  });
  const admin = await gateway.as({ kind: "admin", id, companyId: company.id });
  const before = await admin.rest("GET", `/companies/${company.id}/settings`);

  const removed = await runWithKey(
    gateway,
    company.owner,
    newKey(),
    `mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { id } }`,
    { companyId: company.id, id },
  );
  const after = await admin.rest("GET", `/companies/${company.id}/settings`);

  expect(removed.body.errors).toBeUndefined();
  expect([before.status, after.status]).toEqual([200, 401]);
});
