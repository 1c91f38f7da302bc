import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { type Client, type Gateway, startGateway } from "../support/gateway.js";
import { createAdminRow, untilDone, storedAdmins } from "./people.js";

describe("full administrators", () => {
  let gateway: Gateway;
  let second: Gateway;
  let company: TestCompany;
  let companyId: number;

  beforeAll(async () => {
    gateway = await startGateway();
    second = await startGateway({ on: gateway });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(async () => {
    await second.close();
    await gateway.close();
  });

  const act = (by: Client, id: number, action: "upgrade" | "downgrade") =>
    by.rest("POST", `/companies/${companyId}/admins/${id}/${action}`);
  const fullAdmins = async () =>
    (await storedAdmins(gateway, companyId)).filter(({ isFullAdmin }) => isFullAdmin).map(({ id }) => id);

  it("are made and unmade, again without a change", async () => {
    const id = await createAdminRow(gateway, companyId);
    const self = await gateway.as({ kind: "admin", id, companyId });
    const list = () => self.rest("GET", `/companies/${companyId}/goods?with_deleted=true`);

    const before = await list();
    const upgraded = [await act(company.owner, id, "upgrade"), await act(company.owner, id, "upgrade")];
    const meanwhile = await list();
    const downgraded = [
      await act(gateway.platform, id, "downgrade"),
      await act(company.owner, id, "downgrade"),
    ];
    const after = await list();

    expect([...upgraded, ...downgraded].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(upgraded[1]?.body).toEqual(upgraded[0]?.body);
    expect([before.status, meanwhile.status, after.status]).toEqual([403, 200, 403]);
  });

  it("are made and unmade by no one else, not even of themselves", async () => {
    const manager = await adminWith(gateway, companyId, "can_edit_admins", "can_edit_admin_types");
    const id = await createAdminRow(gateway, companyId);
    const full = await createAdminRow(gateway, companyId, { isFullAdmin: true });
    const before = await storedAdmins(gateway, companyId);
    const self = await gateway.as({ kind: "admin", id, companyId });

    const answers = [
      await act(manager, id, "upgrade"),
      await act(manager, full, "downgrade"),
      await act(self, id, "upgrade"),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(answers[0]?.body.detail).toBe("Only a full administrator may do this.");
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
  });

  it("never end with the owner or the last one", async () => {
    const full = await createAdminRow(gateway, companyId, { isFullAdmin: true });

    const owner = await act(company.owner, company.ownerId, "downgrade");
    await gateway.db.admin.updateMany({
      where: { companyId, id: company.ownerId },
      data: { isOwner: false },
    });
    const other = await act(company.owner, company.ownerId, "downgrade");
    const last = await act(gateway.platform, full, "downgrade");

    expect([owner.status, owner.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(other.status).toBe(200);
    expect([last.status, last.body.code]).toEqual([409, "INVALID_STATE"]);
    expect(await fullAdmins()).toEqual([full]);
  });

  it("keep exactly one when the last two are downgraded 200 times at once by two services", async () => {
    const full = await createAdminRow(gateway, companyId, { isFullAdmin: true });
    await gateway.db.admin.updateMany({
      where: { companyId, id: company.ownerId },
      data: { isOwner: false },
    });
    const callers = [gateway.platform, second.platform];
    const ids = [company.ownerId, full];

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        untilDone(() => act(callers[n % 2] as Client, ids[Math.floor(n / 2) % 2] as number, "downgrade")),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await fullAdmins()).toHaveLength(1);
  });

  it("lose to each other at most one when both downgrade the other at once", async () => {
    const full = await createAdminRow(gateway, companyId, { isFullAdmin: true });
    await gateway.db.admin.updateMany({
      where: { companyId, id: company.ownerId },
      data: { isOwner: false },
    });
    const other = await second.as({ kind: "admin", id: full, companyId });

    const answers = await Promise.all([
      act(company.owner, full, "downgrade"),
      act(other, company.ownerId, "downgrade"),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(await fullAdmins()).toHaveLength(1);
  });
});
