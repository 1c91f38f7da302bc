import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { png } from "../files/pictures.js";
import { avatarPath, localStore, sendForm, type TestStore } from "../files/uploads.js";

describe("quotas of a company", () => {
  let store: TestStore;
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    store = await localStore();
    gateway = await startGateway({
      own: "service",
      environment: { STORAGE_URL: store.url, QUOTAS: "admins=3,clients=4,storage=2000,trail=20kB" },
    });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  const post = (path: string, body: object) =>
    company.owner.rest("POST", `/companies/${company.id}${path}`, { body });
  const newAdmin = () =>
    post("/admins", { name: "Ann", email: `${unique()}@quota.example.com`, phone: "+15550000004" });
  const usage = async () => {
    const { status, body } = await company.owner.rest("GET", `/companies/${company.id}/usage`);
    expect(status).toBe(200);
    return new Map((body as { name: string }[]).map((one) => [one.name, one]));
  };

  it("lets as many admins be created as there is room for, however many are asked for at once", async () => {
    const before = await gateway.db.admin.count({ where: { companyId: company.id, deletedAt: null } });

    const answers = await Promise.all(Array.from({ length: 8 }, newAdmin));

    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status === 422);
    expect([created.length, refused.length]).toEqual([3 - before, 8 - (3 - before)]);
    for (const { body } of refused) expect(wrongFields(body.errors)).toEqual(["admins:quota"]);
    expect(await gateway.db.admin.count({ where: { companyId: company.id } })).toBe(3);
    expect((await usage()).get("admins")).toEqual({ name: "admins", used: 3, limit: 3 });
  });

  it("counts clients that are created and restored, and not those that are deleted", async () => {
    const run = (name: string, argument: string, values: object) =>
      company.owner.run(`mutation ($companyId: Int!, ${argument}) { ${name} { id } }`, {
        companyId: company.id,
        ...values,
      });
    const create = () =>
      run("createClient(companyId: $companyId, input: $input)", "$input: CreateClientInput!", {
        input: { name: "Client" },
      });
    const created = (await Promise.all(Array.from({ length: 9 }, create))).filter(
      (result) => result.errors === undefined,
    );
    const id = (created[0]?.data as { createClient: { id: number } }).createClient.id;
    const removed = await run("deleteClient(companyId: $companyId, id: $id)", "$id: Int!", { id });
    const again = await create();
    const restored = await run("restoreClient(companyId: $companyId, id: $id)", "$id: Int!", { id });

    expect([created.length, errorCodes(removed), errorCodes(again)]).toEqual([4, [], []]);
    expect(errorCodes(restored)).toEqual(["VALIDATION_FAILED"]);
    expect(JSON.stringify(restored.errors)).toContain('"field":"clients","rule":"quota"');
    expect(await gateway.db.client.count({ where: { companyId: company.id, deletedAt: null } })).toBe(4);
    expect((await usage()).get("clients")).toEqual({ name: "clients", used: 4, limit: 4 });
  });

  it("refuses a file that has no room, and gives the room of a removed one back", async () => {
    const path = avatarPath(company.id, company.ownerId);
    const upload = async (background: string) =>
      sendForm(gateway, company.owner, path, { avatar: { bytes: await png({ width: 120 }, background) } });

    const answers = [];
    for (let count = 0; count < 8; count += 1) answers.push(await upload(`#33669${count}`));

    const files = await gateway.db.storedFile.findMany({ where: { companyId: company.id } });
    const used = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken.length).toBe(files.length);
    expect(taken.length).toBeLessThan(8);
    for (const { status, body } of answers.slice(taken.length))
      expect([status, wrongFields(body.errors)]).toEqual([422, ["storage:quota"]]);
    expect((await usage()).get("storage")).toEqual({ name: "storage", used, limit: 2000 });
    const [unused] = files.filter(({ state }) => state === "unused");
    await gateway.db.storedFile.deleteMany({ where: { companyId: company.id, key: unused?.key ?? "" } });
    expect((await usage()).get("storage")).toMatchObject({ used: used - (unused?.bytes ?? NaN) });
    expect((await upload("#ffffff")).status).toBe(200);
  });

  it("writes no long entries into a full trail, and all short ones", async () => {
    const change = (size: number) =>
      company.owner.rest("PATCH", `/companies/${company.id}`, {
        body: { custom_json: { text: `${unique()} ${"x".repeat(size)}` } },
      });
    const long = [];
    for (let count = 0; count < 4; count += 1) long.push(await change(9_000));
    const before = await gateway.db.company.findUnique({ where: { id: company.id } });
    const refused = await change(9_000);
    const after = await gateway.db.company.findUnique({ where: { id: company.id } });
    const short = await company.owner.rest("PATCH", `/companies/${company.id}`, { body: { name: "Short" } });

    expect(long.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect([refused.status, refused.body.code]).toEqual([429, "RATE_LIMITED"]);
    expect(wrongFields(refused.body.errors)).toEqual(["trail:quota"]);
    expect(after).toEqual(before);
    expect(short.status).toBe(200);
    const entries = await gateway.db.$queryRaw<{ bytes: bigint }[]>`
      SELECT sum(octet_length(changes::text)) AS bytes FROM audit_entries WHERE company_id = ${company.id}`;
    expect((await usage()).get("trail")).toEqual({
      name: "trail",
      used: Number(entries[0]?.bytes),
      limit: 20_480,
    });
  });

  it("shows usage to who may see the company, and to the platform", async () => {
    const path = `/companies/${company.id}/usage`;
    const answers = [gateway.platform, gateway.anonymous].map((client) => client.rest("GET", path));

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 401]);
  });
});
