import { createBranch, createCompany, adminWith, unique, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createAssociation, createFleetRows, type FleetRows } from "./associations.js";

let gateway: Gateway;
let company: TestCompany;
let rows: FleetRows;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  rows = await createFleetRows(gateway, company.id);
});
afterAll(() => gateway.close());

const bodyOf = ({ fleetId, serviceId, serviceChargeId }: FleetRows) => ({
  fleet_id: fleetId,
  service_id: serviceId,
  service_charge_id: serviceChargeId,
});
const stored = (id: number) =>
  gateway.db.fleetAssociation.findFirst({ where: { companyId: company.id, id } });
const create = (body: object) =>
  company.owner.rest("POST", `/companies/${company.id}/fleet-associations`, { body });

it("creates an association of the company with its defaults", async () => {
  const { status, body, headers } = await create(bodyOf(rows));

  expect(status).toBe(201);
  expect(headers["location"]).toBe(`/api/fleet-associations/${String(body.id)}`);
  expect(body).toEqual({
    id: expect.any(Number),
    is_enabled: true,
    in_order: 0,
    fee_flat_e2: 0,
    fee_prc: "0.00",
    fee_target: "company",
    ...bodyOf(rows),
    service_type: 7,
    is_admin_managed: false,
    is_payment_received_for_branches: false,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    version: 1,
  });
});

it("creates an association of a branch with all of its values", async () => {
  const branch = await createBranch(gateway, company.id);
  const values = { in_order: 1_000_000, fee_flat_e2: 9_000_000_000, fee_prc: 0.29 };

  const { status, body } = await company.owner.rest("POST", `/branches/${branch.id}/fleet-associations`, {
    body: { ...bodyOf(rows), ...values, is_admin_managed: true, is_payment_received_for_branches: true },
  });

  expect(status).toBe(201);
  expect(body).toMatchObject({
    ...values,
    fee_prc: "0.29",
    fee_target: "branch",
    is_admin_managed: true,
    is_payment_received_for_branches: true,
  });
  expect(await stored(body.id)).toMatchObject({ branchId: branch.id, options: 3 });
});

it("takes the fee as it is answered, on both faces", async () => {
  const { body } = await create({ ...bodyOf(rows), fee_prc: 0.05 });
  const { id: __, ...answered } = body as { id: number; fee_prc: string };

  const again = await create(answered);
  const graphql = await company.owner.run(
    `mutation ($id: Int!, $input: UpdateFleetAssociationInput!) {
      updateFleetAssociation(id: $id, input: $input) { feePrc } }`,
    {
      id: again.body.id,
      input: { serviceId: rows.serviceId, serviceChargeId: rows.serviceChargeId, feePrc: "0.07" },
    },
  );

  expect([body.fee_prc, again.status, again.body.fee_prc]).toEqual(["0.05", 201, "0.05"]);
  expect(graphql.data?.["updateFleetAssociation"]).toEqual({ feePrc: "0.07" });
});

it.each([
  [{ fee_prc: "1.01" }, ["fee_prc:max"]],
  [{ fee_prc: "-0.01" }, ["fee_prc:min"]],
  [{ fee_prc: "0.055" }, ["fee_prc:decimals"]],
  [{ fee_prc: "5 %" }, ["fee_prc:pattern"]],
  [{ fee_prc: true }, ["fee_prc:type"]],
  [{ fee_prc: "1.055", is_admin_managed: 1 }, ["fee_prc:decimals", "fee_prc:max", "is_admin_managed:type"]],
  [{ in_order: -1, fee_flat_e2: -1, fee_prc: 1.01 }, ["fee_flat_e2:min", "fee_prc:max", "in_order:min"]],
  [{ in_order: 1_000_001, fee_prc: 0.055 }, ["fee_prc:decimals", "in_order:max"]],
  [{ fee_prc: -0.01, is_admin_managed: 1 }, ["fee_prc:min", "is_admin_managed:type"]],
  [{ fleet_id: 2_000_000_000, service_charge_id: null }, ["fleet_id:exists", "service_charge_id:type"]],
])("refuses %j, and creates nothing", async (wrong, refusals) => {
  const { status, body } = await create({ ...bodyOf(rows), ...wrong });

  expect([status, wrongFields(body.errors)]).toEqual([422, refusals]);
  expect(await gateway.db.fleetAssociation.count({ where: { companyId: company.id } })).toBe(0);
});

