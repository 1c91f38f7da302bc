import { createCompany, type TestCompany } from "../support/factories.js";
import {
  type Client,
  dataOf,
  errorCodes,
  type Gateway,
  startGateway,
  wrongFields,
} from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";
import { adminNamed, createAdminRow } from "./people.js";

const EXPLAIN = `query ($companyId: Int!, $adminId: Int!, $operation: String!) {
  explainPermission(companyId: $companyId, adminId: $adminId, operation: $operation) {
    operation allowed access permission isAllowedForItself heldBy missing adminId adminTypeId adminTypeName roles
    isOwner isFullAdmin
  }
}`;

describe("explainPermission", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let admin: { id: number; client: Client };

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    companyId = company.id;
    admin = await adminNamed(gateway, companyId, "can_edit_goods", "access_goods");
  });
  afterAll(() => gateway.close());

  const ask = (operation: string, adminId = admin.id, by = company.owner) =>
    by.run(EXPLAIN, { companyId, adminId, operation });
  const explained = async (operation: string, adminId = admin.id) =>
    dataOf(await ask(operation, adminId))["explainPermission"];

  it("says what is held by the type, and what is missing", async () => {
    const [held, missing] = [await explained("updateGood"), await explained("updateAdmin")];

    expect(held).toMatchObject({
      operation: "updateGood",
      allowed: true,
      access: "permission",
      permission: "can_edit_goods",
      heldBy: "type",
      missing: [],
      adminId: admin.id,
      adminTypeId: expect.any(Number),
      adminTypeName: expect.stringMatching(/^type-/u),
      roles: ["access_goods", "can_edit_goods"],
      isOwner: false,
      isFullAdmin: false,
    });
    expect(missing).toMatchObject({
      allowed: false,
      permission: "can_edit_admins",
      heldBy: null,
      missing: ["can_edit_admins"],
    });
  });

  it("names owners, full administrators, and what they alone may", async () => {
    const full = await createAdminRow(gateway, companyId, { isFullAdmin: true });
    const manager = await adminNamed(gateway, companyId, "can_edit_admins");

    expect(await explained("updateGood", company.ownerId)).toMatchObject({ allowed: true, heldBy: "owner" });
    expect(await explained("upgradeAdmin", full)).toMatchObject({
      allowed: true,
      access: "full_administrator",
      heldBy: "full_administrator",
      adminTypeId: null,
      adminTypeName: null,
      roles: [],
    });
    expect(await explained("upgradeAdmin", manager.id)).toMatchObject({
      allowed: false,
      heldBy: "type",
      missing: [],
    });
  });

  it("names what needs no permission, or another kind of caller", async () => {
    const kinds = ["goods", "me", "shake", "createCompany", "admin"];

    const found = [];
    for (const operation of kinds) {
      const { allowed, access, permission, isAllowedForItself } = await explained(operation);
      found.push([operation, access, allowed, permission, isAllowedForItself]);
    }

    expect(found).toEqual([
      ["goods", "open", true, null, false],
      ["me", "signed_in", true, null, false],
      ["shake", "client", false, null, false],
      ["createCompany", "platform", false, null, false],
      ["admin", "permission", false, "access_admins", true],
    ]);
  });

  it("agrees with what the guard decides, for every operation", async () => {
    const names = [...sharedSchema().operations.values()].filter(({ hasCompany }) => hasCompany);

    for (const { name, access } of names) {
      const { allowed, permission } = await explained(name);
      const held = access.kind === "permission" && /^(?:access|can_edit)_goods$/u.test(access.permission);
      expect([name, allowed]).toEqual([name, held || access.kind === "open" || access.kind === "signedIn"]);
      expect([name, permission]).toEqual([name, access.kind === "permission" ? access.permission : null]);
    }
    expect(names.length).toBeGreaterThan(150);
  });

  it("refuses an unknown operation, an unknown admin, and who may not see admins", async () => {
    const other = await createCompany(gateway);

    const results = [
      await ask("flyToTheMoon"),
      await ask("__proto__"),
      await ask("updateGood", other.ownerId),
      await ask("updateGood", company.ownerId, admin.client),
    ];

    expect(results.map(errorCodes)).toEqual([
      ["VALIDATION_FAILED"],
      ["VALIDATION_FAILED"],
      ["NOT_FOUND"],
      ["FORBIDDEN"],
    ]);
    expect(wrongFields(results[0]?.errors?.[0]?.extensions["errors"])).toEqual(["operation:unknown"]);
  });

  it("lets every admin ask about itself", async () => {
    const answer = dataOf(await ask("updateAdmin", admin.id, admin.client));

    expect(answer["explainPermission"]).toMatchObject({ allowed: false, missing: ["can_edit_admins"] });
  });
});
