import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";

const UPDATE = `mutation ($companyId: Int!, $input: UpdateCompanyInput!) {
  updateCompany(companyId: $companyId, input: $input) { customJson }
}`;

let gateway: Gateway;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
});
afterAll(() => gateway.close());

const companyRow = () => gateway.db.company.findFirst({ where: { id: acme.id } });

/** JSON that only a text can tell: a literal of TypeScript would set the prototype. */
const json = (text: string): unknown => JSON.parse(text);

it.each([
  ["__proto__", '{ "__proto__": { "admin": true } }', "__proto__"],
  ["one within lists and objects", '{ "a": [{ "aB": { "__proto__": 1 } }] }', "a[0].aB.__proto__"],
  [
    "constructor.prototype",
    '{ "a": { "constructor": { "prototype": { "admin": true } } } }',
    "a.constructor.prototype",
  ],
])("refuses a key that reaches a prototype, by both faces: %s", async (_what, text, path) => {
  const stored = await companyRow();

  const rest = await acme.owner.rest("PATCH", `/companies/${acme.id}`, {
    body: { name: "New", custom_json: json(text) },
  });
  const graphql = await acme.owner.run(UPDATE, {
    companyId: acme.id,
    input: { name: "New", customJson: json(text) },
  });

  expect([rest.status, wrongFields(rest.body.errors)]).toEqual([422, [`custom_json.${path}:forbidden`]]);
  expect(graphql.errors?.[0]?.extensions["code"]).toBe("VALIDATION_FAILED");
  expect(wrongFields(graphql.errors?.[0]?.extensions["errors"])).toEqual([`customJson.${path}:forbidden`]);
  expect(await companyRow()).toEqual(stored);
});

it("takes a constructor without a prototype, which reaches nothing", async () => {
  const customJson = { constructor: "Acme Builders", prototype: 3, of: [{ constructor: { name: "x" } }] };

  const { status, body } = await acme.owner.rest("PATCH", `/companies/${acme.id}`, {
    body: { custom_json: customJson },
  });

  expect([status, body.custom_json]).toEqual([200, customJson]);
});

it("refuses it in every free JSON of a body, however it is sent", async () => {
  const path = `/companies/${acme.id}/settings`;
  const settings = () => gateway.db.companySettings.findFirst({ where: { companyId: acme.id } });
  const stored = await settings();
  const form = (name: string, value: string) => ({
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--x--\r\n`,
  });

  const answers = [
    await acme.owner.rest("PATCH", path, { body: { linked_servers: [json('{ "__proto__": {} }')] } }),
    await acme.owner.rest("PATCH", path, form("linked_servers", '[{ "__proto__": {} }]')),
    await acme.owner.rest("PATCH", path, form("linked_servers[0][__proto__][admin]", "1")),
    await acme.owner.rest("PATCH", path, form("linked_servers[0][constructor][prototype][admin]", "1")),
  ];

  expect(answers.map(({ status, body }) => [status, wrongFields(body.errors)])).toEqual([
    [422, ["linked_servers[0].__proto__:forbidden"]],
    [422, ["linked_servers[0].__proto__:forbidden"]],
    [422, ["linked_servers[0].__proto__:forbidden"]],
    [422, ["linked_servers[0].constructor.prototype:forbidden"]],
  ]);
  expect(await settings()).toEqual(stored);
});
