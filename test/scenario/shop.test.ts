import { png } from "../files/pictures.js";
import { avatarParts, avatarPath, sendForm, sendGraphqlForm } from "../files/uploads.js";
import { unique } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";
import { byGraphql, byRest, type Face } from "./faces.js";
import { SHOP } from "./shop.js";

/** Around the plaza, and on the other side of the mountain. */
const PLAZA = { latitudeE6: 10_496_200, longitudeE6: -66_848_300 };
const BEACH = { latitudeE6: 10_616_000, longitudeE6: -66_848_300 };

interface Entry {
  readonly operation: string;
  readonly action: string;
  readonly target_type: string;
  readonly actor_kind: string | null;
  readonly admin_id: number | null;
  readonly client_id: number | null;
}

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

describe.each([
  ["REST", byRest],
  ["GraphQL", byGraphql],
])("a shop out of nothing over %s", (_, face: Face) => {
  /** Calls the service, which must do it. */
  const done = async (...call: Parameters<Face>) => {
    const { code, body } = await face(...call);
    expect([call[1].query, code, body]).toEqual([call[1].query, null, expect.anything()]);
    return body;
  };
  const signedIn = async (email: string, token: string, password: string): Promise<Client> => {
    await done(gateway.anonymous, SHOP.setPassword, { input: { token, password } });
    const { access_token } = await done(gateway.anonymous, SHOP.login, { input: { email, password } });
    return gateway.withToken(access_token);
  };
  const uploadAvatar = async (by: Client, companyId: number, id: number): Promise<string> => {
    const file = { bytes: await png({ width: 64 }) };
    if (face === byRest)
      return (await sendForm(gateway, by, avatarPath(companyId, id), { avatar: file })).body.avatar_url;
    const { body } = await sendGraphqlForm(gateway, by, avatarParts(companyId, id, file));
    return body.data?.["uploadAdminAvatar"].avatarUrl;
  };

  it("has an owner, an invited admin, a branch, a good, a client with addresses, and a trail of it", async () => {
    const name = `shop-${unique()}`;
    const [owning, helping] = [`ana@${name}.example`, `luis@${name}.example`];

    const company = {
      name,
      domain: `${name}.ex`,
      email: `hello@${name}.example`,
      folderName: name,
      countryIso: "VE",
      timeZoneOffset: "-04:00",
    };
    const user = { name: "Ana Soto", email: owning, phone: "+584125550100" };
    const founded = await done(gateway.platform, SHOP.createCompany, { input: { company, user } });
    const companyId = founded.id as number;
    const owner = await signedIn(owning, founded.password_setup_token, "correct horse battery");
    const spent = await face(gateway.anonymous, SHOP.setPassword, {
      input: { token: founded.password_setup_token, password: "another password" },
    });
    expect(spent.code).toBe("UNAUTHENTICATED");

    const settings = { slogan: "Fresh every day", messengerAToken: "a token of the messenger" };
    expect(await done(owner, SHOP.updateSettings, { companyId, input: settings })).toMatchObject({
      slogan: "Fresh every day",
      messenger_a_token: "********",
    });

    const type = { name: "Catalogue", defaultKey: "goods", roles: ["access_goods", "can_edit_goods"] };
    const { id: adminTypeId } = await done(owner, SHOP.createAdminType, { companyId, input: type });
    const helper = { name: "Luis Gil", email: helping, phone: "+584125550101", adminTypeId };
    const invited = await done(owner, SHOP.createAdmin, { companyId, input: helper });
    const admin = await signedIn(helping, invited.password_setup_token, "staple of the battery");

    const arepa = { name: "Arepa", shortDetails: "Maize", details: "Of maize.", priceE2: 450, type: 0 };
    const good = await done(admin, SHOP.createGood, { companyId, input: arepa });
    expect((await done(admin, SHOP.me)).permissions).toEqual(["access_goods", "can_edit_goods"]);
    for (const [step, permission, input] of [
      [SHOP.updateSettings, "can_edit_settings", settings],
      [SHOP.createAdmin, "can_edit_admins", { ...helper, email: `other@${name}.example` }],
      [SHOP.createBranchGroup, "can_edit_company", { name: "Mine" }],
      [SHOP.admins, "access_admins"],
      [SHOP.trail, "access_audit_entries"],
    ] as const) {
      const { code, body } = await face(admin, step, { companyId, ...(input !== undefined && { input }) });
      expect([code, body.permission]).toEqual(["FORBIDDEN", permission]);
    }
    expect((await done(owner, SHOP.admins, { companyId })).nodes).toHaveLength(2);

    const { id: branchGroupId } = await done(owner, SHOP.createBranchGroup, { companyId, input: { name } });
    const hours = Object.fromEntries([..."0123456"].map((day) => [day, [{ from: "00:00", to: "23:59" }]]));
    const branch = { name: "Plaza", branchGroupId, ...PLAZA, openingHours: hours };
    const { id: branchId } = await done(owner, SHOP.createBranch, { companyId, input: branch });
    const data = { shape: "circle", radius: 3000, coordinates: [[PLAZA.longitudeE6, PLAZA.latitudeE6]] };
    const geofence = { name: "Around the plaza", type: "delivery", data, branchId };
    await done(owner, SHOP.createGeofence, { companyId, input: geofence });

    const open = await done(gateway.anonymous, SHOP.dayTime, { companyId, branchId });
    const { nodes: goods } = await done(gateway.anonymous, SHOP.goods, { companyId });
    expect(open).toMatchObject({ is_open: true });
    expect(goods).toMatchObject([{ id: good.id, name: "Arepa", price_e2: 450 }]);

    const { id: clientId } = await done(owner, SHOP.createClient, { companyId, input: { name: "Eva" } });
    const issued = await done(owner, SHOP.issueClientToken, { companyId, clientId });
    const client = gateway.withToken(issued.access_token);
    const delivery = { type: "delivery", country: "Venezuela", addressLine1: "Avenida 1" };
    const addressOf = (input: object) =>
      done(client, SHOP.createClientAddress, { companyId, clientId, input: { ...delivery, ...input } });
    const near = await addressOf({ name: "Home", ...PLAZA });
    const far = await addressOf({ name: "Beach", ...BEACH });
    const { nodes: missing } = await done(client, SHOP.missingAddresses, { companyId });
    expect(near.geofence_check).toMatchObject({ is_valid: true, distance_in_meters: 0 });
    expect(far.geofence_check).toMatchObject({ is_valid: false, geofence: { name: "Around the plaza" } });
    expect(missing).toMatchObject([{ id: far.id, name: "Beach" }]);
    expect((await face(owner, SHOP.missingAddresses, { companyId })).code).toBe("FORBIDDEN");

    const picture = await uploadAvatar(admin, companyId, invited.id);
    expect((await gateway.app.inject({ method: "GET", url: picture })).statusCode).toBe(200);

    const { nodes: trail } = await done(owner, SHOP.trail, { companyId });
    const { nodes: admins } = await done(owner, SHOP.admins, { companyId });
    const ownerId = Math.min(...(admins as { id: number }[]).map(({ id }) => id));
    const who: Record<string, string> = {
      platform: "platform",
      [`admin ${ownerId}`]: "owner",
      [`admin ${invited.id}`]: "admin",
    };
    const lines = (trail as Entry[]).map((entry) => {
      const actor = [entry.actor_kind, entry.admin_id, entry.client_id]
        .filter((part) => part !== null)
        .join(" ");
      return `${who[actor] ?? actor}: ${entry.operation}, ${entry.action} ${entry.target_type}`;
    });
    expect(lines).toEqual([
      "platform: createCompany, create company",
      "platform: createCompany, create company_settings",
      "platform: createCompany, create admin",
      "platform: createCompany, create password_setup_token",
      ": setPassword, update password_setup_token",
      ": setPassword, update admin",
      ": login, create refresh_token",
      "owner: login, sign_in admin",
      "owner: updateSettings, update company_settings",
      "owner: createAdminType, create admin_type",
      "owner: createAdminType, create admin_type_role",
      "owner: createAdminType, create admin_type_role",
      "owner: createAdmin, create admin",
      "owner: createAdmin, create password_setup_token",
      ": setPassword, update password_setup_token",
      ": setPassword, update admin",
      ": login, create refresh_token",
      "admin: login, sign_in admin",
      "admin: createGood, create good",
      "owner: createBranchGroup, create branch_group",
      "owner: createBranch, create branch",
      "owner: createGeofence, create geofence",
      "owner: createClient, create client",
      "owner: issueClientToken, create refresh_token",
      `client ${clientId}: createClientAddress, create client_address`,
      `client ${clientId}: createClientAddress, create client_address`,
      "admin: uploadAdminAvatar, update admin",
    ]);
    expect(JSON.stringify(trail)).not.toMatch(/token of the messenger|correct horse|staple|Beach/u);
  });
});
