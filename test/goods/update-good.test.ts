import {
  adminWith,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { UNIT_CONFIG } from "./examples.js";

const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!) {
  updateGood(companyId: $companyId, id: $id, input: $input) { id name providerFeeE2 providerFeePrc isTypeService isCombo type }
}`;

describe("changing a good", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("leaves what is absent as it is", async () => {
    const { id } = await createGood(gateway, acme.id, { sku: "A-1", keywords: ["tea"], type: 0x21 });
    const before = (await acme.owner.rest("GET", path(id))).body;

    const { status, body } = await acme.owner.rest("PATCH", path(id), { body: { name: "Tea" } });

    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: "Tea", updated_at: expect.any(String), version: 2 });
  });

  it.each([{}, { weightPerUnit: null }])(
    "leaves its unit as it is when it is sent back, stored with %j beside",
    async (more) => {
      const unit = {
        enabled: true,
        unitName: "kg",
        fraction: 10,
        minQuantity: 1,
        stepQuantity: 1,
        maxQuantity: 5,
        displayMode: "decimal",
      };
      const unitConfig = { ...unit, ...more };
      const good = await createGood(gateway, acme.id, { unitConfig });
      const { unit_config } = (await acme.owner.rest("GET", path(good.id))).body;

      const { status, body } = await acme.owner.rest("PATCH", path(good.id), { body: { unit_config } });

      expect([status, body.unit_config, body.version]).toEqual([200, unit_config, 1]);
      expect(await stored(acme.id, good.id)).toEqual(good);
      const heavier = { ...unit_config, weight_per_unit: 5 };
      await acme.owner.rest("PATCH", path(good.id), { body: { unit_config: heavier } });
      await acme.owner.rest("PATCH", path(good.id), { body: { unit_config } });
      const after = (await stored(acme.id, good.id)) as { unitConfig: object; version: number };
      expect([after.unitConfig, after.version]).toEqual([unit, 3]);
    },
  );

  it("sets the provider's fee, which creating does not", async () => {
    const { id } = await createGood(gateway, acme.id);

    const { body } = await acme.owner.rest("PATCH", path(id), {
      body: { provider_fee_e2: 9_007_199_254_740_991, provider_fee_prc: 0.0375 },
    });

    expect([body.provider_fee_e2, body.provider_fee_prc]).toEqual([9_007_199_254_740_991, 0.0375]);
  });

  it("takes fractions to the letter", async () => {
    const { id } = await createGood(gateway, acme.id);

    for (const provider_fee_prc of [0, 0.0001, 0.29, 0.3333, 1]) {
      const { body } = await acme.owner.rest("PATCH", path(id), { body: { provider_fee_prc } });
      expect(body.provider_fee_prc).toBe(provider_fee_prc);
    }
  });

  it("clears what may be null", async () => {
    const { id } = await createGood(gateway, acme.id, {
      eta: "1 h",
      etaConfigId: 3,
      sku: "A",
      maxQuantity: 5,
      limitType: "per_day",
      weight: "1 kg",
      label: "new",
      unitConfig: { enabled: true },
    });
    const cleared = {
      eta: null,
      eta_config_id: null,
      sku: null,
      max_quantity: null,
      limit_type: null,
      weight: null,
      label: null,
      unit_config: null,
    };

    const { body } = await acme.owner.rest("PATCH", path(id), { body: cleared });

    expect(body).toMatchObject(cleared);
  });

  it("replaces the whole unit configuration", async () => {
    const { id } = await createGood(gateway, acme.id);
    await acme.owner.rest("PATCH", path(id), {
      body: { unit_config: { ...UNIT_CONFIG, weight_per_unit: 5 } },
    });

    const { body } = await acme.owner.rest("PATCH", path(id), {
      body: { unit_config: { ...UNIT_CONFIG, unit_name: "lb" } },
    });

    expect(body.unit_config).toEqual({ ...UNIT_CONFIG, unit_name: "lb", weight_per_unit: null });
  });

  it.each([
    [{ is_combo: true }, 0x125],
    [{ is_type_service: false, is_digital_custom: false }, 0x4],
    [{ is_type_service: null }, 0x105],
    [{ type: 0x10 }, 0x10],
    [{ type: 0x10, is_type_service: true }, 0x11],
    [{}, 0x105],
  ])("sets flags in the mask that is stored or sent: %j", async (body, mask) => {
    const { id } = await createGood(gateway, acme.id, { type: 0x105 });

    expect((await acme.owner.rest("PATCH", path(id), { body })).body.type).toBe(mask);
  });

  it("loses no flag of two changes at once", async () => {
    const { id } = await createGood(gateway, acme.id);
    const flags = [
      "is_type_service",
      "is_type_custom_pickup",
      "is_type_digital",
      "is_type_list",
      "is_combo",
      "is_digital_custom",
      "is_digital_balance",
    ];

    await Promise.all(flags.map((flag) => acme.owner.rest("PATCH", path(id), { body: { [flag]: true } })));

    expect((await acme.owner.rest("GET", path(id))).body.type).toBe(0x337);
  });

  it("works through GraphQL", async () => {
    const { id } = await createGood(gateway, acme.id, { type: 0x20 });
    const input = { name: "Tea", providerFeeE2: 5, providerFeePrc: 0.5, isTypeService: true };

    const { updateGood } = dataOf(await acme.owner.run(UPDATE, { companyId: acme.id, id, input }));

    expect(updateGood).toEqual({ id, ...input, isCombo: true, type: 0x21 });
  });

  it("is refused to whoever may not edit goods, and changes nothing", async () => {
    const good = await createGood(gateway, acme.id);
    const [reader, client] = [
      await adminWith(gateway, acme.id, "access_goods"),
      await signedInClient(gateway, acme.id),
    ];
    const request = { body: { name: "Mine" } };

    const statuses = [
      (await gateway.anonymous.rest("PATCH", path(good.id), request)).status,
      (await reader.rest("PATCH", path(good.id), request)).status,
      (await client.client.rest("PATCH", path(good.id), request)).status,
    ];

    expect(statuses).toEqual([401, 403, 403]);
    expect(await stored(acme.id, good.id)).toEqual(good);
  });

  it("knows no good of another company and no deleted one, and leaves them alone", async () => {
    const globex = await createCompany(gateway);
    const theirs = await createGood(gateway, globex.id);
    const deleted = await createGood(gateway, acme.id, { deletedAt: new Date() });

    for (const id of [theirs.id, deleted.id, 2_000_000_000]) {
      expect((await acme.owner.rest("PATCH", path(id), { body: { name: "Mine" } })).status).toBe(404);
      expect((await acme.owner.rest("PATCH", path(id), { body: { name: "" } })).status).toBe(404);
      const result = await acme.owner.run(UPDATE, { companyId: acme.id, id, input: { name: "Mine" } });
      expect(errorCodes(result)).toEqual(["NOT_FOUND"]);
    }
    expect(await stored(globex.id, theirs.id)).toEqual(theirs);
    expect(await stored(acme.id, deleted.id)).toEqual(deleted);
  });

  const path = (id: number): string => `/companies/${acme.id}/goods/${id}`;
  const stored = (companyId: number, id: number): Promise<unknown> =>
    gateway.db.good.findFirst({ where: { companyId, id } });
});
