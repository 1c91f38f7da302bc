import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

it("leaves queries standing beside one that is refused or finds nothing", async () => {
  const good = await createGood(gateway, company.id, { name: "Bread" });
  const seller = await adminWith(gateway, company.id, "access_goods");

  const { data, errors } = await seller.run(
    `query ($c: Int!, $id: Int!) {
      clients(companyId: $c) { nodes { email } }
      good(companyId: $c, id: $id) { name }
      missing: good(companyId: $c, id: 2000000000) { name }
    }`,
    { c: company.id, id: good.id },
  );

  expect(data).toEqual({ clients: null, good: { name: "Bread" }, missing: null });
  expect(errors?.map(({ path, extensions }) => [path, extensions["code"]])).toEqual([
    [["clients"], "FORBIDDEN"],
    [["missing"], "NOT_FOUND"],
  ]);
});

it("shows what the mutations beside a refused one have done", async () => {
  const seller = await adminWith(gateway, company.id, "can_edit_goods");
  const tag = await gateway.db.goodTag.create({ data: { companyId: company.id, name: "Old" } });
  const rename = (name: string) =>
    `updateGoodTag(companyId: $c, id: $id, input: { name: "${name}" }) { name }`;
  const document = `mutation ($c: Int!, $id: Int!) {
    first: ${rename("New")}
    createClient(companyId: $c, input: { name: "Nobody" }) { id }
    last: ${rename("Newer")}
  }`;
  const stored = () => gateway.db.goodTag.findFirst({ where: { companyId: company.id, id: tag.id } });

  const keyed = await seller.run(
    document,
    { c: company.id, id: tag.id },
    { "idempotency-key": "all-or-none" },
  );
  const keptName = (await stored())?.name;
  const plain = await seller.run(document, { c: company.id, id: tag.id });

  expect([keyed.data, keptName]).toEqual([null, "Old"]);
  expect(plain.data).toEqual({ first: { name: "New" }, createClient: null, last: { name: "Newer" } });
  expect(plain.errors?.map(({ path }) => path)).toEqual([["createClient"]]);
  expect((await stored())?.name).toBe("Newer");
  expect(await gateway.db.client.count({ where: { companyId: company.id } })).toBe(0);
});
