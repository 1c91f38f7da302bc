import sharp from "sharp";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { jpeg, png } from "./pictures.js";
import {
  fileStates,
  localStore,
  removeFiles,
  sendForm,
  sendGraphqlForm,
  type FormParts,
  type TestStore,
} from "./uploads.js";

const CHANGE = `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
  updateSettings(companyId: $companyId, input: $input) { slogan }
}`;

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

  it("is stored once under an Idempotency-Key, however often it comes", async () => {
    const parts = { default_promoted_banner: await banner() };
    const settings = { method: "PATCH", headers: { "idempotency-key": "banner-1" } } as const;
    const first = await sendForm(gateway, company.owner, path, parts, settings);

    const again = await sendForm(gateway, company.owner, path, parts, settings);
    const other = await sendForm(gateway, company.owner, path, { ...parts, slogan: "Other" }, settings);

    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
    expect(again.body).toEqual(first.body);
    expect([other.status, other.body.errors[0].rule]).toEqual([422, "reused"]);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
  });

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

  it.each(["slogan", "slogan[]", "default_promoted_banner[]", "taxes[0][name]", "acme_settings[]"])(
    "is not taken for a file in another place, which is refused and changes nothing: %s",
    async (place) => {
      const before = await company.owner.rest("GET", path);

      const { status, body } = await sendForm(
        gateway,
        company.owner,
        path,
        { [place]: await banner(), pay_in_store: "1" },
        { method: "PATCH" },
      );

      expect([status, body.code, body.errors]).toEqual([
        400,
        "BAD_REQUEST",
        [{ field: place, rule: "type", message: "takes no file" }],
      ]);
      expect((await company.owner.rest("GET", path)).body).toEqual(before.body);
      expect(await fileStates(gateway, company.id)).toEqual([]);
    },
  );

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
      {
        field: "default_promoted_banner",
        rule: "type",
        message: "must be a file, sent as multipart/form-data",
      },
    ]);
    expect([shown.body.slogan, shown.body.default_promoted_banner]).toEqual([null, null]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  const patch = (parts: FormParts) => sendForm(gateway, company.owner, path, parts, { method: "PATCH" });

  it("is judged as a file beside values that do not fit their types", async () => {
    const gif = {
      bytes: await sharp(await png({ width: 4 }))
        .gif()
        .toBuffer(),
    };
    const mistyped = await patch({ default_promoted_banner: await banner(), pay_in_store: "maybe" });
    const missing = await patch({ default_promoted_banner: await banner(), "taxes[0][price_min_e2]": "1" });
    const both = await patch({ default_promoted_banner: gif, pay_in_store: "maybe" });
    const graphql = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({
        query: `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
          updateSettings(companyId: $companyId, input: $input) { slogan }
        }`,
        variables: { companyId: company.id, input: { payInStore: "maybe", defaultPromotedBanner: null } },
      }),
      map: JSON.stringify({ file: ["variables.input.defaultPromotedBanner"] }),
      file: await banner(),
    });

    expect(wrongFields(mistyped.body.errors)).toEqual(["pay_in_store:type"]);
    expect(wrongFields(missing.body.errors)).toEqual(["taxes[0].name:required"]);
    expect(wrongFields(both.body.errors).sort()).toEqual([
      "default_promoted_banner:image",
      "pay_in_store:type",
    ]);
    expect(wrongFields(graphql.body.errors?.[0]?.extensions["errors"])).toEqual(["payInStore:type"]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  it("is not stored for a document of which another field has a value of the wrong type", async () => {
    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({
        query: `mutation ($companyId: Int!, $input: UpdateSettingsInput!, $other: UpdateSettingsInput!) {
          a: updateSettings(companyId: $companyId, input: $input) { slogan }
          b: updateSettings(companyId: $companyId, input: $other) { slogan }
        }`,
        variables: {
          companyId: company.id,
          input: { defaultPromotedBanner: null },
          other: { payInStore: "maybe" },
        },
      }),
      map: JSON.stringify({ file: ["variables.input.defaultPromotedBanner"] }),
      file: await banner(),
    });

    expect(wrongFields(body.errors?.[0]?.extensions["errors"])).toEqual(["payInStore:type"]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  it("is removed by an empty text, as every value that is no text is cleared", async () => {
    await patch({
      default_promoted_banner: await banner(),
      "acme_settings[]": "key",
      sms_cooldown_in_seconds: "20",
    });
    const { status, body } = await patch({
      default_promoted_banner: "",
      acme_settings: "",
      other_settings: '["a", {"b": 1}]',
      sms_cooldown_in_seconds: "",
    });

    expect([status, body.errors]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      default_promoted_banner: null,
      other_settings: ["********"],
      sms_cooldown_in_seconds: null,
    });
    expect(body.acme_settings ?? null).toBeNull();
    expect(await fileStates(gateway, company.id)).toEqual(["unused"]);
  });

  it("stays when the settings are sent back as they are answered, on both faces", async () => {
    await patch({ default_promoted_banner: await banner(), slogan: "Fresh" });
    const { body: before } = await company.owner.rest("GET", path);
    const url = before.default_promoted_banner as string;
    const version = async () =>
      (await gateway.db.company.findFirstOrThrow({ where: { id: company.id } })).version;
    const versionBefore = await version();

    const json = await company.owner.rest("PATCH", path, { body: before });
    const form = await patch({ default_promoted_banner: url });
    const graphql = await company.owner.run(CHANGE, {
      companyId: company.id,
      input: { defaultPromotedBanner: `https://shop.example${url}` },
    });

    expect([json.status, json.body]).toEqual([200, before]);
    expect([form.status, form.body]).toEqual([200, before]);
    expect(graphql.errors).toBeUndefined();
    expect(await version()).toBe(versionBefore);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
  });

  it("cannot be sent as another text, such as the URL of another picture", async () => {
    const { body } = await patch({ default_promoted_banner: await banner() });
    const url = body.default_promoted_banner as string;
    const message = "must be a file, sent as multipart/form-data";

    for (const text of ["banner.png", "https://x.example/a.png", `/files/${"0".repeat(32)}.jpg`]) {
      const json = await company.owner.rest("PATCH", path, { body: { default_promoted_banner: text } });
      const form = await patch({ default_promoted_banner: text });
      const graphql = await company.owner.run(CHANGE, {
        companyId: company.id,
        input: { defaultPromotedBanner: text },
      });

      const told = [{ field: "default_promoted_banner", rule: "type", message }];
      expect([json.status, json.body.errors]).toEqual([422, told]);
      expect([form.status, form.body.errors]).toEqual([422, told]);
      expect(graphql.errors?.[0]?.extensions["errors"]).toEqual([
        { field: "defaultPromotedBanner", rule: "type", message },
      ]);
    }
    expect((await company.owner.rest("GET", path)).body.default_promoted_banner).toBe(url);
  });

  it("has no other part beside it, and is no other setting", async () => {
    const text = await patch({
      slogan: "Fresh",
      "default_promoted_banner[x]": "1",
      default_promoted_banner: await banner(),
    });
    const misplaced = await patch({ slogan: await banner(), "taxes[0][name]": "VAT" });
    const shown = await company.owner.rest("GET", path);

    expect([text.status, wrongFields(text.body.errors)]).toEqual([400, ["default_promoted_banner:unique"]]);
    expect([misplaced.status, wrongFields(misplaced.body.errors)]).toEqual([400, ["slogan:type"]]);
    expect([shown.body.slogan, shown.body.default_promoted_banner]).toEqual([null, null]);
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });
});
