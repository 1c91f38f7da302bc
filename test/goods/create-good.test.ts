import {
  adminWith,
  createBranch,
  createBranchGroup,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { GOOD_BODY, GOOD_INPUT, PLAIN_GOOD, UNIT_CONFIG } from "./examples.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateGoodInput!) {
  createGood(companyId: $companyId, input: $input) { id type isCombo typeClass digitalClass priceE2 unitConfig { unitName weightPerUnit } }
}`;

describe("creating a good", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("makes a good of the whole company with all that is shown", async () => {
    const { status, body, headers } = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: GOOD_BODY,
    });

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
    expect(status).toBe(201);
    expect(headers["location"]).toBe(`/api/companies/${acme.id}/goods/${body.id}`);
    expect(body).toEqual({
      ...PLAIN_GOOD,
      id: expect.any(Number),
      created_at: time,
      updated_at: time,
      version: 1,
    });
    expect((await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods/${body.id}`)).body).toEqual(
      body,
    );
  });

  it("stores every optional field", async () => {
    const optional = {
      eta: "20 minutes",
      sku: "ESP-1",
      notes_enabled: true,
      unit: "cup",
      eta_config_id: 7,
      max_quantity: 12,
      keywords: ["coffee", "hot"],
      barcodes: ["7501031311309"],
      limit_type: "per_hours:24",
      unit_config: { ...UNIT_CONFIG, weight_per_unit: 1000 },
      weight: "30 g",
      label: "new",
    };

    const { body } = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: { ...GOOD_BODY, ...optional },
    });

    expect(body).toMatchObject(optional);
  });

  it.each([
    [{ type: 0 }, { type: 0, type_class: 0, digital_class: 0 }],
    [
      { type: 0x304 },
      {
        type: 0x304,
        is_type_digital: true,
        is_digital_custom: true,
        is_digital_balance: true,
        type_class: 4,
        digital_class: 3,
      },
    ],
    [
      { type: 0xff37 },
      {
        type: 0xff37,
        is_type_service: true,
        is_type_list: true,
        is_combo: true,
        type_class: 7,
        digital_class: 255,
      },
    ],
    [
      { type: 0x1, is_type_service: false, is_combo: true },
      { type: 0x20, is_type_service: false, is_combo: true, type_class: 0 },
    ],
    [
      { type: 0, is_type_custom_pickup: true, is_type_list: true },
      { type: 0x12, is_type_custom_pickup: true, is_type_list: true, type_class: 2 },
    ],
    [
      { type: 0x4, is_type_digital: null, is_digital_balance: true },
      { type: 0x204, is_type_digital: true, is_digital_balance: true, digital_class: 2 },
    ],
  ])("lets flags win over the mask: %j", async (sent, shown) => {
    const { body } = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: { ...GOOD_BODY, ...sent },
    });

    expect(body).toMatchObject(shown);
  });

  it("does the same through GraphQL", async () => {
    const input = {
      ...GOOD_INPUT,
      priceE2: Number.MAX_SAFE_INTEGER,
      type: 0x105,
      isCombo: true,
      unitConfig: {
        enabled: true,
        unitName: "kg",
        fraction: 1,
        minQuantity: 1,
        stepQuantity: 1,
        maxQuantity: 1,
        displayMode: "fraction",
      },
    };

    const { createGood } = dataOf(await acme.owner.run(CREATE, { companyId: acme.id, input }));

    expect(createGood).toEqual({
      id: expect.any(Number),
      type: 0x125,
      isCombo: true,
      typeClass: 5,
      digitalClass: 1,
      priceE2: Number.MAX_SAFE_INTEGER,
      unitConfig: { unitName: "kg", weightPerUnit: null },
    });
  });

  it("for a branch gives it to the branch's shop, and puts it on sale at that branch alone", async () => {
    const shop = await createBranchGroup(gateway, acme.id);
    const [branch] = [
      await createBranch(gateway, acme.id, { branchGroupId: shop.id }),
      await createBranch(gateway, acme.id, { branchGroupId: shop.id }),
    ];

    const { status, body } = await acme.owner.rest(
      "POST",
      `/companies/${acme.id}/branches/${branch.id}/goods`,
      { body: GOOD_BODY },
    );

    expect([status, body.branch_group_id]).toEqual([201, shop.id]);
    const sold = await gateway.db.branchGood.findMany({ where: { companyId: acme.id, goodId: body.id } });
    expect(sold).toMatchObject([{ branchId: branch.id, priceE2: null, disabled: false }]);
  });

  it("for a branch outside every shop gives it to the whole company", async () => {
    const branch = await createBranch(gateway, acme.id);

    const { body } = await acme.owner.rest("POST", `/companies/${acme.id}/branches/${branch.id}/goods`, {
      body: GOOD_BODY,
    });

    expect(body.branch_group_id).toBeNull();
    expect(await gateway.db.branchGood.count({ where: { companyId: acme.id, goodId: body.id } })).toBe(1);
  });

  it("for a shop gives it to the shop, and puts it on sale at no branch yet", async () => {
    const shop = await createBranchGroup(gateway, acme.id);

    const { status, body } = await acme.owner.rest(
      "POST",
      `/companies/${acme.id}/branch-groups/${shop.id}/goods`,
      { body: GOOD_BODY },
    );

    expect([status, body.branch_group_id]).toEqual([201, shop.id]);
    expect(await gateway.db.branchGood.count({ where: { companyId: acme.id, goodId: body.id } })).toBe(0);
  });

  it("is refused to whoever may not edit goods, and makes nothing", async () => {
    const globex = await createCompany(gateway);
    const [reader, client] = [
      await adminWith(gateway, acme.id, "access_goods"),
      await signedInClient(gateway, acme.id),
    ];
    const path = `/companies/${acme.id}/goods`;
    const before = await gateway.db.good.count({ where: { companyId: acme.id } });

    const statuses = [
      (await gateway.anonymous.rest("POST", path, { body: GOOD_BODY })).status,
      (await reader.rest("POST", path, { body: GOOD_BODY })).status,
      (await client.client.rest("POST", path, { body: GOOD_BODY })).status,
      (await globex.owner.rest("POST", path, { body: GOOD_BODY })).status,
    ];

    expect(statuses).toEqual([401, 403, 403, 403]);
    expect(errorCodes(await reader.run(CREATE, { companyId: acme.id, input: GOOD_INPUT }))).toEqual([
      "FORBIDDEN",
    ]);
    expect(await gateway.db.good.count({ where: { companyId: acme.id } })).toBe(before);
  });

  it("knows no branch or shop of another company, whatever the body", async () => {
    const globex = await createCompany(gateway);
    const shop = await createBranchGroup(gateway, globex.id);
    const branch = await createBranch(gateway, globex.id, { branchGroupId: shop.id });
    const [valid, wrong] = [{ body: GOOD_BODY }, { body: {} }];

    for (const path of [`branches/${branch.id}`, `branch-groups/${shop.id}`]) {
      expect((await acme.owner.rest("POST", `/companies/${acme.id}/${path}/goods`, valid)).status).toBe(404);
      expect((await acme.owner.rest("POST", `/companies/${acme.id}/${path}/goods`, wrong)).status).toBe(404);
    }
    expect(await gateway.db.good.count({ where: { companyId: globex.id } })).toBe(0);
    expect(await gateway.db.branchGood.count({ where: { companyId: globex.id } })).toBe(0);
  });
});
