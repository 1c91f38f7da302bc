import sharp from "sharp";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { bitmap, bmp, jpeg, png } from "./pictures.js";
import {
  avatarParts,
  avatarPath,
  fileStates,
  localStore,
  removeFiles,
  s3Store,
  sendForm,
  sendGraphqlForm,
  type TestStore,
} from "./uploads.js";

describe.each([
  ["a directory", localStore],
  ["an S3-compatible store", s3Store],
])("an avatar in %s", (_, openStore) => {
  let store: TestStore;
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;

  beforeAll(async () => {
    store = await openStore();
    gateway = await startGateway({ own: "database", environment: { STORAGE_URL: store.url } });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    path = avatarPath(company.id, company.ownerId);
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
  });

  const read = (url: string, headers: Record<string, string> = {}, method: "GET" | "HEAD" = "GET") =>
    gateway.app.inject({ method, url, headers });

  it("is answered with its URL over REST, and can be read by everybody", async () => {
    const { status, body } = await sendForm(gateway, company.owner, path, {
      avatar: { bytes: await jpeg({ width: 640 }), name: "../../x.html", type: "text/html" },
    });

    expect(status).toBe(200);
    expect(body.avatar_url).toMatch(/^\/files\/[0-9a-f]{32}\.jpg$/u);
    const file = await read(body.avatar_url as string);
    expect(file.statusCode).toBe(200);
    expect(file.headers).toMatchObject({
      "content-type": "image/jpeg",
      "content-length": String(file.rawPayload.length),
      "cache-control": "public, max-age=31536000, immutable",
      "content-disposition": expect.stringMatching(/^inline; filename="[0-9a-f]{32}\.jpg"$/u) as string,
    });
    expect(await sharp(file.rawPayload).metadata()).toMatchObject({
      format: "jpeg",
      width: 640,
      height: 640,
    });
    const head = await read(body.avatar_url as string, {}, "HEAD");
    expect([head.statusCode, head.headers["content-length"], head.payload]).toEqual([
      200,
      String(file.rawPayload.length),
      "",
    ]);
    const again = await read(body.avatar_url as string, { "if-none-match": file.headers.etag as string });
    expect(again.statusCode).toBe(304);
  });

  it("comes in two sizes, over GraphQL too", async () => {
    const { body } = await sendGraphqlForm(
      gateway,
      company.owner,
      avatarParts(company.id, company.ownerId, { bytes: await png({ width: 3000 }) }),
    );

    const { avatarUrl, avatarSmallUrl } = dataOf(body)["uploadAdminAvatar"] as Record<string, string>;
    const sizes = await Promise.all(
      [avatarUrl, avatarSmallUrl].map(async (url) =>
        sharp((await read(url as string)).rawPayload).metadata(),
      ),
    );
    expect(sizes.map(({ format, width, height }) => [format, width, height])).toEqual([
      ["png", 2560, 2560],
      ["png", 320, 320],
    ]);
  });

  it("may be a BMP, which is kept as PNG", async () => {
    const { status, body } = await sendForm(gateway, company.owner, path, {
      avatar: { bytes: await bmp({ width: 50 }, "#ff8000") },
    });

    expect(status).toBe(200);
    const { rawPayload } = await read(body.avatar_url as string);
    const { data, info } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.channels, ...data.subarray(0, 3)]).toEqual([50, 3, 255, 128, 0]);
  });

  it("has the colours of a BMP's palette, over both faces", async () => {
    const bytes = bitmap({
      width: 2,
      height: 2,
      bits: 8,
      palette: [0x0a0a0a, 0xc81e1e],
      pixels: [1, 0, 0, 0, 0, 1, 0, 0],
    });
    const rest = await sendForm(gateway, company.owner, path, { avatar: { bytes } });
    const { body } = await sendGraphqlForm(
      gateway,
      company.owner,
      avatarParts(company.id, company.ownerId, { bytes }),
    );

    const { avatarUrl } = dataOf(body)["uploadAdminAvatar"] as { avatarUrl: string };
    for (const url of [rest.body.avatar_url as string, avatarUrl]) {
      const { rawPayload } = await read(url);
      const red = [200, 30, 30];
      const dark = [10, 10, 10];
      expect([...(await sharp(rawPayload).raw().toBuffer())]).toEqual([dark, red, red, dark].flat());
    }
  });

  it("replaces the one before, which a job removes", async () => {
    const first = await sendForm(gateway, company.owner, path, {
      avatar: { bytes: await png({ width: 10 }) },
    });
    const second = await sendForm(gateway, company.owner, path, {
      avatar: { bytes: await png({ width: 20 }) },
    });

    expect(await fileStates(gateway, company.id)).toEqual(["unused", "used"]);
    expect((await read(first.body.avatar_url as string)).statusCode).toBe(200);
    await removeFiles(gateway, company.id);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
    expect((await read(first.body.avatar_url as string)).statusCode).toBe(404);
    expect((await read(second.body.avatar_url as string)).statusCode).toBe(200);
    const base = (first.body.avatar_url as string).replace("/files/", "").replace(".png", "");
    expect((await store.names()).filter((name) => name.includes(base))).toEqual([]);
  });

  it("goes with its admin", async () => {
    const admin = await gateway.db.admin.create({
      data: { companyId: company.id, name: "Leaving", email: "leaving@example.com", phone: "+15550000009" },
    });
    const own = avatarPath(company.id, admin.id);
    await sendForm(gateway, company.owner, own, { avatar: { bytes: await png({ width: 10 }) } });

    const gone = await company.owner.run(
      `mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { avatarUrl } }`,
      { companyId: company.id, id: admin.id },
    );
    await removeFiles(gateway, company.id);

    expect(dataOf(gone)).toEqual({ deleteAdmin: { avatarUrl: null } });
    expect(await fileStates(gateway, company.id)).toEqual([]);
  });

  it("keeps its URL's beginning apart: another public address changes all of them", async () => {
    await sendForm(gateway, company.owner, path, { avatar: { bytes: await png({ width: 10 }) } });
    const moved = await startGateway({
      on: gateway,
      environment: { STORAGE_URL: store.url, PUBLIC_URL: "https://shop.example/v1/" },
    });
    const admin = await moved
      .withToken(company.owner.token)
      .run(`query ($companyId: Int!, $id: Int!) { admin(companyId: $companyId, id: $id) { avatarUrl } }`, {
        companyId: company.id,
        id: company.ownerId,
      });
    await moved.close();

    expect(dataOf(admin)["admin"].avatarUrl).toMatch(
      /^https:\/\/shop\.example\/v1\/files\/[0-9a-f]{32}\.png$/u,
    );
  });

  it("does the same once with an Idempotency-Key, and refuses it with other bytes", async () => {
    const headers = { "idempotency-key": "avatar-1" };
    const avatar = { bytes: await png({ width: 10 }), name: "a.png" };
    const first = await sendForm(gateway, company.owner, path, { avatar }, { headers });
    const again = await sendForm(
      gateway,
      company.owner,
      path,
      { avatar: { ...avatar, name: "b" } },
      { headers },
    );
    const other = await sendForm(
      gateway,
      company.owner,
      path,
      { avatar: { bytes: await png({ width: 11 }) } },
      { headers },
    );

    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
    expect(again.body).toEqual(first.body);
    expect([other.status, other.body.errors[0].rule]).toEqual([422, "reused"]);
    expect(await fileStates(gateway, company.id)).toEqual(["used"]);
  });

  it("is for the admin itself and for who may edit admins", async () => {
    const self = await adminWith(gateway, company.id);
    const editor = await adminWith(gateway, company.id, "can_edit_admins");
    const { sub } = JSON.parse(
      Buffer.from((self.token as string).split(".")[1] as string, "base64url").toString(),
    ) as { sub: string };
    const own = avatarPath(company.id, Number(sub.replace("admin:", "")));
    const avatar = { bytes: await png({ width: 10 }) };

    expect((await sendForm(gateway, self, own, { avatar })).status).toBe(200);
    expect((await sendForm(gateway, editor, own, { avatar })).status).toBe(200);
    const refused = await sendForm(gateway, self, path, { avatar });
    expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
    expect(await fileStates(gateway, company.id)).toEqual(["unused", "used"]);
  });
});
