import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import {
  type Client,
  dataOf,
  errorCodes,
  type Gateway,
  startGateway,
  wrongFields,
} from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { createAdminRow, untilDone } from "./people.js";

const MAIN = `query ($companyId: Int!, $clientId: Int!) {
  mainAdminOfClient(companyId: $companyId, clientId: $clientId) { id }
}`;

describe("the admins of a client", () => {
  let gateway: Gateway;
  let second: Gateway;
  let company: TestCompany;
  let companyId: number;
  let clientId: number;
  let client: Client;
  let admins: [number, number, number];
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
    second = await startGateway({ on: gateway, environment: { RATE_LIMIT: "0" } });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
    ({ id: clientId, client } = await signedInClient(gateway, companyId));
    admins = [
      await createAdminRow(gateway, companyId),
      await createAdminRow(gateway, companyId),
      await createAdminRow(gateway, companyId),
    ];
    path = `/companies/${companyId}/clients/${clientId}/admins`;
  });
  afterAll(async () => {
    await second.close();
    await gateway.close();
  });

  const put = (ids: unknown, by = company.owner) => by.rest("PUT", path, { body: ids });
  const setMain = (id: number, by = company.owner) => by.rest("POST", `${path}/${id}/set-main`);
  const listed = async (by = company.owner): Promise<number[]> =>
    (await by.rest("GET", path)).body.map(({ id }: { id: number }) => id);
  const links = () =>
    gateway.db.clientAdmin.findMany({
      where: { companyId, clientId },
      select: { adminId: true, isMain: true },
      orderBy: { adminId: "asc" },
    });

  it("are replaced as a set, again without a change", async () => {
    const [a, b, c] = admins;

    const first = await put([b, a, b]);
    const again = await put([a, b]);
    const next = await put([c, b]);

    expect([first.status, again.status, next.status]).toEqual([200, 200, 200]);
    expect(first.body.map(({ id }: { id: number }) => id)).toEqual([a, b]);
    expect(again.body).toEqual(first.body);
    expect(await listed()).toEqual([b, c]);
    expect((await put([])).body).toEqual([]);
    expect(await links()).toEqual([]);
  });

  it("keep the version of the client when the main admin is made it again, over both faces", async () => {
    const [a, b] = admins;
    await put([a]);
    await setMain(a);
    const stored = () => gateway.db.client.findFirst({ where: { companyId, id: clientId } });
    const told = () => gateway.db.journalEntry.count({ where: { companyId } });
    const before = [await stored(), await told()];
    const SET_MAIN = `mutation ($companyId: Int!, $clientId: Int!, $adminId: Int!) {
      setMainAdmin(companyId: $companyId, clientId: $clientId, adminId: $adminId) { id } }`;

    const again = await setMain(a);
    const byGraphql = await company.owner.run(SET_MAIN, { companyId, clientId, adminId: a });

    expect([again.status, again.body["id"], dataOf(byGraphql)]).toEqual([
      200,
      a,
      { setMainAdmin: { id: a } },
    ]);
    expect([await stored(), await told()]).toEqual(before);
    await setMain(b);
    expect((await stored())?.version).toBe((before[0] as { version: number }).version + 1);
  });

  it("keep the main admin when it is still among them", async () => {
    const [a, b, c] = admins;
    await put([a, b]);
    await setMain(b);

    await put([a, b, c]);
    const kept = await listed();
    await put([a, c]);
    const without = await links();
    await put([a, b, c]);

    expect(kept).toEqual([b, a, c]);
    expect(without).toEqual([
      { adminId: a, isMain: false },
      { adminId: c, isMain: false },
    ]);
    expect(errorCodes(await company.owner.run(MAIN, { companyId, clientId }))).toEqual(["NOT_FOUND"]);
  });

  it("tell unknown ones by their places, and stay as they are", async () => {
    const [a, b] = admins;
    const other = await createCompany(gateway);
    await put([a]);
    await gateway.db.admin.updateMany({ where: { companyId, id: b }, data: { deletedAt: new Date() } });

    const { status, body } = await put([a, other.ownerId, b, 2_000_000_000]);

    expect([status, wrongFields(body.errors)]).toEqual([422, ["[1]:exists", "[2]:exists", "[3]:exists"]]);
    expect(await links()).toEqual([{ adminId: a, isMain: false }]);
  });

  it("have one main admin, who is linked by becoming it", async () => {
    const [a, b, c] = admins;
    await put([a]);

    const linked = await setMain(c);
    await setMain(b);
    await setMain(b);

    expect([linked.status, linked.body.id]).toEqual([200, c]);
    expect(await listed()).toEqual([b, a, c]);
    expect(dataOf(await company.owner.run(MAIN, { companyId, clientId }))).toEqual({
      mainAdminOfClient: { id: b },
    });
  });

  it("are read by the client itself, which changes none; not by another", async () => {
    const [a, b] = admins;
    await put([a]);
    const stranger = (await signedInClient(gateway, companyId)).client;
    const reader = await adminWith(gateway, companyId, "access_admins");

    const refused = [
      await stranger.rest("GET", path),
      await put([b], client),
      await setMain(b, client),
      await put([b], reader),
      await setMain(b, reader),
    ];

    expect(await listed(client)).toEqual([a]);
    expect(refused.map(({ status, body }) => [status, body.permission])).toEqual([
      [403, "access_admins"],
      ...Array<unknown>(4).fill([403, "can_edit_admins"]),
    ]);
    expect(await links()).toEqual([{ adminId: a, isMain: false }]);
  });

  it("no longer have a deleted one", async () => {
    const [a, b] = admins;
    await put([a, b]);
    await setMain(a);

    await company.owner.run(`mutation ($c: Int!, $id: Int!) { deleteAdmin(companyId: $c, id: $id) { id } }`, {
      c: companyId,
      id: a,
    });

    expect(await listed()).toEqual([b]);
    expect((await setMain(a)).status).toBe(404);
  });

  it("are read by as many statements for 2 as for 20", async () => {
    const count = async (): Promise<number> => {
      gateway.statements.length = 0;
      await company.owner.rest("GET", path);
      return gateway.statements.length;
    };
    const forget = keepRemembered();
    await put(admins.slice(0, 2));
    await listed();
    const two = await count();
    const more = [];
    for (let n = 0; n < 18; n += 1) more.push(await createAdminRow(gateway, companyId));
    await put([...admins.slice(0, 2), ...more]);

    const twenty = await count();
    forget();

    expect(twenty).toBe(two);
  });

  it("have exactly one main admin when 200 become it at once, by two services", async () => {
    const doors = [
      company.owner,
      await second.as({ kind: "admin", id: company.ownerId, companyId }),
    ] as const;

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => untilDone(() => setMain(admins[n % 3] as number, doors[n % 2]))),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await links()).map(({ isMain }) => isMain).sort()).toEqual([false, false, true]);
  });

  it("are one of the sets that were sent when 200 replace them at once", async () => {
    const [a, b, c] = admins;
    await put([a, b, c]);
    await setMain(b);
    const sets = [
      [a, b],
      [b, c],
      [a, b, c],
    ];
    const other = await second.as({ kind: "admin", id: company.ownerId, companyId });

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        untilDone(() => put(sets[n % 3], n % 2 === 0 ? company.owner : other)),
      ),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const left = await links();
    expect(sets).toContainEqual(left.map(({ adminId }) => adminId));
    expect(left.filter(({ isMain }) => isMain)).toEqual([{ adminId: b, isMain: true }]);
  });
});
