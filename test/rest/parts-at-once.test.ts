import { createCouponRow } from "../support/coupons.js";
import { createBranchGroup, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const AT_ONCE = 4;
const RANGE = { min: 1, decimates: 0, step: 1, default: 1, base_price_e2: 1, step_price_e2: 1, unit: "kg" };

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

/** Changes of the parts of one whole: each number gives another one. The path is below that of the company. */
interface Change {
  readonly method: "PATCH" | "POST" | "PUT";
  readonly path: (n: number) => string;
  readonly body: (n: number) => unknown;
}

const named = (): Promise<{ id: number }[]> =>
  Promise.all(Array.from({ length: AT_ONCE + 1 }, () => createGood(gateway, company.id, { name: "Mate" })));

async function ofProperty(part: (n: number, optionId: number) => object): Promise<Change> {
  const { body } = await company.owner.rest("POST", `/companies/${company.id}/properties`, {
    body: { name: "Size", type: 0x100, property_options: [{ name: "S", price_e2: 1 }] },
  });
  return {
    method: "PATCH",
    path: () => `/properties/${body.id}`,
    body: (n) => ({ name: "Size", ...part(n, body.property_options[0].id as number) }),
  };
}

const KINDS: Record<string, () => Promise<Change>> = {
  "the options of a property": () =>
    ofProperty((n, id) => ({ property_options: [{ id, price_e2: 10 + n }] })),
  "the range of a property": () => ofProperty((n) => ({ property_range: { ...RANGE, max: 10 + n } })),
  "the text of a property": () => ofProperty((n) => ({ property_text: { regex: `a${n}` } })),
  "the settings of a company": () =>
    Promise.resolve({ method: "PATCH", path: () => "/settings", body: (n) => ({ slogan: `Slogan ${n}` }) }),
  "the materials of a good": async () => {
    const { id } = await createGood(gateway, company.id);
    const material = await gateway.db.material.create({ data: { companyId: company.id, name: "Wood" } });
    return {
      method: "PUT",
      path: () => `/goods/${id}/materials/${material.id}`,
      body: (n) => ({ quantity_real: 10 + n }),
    };
  },
  "the properties of a good": async () => {
    const { id } = await createGood(gateway, company.id);
    const property = await gateway.db.property.create({
      data: { companyId: company.id, name: "Size", type: 0x100 },
    });
    return {
      method: "POST",
      path: () => `/goods/${id}/properties`,
      body: (n) => [{ property_id: property.id, display_name: `Size ${n}` }],
    };
  },
  "the goods of a tag": async () => {
    const tag = await gateway.db.goodTag.create({ data: { companyId: company.id, name: "New" } });
    const goods = await named();
    return {
      method: "PUT",
      path: () => `/good-tags/${tag.id}/goods`,
      body: (n) => [goods[n]?.id],
    };
  },
  "the targets of a coupon": async () => {
    const { id } = await createCouponRow(gateway, company.id, { targetType: "branch_group" });
    const shops = await Promise.all(
      Array.from({ length: AT_ONCE + 1 }, () => createBranchGroup(gateway, company.id)),
    );
    return { method: "PUT", path: (n) => `/coupons/${id}/targets/${shops[n]?.id}`, body: () => undefined };
  },
  "the roles of a type of admins": async () => {
    const { id } = await gateway.db.adminType.create({
      data: { companyId: company.id, name: "Staff", defaultKey: "home" },
    });
    const roles = ["access_goods", "access_clients", "access_coupons", "access_orders", "access_company"];
    return { method: "POST", path: () => `/admin-types/${id}/roles`, body: (n) => [roles[n]] };
  },
};

describe("changes of parts at once", () => {
  it.each(Object.entries(KINDS))("each move the version of the whole: %s", async (_kind, prepare) => {
    const { method, path, body } = await prepare();
    const send = (n: number, headers = {}) =>
      company.owner.rest(method, `/companies/${company.id}${path(n)}`, { body: body(n), headers });

    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(n)));
    const etags = answers.map(({ headers }) => headers["etag"] as string);
    const before = await gateway.db.auditEntry.count({ where: { companyId: company.id } });
    const refused: typeof answers = [];
    const made: typeof answers = [];
    for (const etag of etags) {
      const answer = await send(AT_ONCE, { "if-match": etag });
      (answer.status === 412 ? refused : made).push(answer);
    }

    expect(answers.map(({ status, body: answered }) => [status, answered?.errors])).toEqual(
      Array(AT_ONCE).fill([200, undefined]),
    );
    expect(new Set(etags).size).toBe(AT_ONCE);
    expect(refused).toHaveLength(AT_ONCE - 1);
    expect(made.map(({ status }) => status)).toEqual([200]);
    const entries = await gateway.db.auditEntry.findMany({
      where: { companyId: company.id },
      orderBy: { id: "asc" },
      skip: before,
    });
    expect(new Set(entries.map(({ requestId }) => requestId))).toEqual(
      new Set(made.map(({ headers }) => headers["x-request-id"])),
    );
  });

  it.each(["items alone", "items", "shops"])(
    "each move the version that ifVersion asks for: %s",
    async (kind) => {
      const goods = await named();
      const companyId = company.id;
      const shops = await Promise.all(
        Array.from({ length: AT_ONCE + 1 }, () => createBranchGroup(gateway, company.id)),
      );
      const client = await gateway.db.client.create({ data: { companyId, name: "Ana" } });
      const order = await gateway.db.order.create({
        data: { companyId, clientId: client.id, currencyIso: "USD" },
      });
      const provider = await gateway.db.provider.create({ data: { companyId, name: "Baker" } });
      const mutation =
        kind !== "shops"
          ? (n: number) =>
              `updateOrder(companyId: $c, id: ${order.id}, ifVersion: $v,
              input: { ${kind === "items" ? `clientId: ${client.id},` : ""} items: [{ goodId: ${goods[n]?.id}, quantity: 1 }] }) { version }`
          : (n: number) =>
              `setProviderBranchGroups(companyId: $c, providerId: ${provider.id}, ifVersion: $v,
              input: [${shops[n]?.id}]) { version }`;
      const send = (n: number, v: number | null) =>
        company.owner.run(`mutation ($c: Int!, $v: Int) { done: ${mutation(n)} }`, { c: companyId, v });

      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(n, null)));
      const refused = await Promise.all([1, 2, 3, 4].map((version) => send(AT_ONCE, version)));

      expect(answers.map(({ data, errors }) => (data?.["done"]?.version as number) ?? errors).sort()).toEqual(
        [2, 3, 4, 5],
      );
      expect(refused.map(errorCodes)).toEqual(Array(4).fill(["PRECONDITION_FAILED"]));
      expect(await gateway.db.orderItem.count({ where: { companyId } })).toBe(kind === "shops" ? 0 : 1);
      expect(await gateway.db.providerBranchGroup.count({ where: { companyId } })).toBe(
        kind === "shops" ? 1 : 0,
      );
    },
  );
});
