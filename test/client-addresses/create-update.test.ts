import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import {
  addAddress,
  DELIVERY,
  resident,
  SHIPPING,
  storedAddresses,
  UNTYPED,
  type Resident,
} from "./addresses.js";

let gateway: Gateway;
let home: Resident;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  home = await resident(gateway);
});
afterAll(() => gateway.close());

const without = (body: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

it("answers an address in the form of the specification", async () => {
  const { status, body, headers } = await home.client.rest("POST", home.own, { body: DELIVERY });

  expect([status, headers["location"]]).toEqual([201, `/api${home.all}/${body.id}`]);
  expect(body).toEqual({
    id: expect.any(Number),
    name: "Work",
    address: "Avenida 1, Venezuela",
    address_line_1: "Avenida 1",
    address_line_2: null,
    address_line_3: null,
    reference: null,
    latitude_e6: 10_500_000,
    longitude_e6: -66_900_000,
    country: "Venezuela",
    state: "",
    city: "",
    postal_code: "",
    type: "delivery",
    client_id: home.id,
    is_selected: true,
    geofence_check: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u),
    updated_at: expect.any(String),
    version: 1,
  });
  expect((await home.client.rest("GET", `${home.all}/${body.id}`)).body).toEqual(body);
});

it("takes an address of each type, and one without", async () => {
  const ids = [await addAddress(home), await addAddress(home, DELIVERY), await addAddress(home, SHIPPING)];

  const { body } = await home.client.rest("GET", `${home.own}?sort=id&fields=id,type,address`);

  expect(body).toEqual([
    { id: ids[0], type: null, address: UNTYPED.address },
    { id: ids[1], type: "delivery", address: "Avenida 1, Venezuela" },
    { id: ids[2], type: "shipping", address: "Straße 1, Hof 2, Box 3, 10115 Berlin, Berlin, Germany" },
  ]);
});

it.each<[string, object, string[]]>([
  ["nothing", {}, ["address:required", "name:required"]],
  ["no address without a type", without(UNTYPED, "address"), ["address:required"]],
  ["an empty address", { ...UNTYPED, address: "  " }, ["address:required"]],
  [
    "delivery and nothing else",
    { name: "x", type: "delivery" },
    ["address_line_1:required", "country:required", "latitude_e6:required", "longitude_e6:required"],
  ],
  [
    "shipping and nothing else",
    { name: "x", type: "shipping", address: "x" },
    [
      "address_line_1:required",
      "address_line_2:required",
      "address_line_3:required",
      "city:required",
      "country:required",
      "postal_code:required",
      "state:required",
    ],
  ],
  ["one coordinate", { ...UNTYPED, latitude_e6: 1 }, ["longitude_e6:required"]],
  ["a type of old rows", { ...UNTYPED, type: "legacy" }, ["type:enum"]],
  [
    "a point beyond the globe",
    { ...DELIVERY, latitude_e6: 90_000_001, longitude_e6: -180_000_001 },
    ["latitude_e6:max", "longitude_e6:min"],
  ],
  [
    "texts that are too long, and what is missing besides",
    {
      name: "n".repeat(33),
      type: "delivery",
      postal_code: "p".repeat(17),
      state: "s".repeat(81),
      city: "c".repeat(81),
      country: "c".repeat(81),
      address: "a".repeat(256),
      address_line_1: "a".repeat(256),
      address_line_2: "a".repeat(256),
      address_line_3: "a".repeat(256),
      reference: "r".repeat(256),
    },
    [
      ...["name", "postal_code", "state", "city", "country", "address", "reference"].map(
        (key) => `${key}:max_length`,
      ),
      ...[1, 2, 3].map((line) => `address_line_${line}:max_length`),
      "latitude_e6:required",
      "longitude_e6:required",
    ].sort(),
  ],
])("refuses %s, and adds nothing", async (_, body, wrong) => {
  const refused = await home.client.rest("POST", home.own, { body });

  expect([refused.status, wrongFields(refused.body.errors)]).toEqual([422, wrong]);
  expect(await storedAddresses(gateway, home)).toEqual([]);
});

it("takes texts of the greatest length", async () => {
  const body = {
    ...SHIPPING,
    name: "n".repeat(32),
    postal_code: "p".repeat(16),
    state: "s".repeat(80),
    city: "c".repeat(80),
    country: "c".repeat(80),
    address_line_1: "1".repeat(255),
    address_line_2: "2".repeat(255),
    address_line_3: "3".repeat(255),
    reference: "r".repeat(255),
  };

  const answer = await home.client.rest("POST", home.own, { body });

  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ ...body, address: "1".repeat(255) });
});

it.each<[string, object, object, string[]]>([
  [
    "delivery without its point",
    DELIVERY,
    { latitude_e6: null, longitude_e6: null },
    ["latitude_e6:required", "longitude_e6:required"],
  ],
  ["half a point", DELIVERY, { latitude_e6: null }, ["latitude_e6:required"]],
  [
    "half a point of an address without a type",
    { ...UNTYPED, latitude_e6: 1, longitude_e6: 2 },
    { longitude_e6: null },
    ["longitude_e6:required"],
  ],
  ["a typed address without its first line", DELIVERY, { address_line_1: "" }, ["address_line_1:required"]],
  ["a type without the first line beside it", DELIVERY, { type: "delivery" }, ["address_line_1:required"]],
  [
    "a type that needs more than is stored",
    DELIVERY,
    { type: "shipping", address_line_1: "x" },
    [
      "address_line_2:required",
      "address_line_3:required",
      "city:required",
      "postal_code:required",
      "state:required",
    ],
  ],
  ["no type any more, and no address", SHIPPING, { type: null }, ["address:required"]],
  ["no name", UNTYPED, { name: null }, ["name:type"]],
])("refuses to leave %s, and changes nothing", async (_, body, changes, wrong) => {
  const id = await addAddress(home, body);
  const before = await storedAddresses(gateway, home);

  const refused = await home.client.rest("PATCH", `${home.all}/${id}`, { body: changes });

  expect([refused.status, wrongFields(refused.body.errors)]).toEqual([422, wrong]);
  expect(await storedAddresses(gateway, home)).toEqual(before);
});

