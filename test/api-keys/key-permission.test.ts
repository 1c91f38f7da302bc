import { adminNamed } from "../admins/people.js";
import { sharedSchema } from "../support/schema.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { makeKey, REVOKE } from "./keys.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});

const EXPLAIN = `query ($companyId: Int!, $id: Int!, $operation: String!) {
  explainKeyPermission(companyId: $companyId, apiKeyId: $id, operation: $operation) {
    operation apiKeyId allowed state access isForPeople permission missing roles lostRoles
  }
}`;

async function explain(id: number, operation: string): Promise<Record<string, unknown>> {
  const result = await company.owner.run(EXPLAIN, { companyId: company.id, id, operation });
  return (dataOf(result) as { explainKeyPermission: Record<string, unknown> }).explainKeyPermission;
}

it("explains each operation as the guard decides it", async () => {
  const roles = ["can_edit_goods", "can_edit_admins", "access_admins"];
  const { id } = await makeKey(gateway, company.owner, company.id, { roles });

  for (const { name, access } of sharedSchema().operations.values()) {
    const isForPeople = "forPeople" in access && access.forPeople === true;
    const holds =
      access.kind === "permission" && roles.includes(access.permission) && access.fullAdmins !== true;
    const allowed = (holds || access.kind === "open" || access.kind === "signedIn") && !isForPeople;
    const shown = await explain(id, name);
    expect([name, shown["allowed"], shown["isForPeople"]]).toEqual([name, allowed, isForPeople]);
  }
});

it("says which roles its maker has lost, and that it is not good any more", async () => {
  const maker = await adminNamed(gateway, company.id, "can_edit_api_keys", "access_goods", "access_coupons");
  const { id } = await makeKey(gateway, maker.client, company.id, {
    roles: ["access_goods", "access_coupons"],
  });
  const where = { companyId: company.id, adminType: { admins: { some: { id: maker.id } } } };
  await gateway.db.adminTypeRole.deleteMany({ where: { ...where, role: "access_coupons" } });
  const plain = { operation: "coupons", apiKeyId: id, access: "permission", isForPeople: false };

  expect(await explain(id, "coupons")).toEqual({
    ...plain,
    allowed: false,
    state: "good",
    permission: "access_coupons",
    missing: ["access_coupons"],
    roles: ["access_goods"],
    lostRoles: ["access_coupons"],
  });
  await gateway.db.admin.updateMany({
    where: { companyId: company.id, id: maker.id },
    data: { suspendedAt: new Date() },
  });
  expect(await explain(id, "goods")).toMatchObject({ allowed: false, state: "maker_gone", roles: [] });
  await company.owner.run(REVOKE, { companyId: company.id, id });
  expect(await explain(id, "goods")).toMatchObject({ allowed: false, state: "revoked" });
});

it("refuses a name that is no operation", async () => {
  const { id } = await makeKey(gateway, company.owner, company.id, { roles: ["access_goods"] });

  const result = await company.owner.run(EXPLAIN, { companyId: company.id, id, operation: "fly" });

  expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["operation:unknown"]);
});