it("refuses a charge of another service, and whatever is missing", async () => {
  const other = await createFleetRows(gateway, company.id);

  const mixed = await create({ ...bodyOf(rows), service_charge_id: other.serviceChargeId });
  const empty = await create({});

  expect([mixed.status, wrongFields(mixed.body.errors)]).toEqual([422, ["service_charge_id:mismatch"]]);
  expect([empty.status, wrongFields(empty.body.errors)]).toEqual([
    422,
    ["fleet_id:required", "service_charge_id:required", "service_id:required"],
  ]);
  expect(await gateway.db.fleetAssociation.count({ where: { companyId: company.id } })).toBe(0);
});

it("changes what is sent, by its own bits of the mask, and keeps the fleet", async () => {
  const { id, fleetId } = await createAssociation(gateway, company.id);
  await gateway.db.fleetAssociation.updateMany({
    where: { companyId: company.id, id },
    data: { options: 1 },
  });

  const { status, body } = await company.owner.rest("PATCH", `/fleet-associations/${id}`, {
    body: { ...bodyOf(rows), fee_prc: 1, is_admin_managed: null, is_payment_received_for_branches: true },
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({
    ...bodyOf(rows),
    fleet_id: fleetId,
    fee_prc: "1.00",
    is_admin_managed: true,
    is_payment_received_for_branches: true,
  });
});

it("wants service and charge with each change", async () => {
  const before = await createAssociation(gateway, company.id);

  const { status, body } = await company.owner.rest("PATCH", `/fleet-associations/${before.id}`, {
    body: { in_order: 5 },
  });

  expect([status, wrongFields(body.errors)]).toEqual([
    422,
    ["service_charge_id:required", "service_id:required"],
  ]);
  expect(await stored(before.id)).toEqual(before);
});

it("switches off and on; again: the same, and nothing is written", async () => {
  const { id } = await createAssociation(gateway, company.id);
  const set = (state: string) => company.owner.rest("POST", `/fleet-associations/${id}/set-${state}`);

  const off = await set("disabled");
  const row = await stored(id);
  const again = await set("disabled");

  expect([off.body.is_enabled, again.body.is_enabled]).toEqual([false, false]);
  expect(await stored(id)).toEqual(row);
  const on = await set("enabled");
  expect([on.status, on.body.is_enabled]).toEqual([200, true]);
  const entries = await gateway.db.auditEntry.findMany({
    where: { companyId: company.id },
    orderBy: { id: "asc" },
  });
  expect(entries.map(({ operation, targetType }) => `${operation} ${targetType}`)).toEqual([
    "setFleetAssociationDisabled fleet_association",
    "setFleetAssociationEnabled fleet_association",
  ]);
});

it("does nothing when the association has changed since it was read", async () => {
  const { id } = await createAssociation(gateway, company.id);
  const path = `/fleet-associations/${id}`;
  const { etag } = (await company.owner.rest("GET", path)).headers;
  await company.owner.rest("POST", `${path}/set-disabled`);
  const before = await stored(id);

  for (const caller of [company.owner, gateway.platform]) {
    const stale = await caller.rest("DELETE", path, { headers: { "if-match": String(etag) } });
    expect(stale.status).toBe(412);
  }
  const dated = await gateway.platform.run(
    `mutation ($id: Int!) { deleteFleetAssociation(id: $id, ifUpdatedAt: "2020-01-01") { id } }`,
    { id },
  );

  expect(errorCodes(dated)).toEqual(["PRECONDITION_FAILED"]);
  expect(await stored(id)).toEqual(before);
  const fresh = String((await gateway.platform.rest("GET", path)).headers["etag"]);
  expect((await gateway.platform.rest("DELETE", path, { headers: { "if-match": fresh } })).status).toBe(204);
  expect(await stored(id)).toBeNull();
});

it("creates one association for one Idempotency-Key, for the platform and its path without a company too", async () => {
  const branch = await createBranch(gateway, company.id);
  for (const caller of [company.owner, gateway.platform]) {
    const request = { body: bodyOf(rows), headers: { "idempotency-key": unique() } };
    const [one, two] = [
      await caller.rest("POST", `/branches/${branch.id}/fleet-associations`, request),
      await caller.rest("POST", `/branches/${branch.id}/fleet-associations`, request),
    ];
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
  }
  expect(await gateway.db.fleetAssociation.count({ where: { companyId: company.id } })).toBe(2);
});

it("filters and sorts, over REST and GraphQL", async () => {
  const a = await createAssociation(gateway, company.id, { inOrder: 2 });
  const b = await createAssociation(gateway, company.id, { inOrder: 1, ofBranch: true });
  const c = await createAssociation(gateway, company.id, { inOrder: 3, isEnabled: false });
  const ids = async (query: string) =>
    (await company.owner.rest("GET", `/fleet-associations?${query}`)).body.map(
      ({ id }: { id: number }) => id,
    );

  expect(await ids("")).toEqual([b.id, a.id, c.id]);
  expect(await ids("sort=-in_order")).toEqual([c.id, a.id, b.id]);
  expect(await ids("filter[branch_id][is_null]=true")).toEqual([a.id, c.id]);
  expect(await ids("filter[is_enabled]=false")).toEqual([c.id]);
  expect(await ids("filter[service_type]=7&sort=id")).toEqual([a.id, b.id, c.id]);
  expect(await ids(`filter[fleet_id]=${a.fleetId}`)).toEqual([a.id]);
  const { data } = await company.owner.run(
    "{ fleetAssociations(filter: { inOrder: { gte: 2 } }) { totalCount nodes { id feePrc } } }",
  );
  expect(data?.["fleetAssociations"]).toEqual({
    totalCount: 2,
    nodes: [
      { id: a.id, feePrc: "0.00" },
      { id: c.id, feePrc: "0.00" },
    ],
  });
});

it("follows the type of its service, and its version moves with it once", async () => {
  const { id, serviceId } = await createAssociation(gateway, company.id);
  const retype = () =>
    company.owner.run(
      `mutation ($companyId: Int!, $id: Int!) { updateService(companyId: $companyId, id: $id, input: { type: 9 }) { id } }`,
      { companyId: company.id, id: serviceId },
    );
  const versionOf = async () =>
    (await gateway.db.fleetAssociation.findFirstOrThrow({ where: { companyId: company.id, id } })).version;
  const before = await versionOf();

  for (let time = 0; time < 2; time += 1) dataOf(await retype());

  expect((await company.owner.rest("GET", `/fleet-associations/${id}`)).body.service_type).toBe(9);
  expect(await versionOf()).toBe(before + 1);
});

it("keeps a charge with its service, and what it refers to from being deleted", async () => {
  const { id, fleetId, serviceId, serviceChargeId } = await createAssociation(gateway, company.id);
  const before = await stored(id);

  const moved = await company.owner.run(
    `mutation ($companyId: Int!, $id: Int!, $to: Int!) {
      updateServiceCharge(companyId: $companyId, id: $id, input: { serviceId: $to }) { id }
    }`,
    { companyId: company.id, id: serviceChargeId, to: rows.serviceId },
  );
  const deleted = await company.owner.run(
    `mutation ($companyId: Int!) {
      deleteFleet(companyId: $companyId, id: ${fleetId}) { id }
      deleteService(companyId: $companyId, id: ${serviceId}) { id }
      deleteServiceCharge(companyId: $companyId, id: ${serviceChargeId}) { id }
    }`,
    { companyId: company.id },
  );

  expect([...errorCodes(moved), ...errorCodes(deleted)]).toEqual([
    "CONFLICT",
    "CONFLICT",
    "CONFLICT",
    "CONFLICT",
  ]);
  expect(await stored(id)).toEqual(before);
});

it("deletes many, each by itself", async () => {
  const [one, two] = [
    await createAssociation(gateway, company.id),
    await createAssociation(gateway, company.id),
  ];
  const elsewhere = await createAssociation(gateway, (await createCompany(gateway)).id);
  const editor = await adminWith(gateway, company.id, "can_edit_fleet");

  const result = await editor.run(
    "mutation ($companyId: Int!, $ids: [Int!]!) { deleteFleetAssociations(companyId: $companyId, ids: $ids) { id error { code } } }",
    { companyId: company.id, ids: [one.id, elsewhere.id, two.id] },
  );

  expect(
    dataOf(result)["deleteFleetAssociations"].map(
      ({ error }: { error: { code: string } | null }) => error?.code ?? null,
    ),
  ).toEqual([null, "NOT_FOUND", null]);
  expect([await stored(one.id), await stored(two.id)]).toEqual([null, null]);
  expect(await gateway.db.fleetAssociation.count({ where: { companyId: elsewhere.companyId } })).toBe(1);
});

it.each([2, 20])("lists %d associations with their relations by five statements", async (count) => {
  for (let n = 0; n < count; n += 1) await createAssociation(gateway, company.id, { ofBranch: true });
  const path = "/fleet-associations?load=fleet,service,service_charge,branch&cursor=";
  await company.owner.rest("GET", path);
  gateway.statements.length = 0;

  const { body } = await company.owner.rest("GET", path);

  expect(body).toHaveLength(count);
  expect(gateway.statements).toHaveLength(5);
});