it("breaks no rule by two changes at once", async () => {
  const id = await addAddress(home, { ...UNTYPED, latitude_e6: 1, longitude_e6: 2, country: "x" });
  const change = (body: object) => home.client.rest("PATCH", `${home.all}/${id}`, { body });

  const answers = await Promise.all([
    change({ type: "delivery", address_line_1: "Line" }),
    change({ latitude_e6: null, longitude_e6: null }),
  ]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});

it("changes what is sent and keeps the rest, and puts the address together anew", async () => {
  const id = await addAddress(home, DELIVERY);

  const changed = await home.client.rest("PATCH", `${home.all}/${id}`, {
    body: { reference: "Blue door", city: "Caracas", address_line_2: "" },
  });

  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({
    ...DELIVERY,
    reference: "Blue door",
    address_line_2: null,
    address: "Avenida 1, Caracas, Venezuela",
  });
});

it("goes on to be put together after it was sent back as it is shown", async () => {
  const id = await addAddress(home, DELIVERY);
  const { body: shown } = await home.client.rest("GET", `${home.all}/${id}`);
  const change = (body: object) => home.client.rest("PATCH", `${home.all}/${id}`, { body });

  const same = await change({ address: shown.address });
  const moved = await change({ ...shown, address_line_1: "Avenida 2" });
  const own = await change({ address: "Behind the church" });

  expect(same.body).toEqual(shown);
  expect(moved.body).toMatchObject({ address: "Avenida 2, Venezuela", version: 2 });
  expect(own.body).toMatchObject({ address: "Behind the church", version: 3 });
  const updates = {
    companyId: home.company.id,
    targetType: "client_address",
    targetId: id,
    action: "update",
  };
  expect(await gateway.db.auditEntry.count({ where: updates })).toBe(2);
});

it("keeps as its own what was put together when it has no type any more", async () => {
  const id = await addAddress(home, DELIVERY);
  const { body: shown } = await home.client.rest("GET", `${home.all}/${id}`);

  const changed = await home.client.rest("PATCH", `${home.all}/${id}`, { body: { ...shown, type: null } });

  expect([changed.status, changed.body.address]).toEqual([200, shown.address]);
  expect(await storedAddresses(gateway, home)).toMatchObject([{ type: null, address: shown.address }]);
});

it("lets an address of no new type be renamed", async () => {
  const id = await addAddress(home);
  const where = { companyId_id: { companyId: home.company.id, id }, clientId: home.id };
  await gateway.db.clientAddress.update({ where, data: { type: "legacy" } });

  const renamed = await home.client.rest("PATCH", `${home.all}/${id}`, { body: { name: "Old" } });

  expect([renamed.status, renamed.body.type, renamed.body.name]).toEqual([200, "legacy", "Old"]);
});

it("does not change what changed meanwhile", async () => {
  const id = await addAddress(home);
  const { headers } = await home.client.rest("GET", `${home.all}/${id}`);
  const etag = String(headers["etag"]);
  const change = (name: string) =>
    home.client.rest("PATCH", `${home.all}/${id}`, { body: { name }, headers: { "if-match": etag } });

  const [first, second] = [await change("First"), await change("Second")];

  expect([first.status, second.status]).toEqual([200, 412]);
  expect((await storedAddresses(gateway, home)).map(({ name }) => name)).toEqual(["First"]);
});

it("has the same rules on GraphQL", async () => {
  const CREATE = `mutation ($c: Int!, $k: Int!, $input: CreateClientAddressInput!) {
    createClientAddress(companyId: $c, clientId: $k, input: $input) { id address type isSelected }
  }`;
  const UPDATE = `mutation ($c: Int!, $id: Int!, $input: UpdateClientAddressInput!) {
    updateClientAddress(companyId: $c, id: $id, input: $input) { name address }
  }`;
  const names = { c: home.company.id, k: home.id };

  const refused = await home.client.run(CREATE, { ...names, input: { name: "x", type: "delivery" } });
  const { createClientAddress: made } = dataOf(await home.client.run(CREATE, { ...names, input: UNTYPED }));
  const lacking = await home.client.run(UPDATE, { c: names.c, id: made.id, input: { address: null } });

  expect(errorCodes(refused)).toEqual(["VALIDATION_FAILED"]);
  expect(wrongFields(refused.errors?.[0]?.extensions["errors"])).toEqual([
    "addressLine1:required",
    "country:required",
    "latitudeE6:required",
    "longitudeE6:required",
  ]);
  expect(made).toMatchObject({ address: UNTYPED.address, type: null, isSelected: true });
  expect(wrongFields(lacking.errors?.[0]?.extensions["errors"])).toEqual(["address:required"]);
  expect(await storedAddresses(gateway, home)).toMatchObject([UNTYPED]);
});
