import { adminWith, createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";
import { createAdminRow } from "./people.js";

const UPDATE = `mutation ($companyId: Int!, $adminId: Int!, $input: UpdateAdminSettingsInput!) {
  updateAdminSettings(companyId: $companyId, adminId: $adminId, input: $input) {
    settings { enableSms preferences { audibleNotifications { orderNew paymentNew orderArrived } } }
  }
}`;

describe("settings of an admin", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let id: number;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
    id = await createAdminRow(gateway, companyId);
    path = `/companies/${companyId}/admins/${id}/settings`;
  });
  afterAll(() => gateway.close());

  const stored = async () =>
    (await gateway.db.admin.findFirstOrThrow({ where: { companyId, id } })).settings as object;

  it("are read and changed by the admin itself; what is not named stays", async () => {
    const self = await gateway.as({ kind: "admin", id, companyId });

    const before = await self.rest("GET", path);
    const first = await self.rest("PATCH", path, { body: { enable_sms: true } });
    const second = await self.rest("PATCH", path, {
      body: { enable_support_sms: true, preferences: [{ audible_notifications: { order_new: "off" } }] },
    });
    const after = await self.rest("GET", path);

    expect(before.body).toMatchObject({ enable_sms: false, enable_messenger_a_rates: false });
    expect([first.status, first.body.enable_sms]).toEqual([200, true]);
    expect(second.body).toEqual({
      ...before.body,
      enable_sms: true,
      enable_support_sms: true,
      preferences: {
        audible_notifications: { ...before.body.preferences.audible_notifications, order_new: "off" },
      },
    });
    expect(after.body).toEqual(second.body);
  });

  it("merge preferences in their order, one object or a list of them, on both faces", async () => {
    const list = await company.owner.rest("PATCH", path, {
      body: {
        preferences: [
          { audible_notifications: { order_new: "off", payment_new: "off" } },
          {},
          { audible_notifications: { order_new: "on" } },
        ],
      },
    });
    const one = await company.owner.rest("PATCH", path, {
      body: { preferences: { audible_notifications: { order_arrived: "off" } } },
    });
    const input = { preferences: { audibleNotifications: { paymentNew: "on" } } };
    const { updateAdminSettings } = dataOf(
      await company.owner.run(UPDATE, { companyId, adminId: id, input }),
    );

    const sounds = list.body.preferences.audible_notifications;
    expect([sounds.order_new, sounds.payment_new]).toEqual(["on", "off"]);
    expect(one.body.preferences.audible_notifications).toEqual({ ...sounds, order_arrived: "off" });
    expect(updateAdminSettings.settings.preferences.audibleNotifications).toEqual({
      orderNew: "on",
      paymentNew: "on",
      orderArrived: "off",
    });
  });

  it("tell values and keys that are wrong, and change nothing", async () => {
    const wrong = {
      enable_sms: "yes",
      preferences: [{ audible_notifications: { order_new: "loud", order_lost: "on" } }, { volume: 11 }],
    };

    const { status, body } = await company.owner.rest("PATCH", path, { body: wrong });

    expect([status, wrongFields(body.errors)]).toEqual([
      422,
      ["enable_sms:type", "preferences[0].audible_notifications.order_new:enum"],
    ]);
    expect(await stored()).toEqual({});
  });

  it("take no notice of unknown preferences, unless asked to be strict", async () => {
    const body = { preferences: { zzz: 1, audible_notifications: { order_lost: "on", order_new: "off" } } };

    const strict = await company.owner.rest("PATCH", path, { body, headers: { prefer: "handling=strict" } });
    const before = await stored();
    const lenient = await company.owner.rest("PATCH", path, { body });

    expect([strict.status, wrongFields(strict.body.errors), before]).toEqual([
      422,
      ["preferences.audible_notifications.order_lost:unknown", "preferences.zzz:unknown"],
      {},
    ]);
    expect([lenient.status, lenient.body.preferences.audible_notifications.order_new]).toEqual([200, "off"]);
    expect(await stored()).toEqual({ preferences: { audibleNotifications: { orderNew: "off" } } });
  });

  it("tell what is wrong in preferences where it was sent, on both faces", async () => {
    const one = await company.owner.rest("PATCH", path, {
      body: { preferences: { audible_notifications: { order_new: "loud" } } },
    });
    const none = await company.owner.rest("PATCH", path, { body: { preferences: "loud" } });
    const run = async (preferences: unknown) => {
      const { errors } = await company.owner.run(UPDATE, { companyId, adminId: id, input: { preferences } });
      return wrongFields(errors?.[0]?.extensions["errors"]);
    };
    const loud = { audibleNotifications: { orderNew: "loud" } };

    expect([one.status, none.status]).toEqual([422, 422]);
    expect(wrongFields(one.body.errors)).toEqual(["preferences.audible_notifications.order_new:enum"]);
    expect(none.body.errors).toEqual([{ field: "preferences", rule: "type", message: "must be array" }]);
    expect(await run(loud)).toEqual(["preferences.audibleNotifications.orderNew:enum"]);
    expect(await run([loud])).toEqual(["preferences[0].audibleNotifications.orderNew:enum"]);
    expect(await stored()).toEqual({});
  });

  it("are no other admin's business", async () => {
    const other = await adminWith(gateway, companyId, "access_admins");

    const seen = await other.rest("GET", path);
    const answer = await other.rest("PATCH", path, { body: { enable_sms: true } });
    const result = await other.run(UPDATE, { companyId, adminId: id, input: { enableSms: true } });

    expect(seen.status).toBe(200);
    expect([answer.status, answer.body.permission]).toEqual([403, "can_edit_admins"]);
    expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
    expect(await stored()).toEqual({});
  });

  it("all stay when many are changed at once", async () => {
    const keys = ["order_new", "payment_new", "order_accepted", "order_prepared", "order_arrived"];

    const answers = await Promise.all(
      keys.map((key) =>
        company.owner.rest("PATCH", path, {
          body: { preferences: { audible_notifications: { [key]: "off" } } },
        }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const { body } = await company.owner.rest("GET", path);
    expect(keys.map((key) => body.preferences.audible_notifications[key])).toEqual(keys.map(() => "off"));
  });

  it("which of the company's may be changed: all with can_edit_settings, else none", async () => {
    const fields = sharedSchema().schema.getType("CompanySettings") as unknown as {
      getFields(): Record<string, unknown>;
    };
    const editor = await adminWith(gateway, companyId, "can_edit_settings");
    const { me } = dataOf(await editor.run("{ me { id admin { adminTypeId } } }"));
    const ask = (who: typeof editor, adminId: number) =>
      who.rest("GET", `/companies/${companyId}/admins/${adminId}/allowed-settings`);

    const [own, owners, plain, refused] = [
      await ask(editor, me.id),
      await ask(company.owner, company.ownerId),
      await ask(company.owner, id),
      await ask(editor, id),
    ];

    expect(own.body).toEqual(
      expect.arrayContaining(["pay_in_store", "messenger_a_token", "first_purchase_bonus_e2"]),
    );
    expect(own.body).toContain("<bank>_settings");
    expect(own.body).not.toContain("bank_settings");
    expect(own.body).toHaveLength(Object.keys(fields.getFields()).length);
    expect(owners.body).toEqual(own.body);
    expect(plain.body).toEqual([]);
    expect([refused.status, refused.body.permission]).toEqual([403, "access_admins"]);

    const { id: branchGroupId } = await createBranchGroup(gateway, companyId);
    await gateway.db.adminType.updateMany({
      where: { companyId, id: me.admin.adminTypeId },
      data: { branchGroupIds: [branchGroupId] },
    });
    const bound = await company.owner.rest("GET", `/companies/${companyId}/admins/${me.id}/allowed-settings`);
    expect([bound.status, bound.body]).toEqual([200, []]);
  });
});
