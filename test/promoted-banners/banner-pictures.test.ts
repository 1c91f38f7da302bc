import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { bmp, jpeg, png } from "../files/pictures.js";
import {
  fileStates,
  localStore,
  removeFiles,
  sendForm,
  sendGraphqlForm,
  type TestStore,
} from "../files/uploads.js";
import { bannersPath, createBanner } from "./banners.js";

describe.each([
  ["upload-banner", "uploadBanner", "banner_url", "bannerUrl"],
  ["upload-vertical-banner", "uploadVerticalBanner", "vertical_banner_url", "verticalBannerUrl"],
])("%s", (action, mutation, key, field) => {
  let store: TestStore;
  let gateway: Gateway;
  let company: TestCompany;
  let id: number;
  let path: string;

  beforeAll(async () => {
    store = await localStore();
    gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    ({ id } = await createBanner(gateway, company.id));
    path = `${bannersPath(company.id)}/${id}`;
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  const upload = (bytes: Buffer, client = company.owner) =>
    sendForm(gateway, client, `${path}/${action}`, { image: { bytes } });
  const keys = async () => {
    const row = await gateway.db.promotedBanner.findFirst({ where: { companyId: company.id, id } });
    return [row?.bannerKey, row?.verticalBannerKey].filter((stored) => stored !== null);
  };

  it("gives the banner its picture, which everybody can read", async () => {
    const { status, body } = await upload(await jpeg({ width: 868 }));

    expect([status, body.id]).toEqual([200, id]);
    expect([body.banner_url, body.vertical_banner_url].filter((url) => url === null)).toHaveLength(1);
    const file = await gateway.app.inject({ url: body[key] as string });
    expect([file.statusCode, file.headers["content-type"]]).toEqual([200, "image/jpeg"]);
    expect((await gateway.anonymous.rest("GET", path)).body[key]).toBe(body[key]);
  });

  it("does so over GraphQL", async () => {
    const query = `mutation ($companyId: Int!, $id: Int!, $input: UploadBannerInput!) {
      ${mutation}(companyId: $companyId, promotedBannerId: $id, input: $input) { ${field} }
    }`;
    const variables = { companyId: company.id, id, input: { image: null } };

    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({ query, variables }),
      map: JSON.stringify({ file: ["variables.input.image"] }),
      file: { bytes: await bmp({ width: 868, height: 900 }) },
    });

    expect(dataOf(body)[mutation][field]).toMatch(/^\/files\/[0-9a-f]{32}\.png$/u);
  });

  it("refuses what is too small or no picture, and keeps the one before", async () => {
    await upload(await png({ width: 900 }));
    const before = await keys();

    const refused = [
      await upload(await png({ width: 867, height: 2000 })),
      await upload(await png({ width: 2000, height: 867 })),
      await upload(Buffer.from("GIF89a")),
      await upload(Buffer.alloc(8192 * 1024 + 1)),
    ];

    expect(refused.map(({ status, body }) => [status, body.errors[0].rule])).toEqual([
      [422, "dimensions"],
      [422, "dimensions"],
      [422, "image"],
      [413, "max_size"],
    ]);
    expect(await keys()).toEqual(before);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
  });

  it("is for who may edit banners", async () => {
    const reader = await adminWith(gateway, company.id, "access_banners");
    const bytes = await png({ width: 868 });

    const statuses = [(await upload(bytes, reader)).status, (await upload(bytes, gateway.anonymous)).status];

    expect(statuses).toEqual([403, 401]);
    expect([await keys(), await fileStates(gateway, company.id)]).toEqual([[], []]);
  });

  it("replaces the picture, and all go with the banner", async () => {
    await upload(await png({ width: 868 }));
    const { body } = await upload(await png({ width: 870 }));
    expect(await fileStates(gateway, company.id)).toEqual(["unused", "used"]);

    const deleted = await company.owner.rest("DELETE", path);
    await removeFiles(gateway, company.id);

    expect(deleted.status).toBe(204);
    expect(await fileStates(gateway, company.id)).toEqual([]);
    expect((await gateway.app.inject({ url: body[key] as string })).statusCode).toBe(404);
    expect((await gateway.anonymous.rest("GET", path)).status).toBe(404);
  });
});
