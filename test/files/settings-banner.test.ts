import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { jpeg, png } from "./pictures.js";
import { fileStates, localStore, removeFiles, sendForm, type TestStore } from "./uploads.js";

describe("the default banner of a company", () => {
  let store: TestStore;
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;

  beforeAll(async () => {
    store = await localStore();
    gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    path = `/companies/${company.id}/settings`;
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  const banner = async () => ({ bytes: await jpeg({ width: 64 }), name: "b.jpg", type: "image/jpeg" });

  it.each(["PATCH", "POST"] as const)("comes with other settings in one form: %s", async (method) => {
    const parts = {
      default_promoted_banner: await banner(),
      slogan: "Fresh",
      pay_in_store: "1",
      max_nearby_branches_count: "7",
      "acme_settings[]": "key",
      "taxes[0][name]": "VAT",
      "taxes[0][price_min_e2]": "100",
    };

    const { status, body } = await sendForm(gateway, company.owner, path, parts, { method });

    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      slogan: "Fresh",
      pay_in_store: true,
      max_nearby_branches_count: 7,
      acme_settings: ["********"],
      taxes: [{ name: "VAT", price_min_e2: 100 }],
    });
    const file = await gateway.app.inject({ url: body.default_promoted_banner as string });
    expect([file.statusCode, file.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    const shown = await company.owner.rest("GET", path);
    expect(shown.body.default_promoted_banner).toBe(body.default_promoted_banner);
  });

  it("is replaced, stays when other settings change, and is removed by null", async () => {
    const first = await sendForm(
      gateway,
      company.owner,
      path,
      { default_promoted_banner: await banner() },
      { method: "PATCH" },
    );
    const second = await sendForm(
      gateway,
      company.owner,
      path,
      { default_promoted_banner: await banner() },
      { method: "PATCH" },
    );
    const other = await company.owner.rest("PATCH", path, { body: { slogan: "Fresh" } });
    const removed = await company.owner.rest("PATCH", path, { body: { default_promoted_banner: null } });
    const states = await fileStates(gateway, company.id);
    await removeFiles(gateway, company.id);

    expect(second.body.default_promoted_banner).not.toBe(first.body.default_promoted_banner);
    expect(other.body.default_promoted_banner).toBe(second.body.default_promoted_banner);
    expect(removed.body.default_promoted_banner).toBeNull();
    expect(states).toEqual(["unused", "unused"]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  it("leaves nothing of a form in which another setting is wrong", async () => {
    const parts = { default_promoted_banner: await banner(), slogan: "x".repeat(81) };
    const wrong = await sendForm(gateway, company.owner, path, parts, { method: "PATCH" });
    const bitmap = {
      bytes: await png({ width: 8 }).then((bytes) => bytes.subarray(0, 20)),
      name: "b.png",
      type: "image/png",
    };
    const broken = await sendForm(
      gateway,
      company.owner,
      path,
      { default_promoted_banner: bitmap },
      { method: "PATCH" },
    );
    const text = await company.owner.rest("PATCH", path, { body: { default_promoted_banner: "x.png" } });
    const shown = await company.owner.rest("GET", path);

    expect([wrong.status, wrong.body.errors]).toEqual([422, [expect.objectContaining({ field: "slogan" })]]);
    expect(broken.body.errors).toEqual([
      expect.objectContaining({ field: "default_promoted_banner", rule: "image" }),
    ]);
    expect(text.body.errors).toEqual([
      { field: "default_promoted_banner", rule: "type", message: "must be a file" },
    ]);
    expect([shown.body.slogan, shown.body.default_promoted_banner]).toEqual([null, null]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });
});
