import sharp from "sharp";
import { bmp, jpeg, png, promising } from "../files/pictures.js";
import {
  fileStates,
  localStore,
  removeFiles,
  sendForm,
  sendGraphqlForm,
  type TestStore,
} from "../files/uploads.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { createGood, goodPath, KINDS, storedPictures } from "./good-pictures.js";

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
  ({ id } = await createGood(gateway, company.id));
  path = goodPath(company.id, id);
});
afterAll(async () => {
  await gateway.close();
  await store.close();
});

const read = (url: string) => gateway.app.inject({ url: url.replace(/^https?:\/\/[^/]+/u, "") });
const small = { width: 2160, height: 1304 };

describe.each(KINDS)(
  "a $kind",
  ({ action, removal, mutation, removing, input, column, key, field, least }) => {
    const upload = (bytes: Buffer, client = company.owner, headers: Record<string, string> = {}) =>
      sendForm(gateway, client, `${path}/${action}`, { image: { bytes } }, { headers });
    const remove = (url: string, headers: Record<string, string> = {}) =>
      company.owner.rest("POST", `${path}/${removal}`, { body: { picture_url: url }, headers });

    it("comes behind the others, and everybody can read it", async () => {
      const first = await upload(await jpeg(least));
      const second = await upload(await png(least, "#993366"));

      expect([first.status, second.status]).toEqual([200, 200]);
      const urls = second.body[key] as string[];
      expect(urls).toEqual([...(first.body[key] as string[]), expect.stringMatching(/^\/files\/\w+\.png$/u)]);
      expect((await gateway.anonymous.rest("GET", path)).body[key]).toEqual(urls);
      const file = await read(urls[0] as string);
      expect([file.statusCode, file.headers["content-type"]]).toEqual([200, "image/jpeg"]);
      expect(await fileStates(gateway, company.id)).toEqual(["used", "used"]);
    });

    it("does so over GraphQL, in three sizes", async () => {
      const query = `mutation ($companyId: Int!, $id: Int!, $input: ${input}!) {
      ${mutation}(companyId: $companyId, goodId: $id, input: $input) {
        urls: ${field} medium: ${field.replace("Urls", "MediumUrls")} small: ${field.replace("Urls", "SmallUrls")}
      }
    }`;

      const { body } = await sendGraphqlForm(gateway, company.owner, {
        operations: JSON.stringify({
          query,
          variables: { companyId: company.id, id, input: { image: null } },
        }),
        map: JSON.stringify({ file: ["variables.input.image"] }),
        file: { bytes: await png(least) },
      });

      const { urls, medium, small: smallUrls } = dataOf(body)[mutation] as Record<string, string[]>;
      const longer = Math.max(least.width, least.height);
      const sideOf = async (url: string): Promise<number> => {
        const { width, height } = await sharp((await read(url)).rawPayload).metadata();
        return Math.max(width, height);
      };
      // The job has not made the medium one: the large one stands in for it, and nobody keeps it.
      const standIn = await read(medium?.[0] as string);
      expect([standIn.statusCode, standIn.headers["cache-control"], standIn.headers["etag"]]).toEqual([
        200,
        "no-store",
        undefined,
      ]);
      expect(await sideOf(medium?.[0] as string)).toBe(longer);
      await gateway.runJobs();
      expect(await sideOf(urls?.[0] as string)).toBe(longer);
      expect(await sideOf(medium?.[0] as string)).toBe(1024);
      expect(await sideOf(smallUrls?.[0] as string)).toBe(320);
      expect((await read(medium?.[0] as string)).headers["cache-control"]).toMatch(/immutable/u);
    });

    it("is refused when it is too small, too large or no picture, and nothing changes", async () => {
      await upload(await png(least));
      const before = await storedPictures(gateway, company.id, id);
      const truncated = (await jpeg(least, "#123456")).subarray(0, 4_000);

      const refused = [
        await upload(await png({ ...least, width: least.width - 1 })),
        await upload(await png({ ...least, height: least.height - 1 })),
        await upload(await promising({ width: 30_000 })),
        await upload(truncated),
        await upload(await bmp({ width: 100 })),
        await upload(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000"/>`)),
        await upload(Buffer.alloc(8192 * 1024 + 1)),
      ];

      expect(refused.map(({ status, body }) => [status, body.errors[0].field, body.errors[0].rule])).toEqual([
        [422, "image", "dimensions"],
        [422, "image", "dimensions"],
        [422, "image", "dimensions"],
        [422, "image", "image"],
        [422, "image", "image"],
        [422, "image", "image"],
        [413, "image", "max_size"],
      ]);
      expect(await storedPictures(gateway, company.id, id)).toEqual(before);
      expect(await fileStates(gateway, company.id)).toEqual(["used"]);
    });

    it("is for who may edit goods; 404 comes before the file is judged", async () => {
      const bytes = Buffer.from("no picture");
      const reader = await adminWith(gateway, company.id, "access_goods");
      const unknown = `${goodPath(company.id, 2_000_000_000)}/${action}`;

      const statuses = [
        (await upload(bytes, gateway.anonymous)).status,
        (await upload(bytes, reader)).status,
        (await sendForm(gateway, company.owner, unknown, { image: { bytes } })).status,
      ];

      expect(statuses).toEqual([401, 403, 404]);
      expect(await fileStates(gateway, company.id)).toEqual([]);
    });

    it.each(["large", "medium", "small", "behind another address"])(
      "is removed by its URL, %s",
      async (how) => {
        const kept = (await upload(await png(least))).body[key][0] as string;
        const url = (await upload(await png(least, "#000000"))).body[key][1] as string;
        const named = {
          large: url,
          medium: url.replace(".png", "-medium.png"),
          small: url.replace(".png", "-small.png"),
          "behind another address": `https://cdn.example/shop${url}`,
        }[how] as string;

        const { status, body } = await remove(named);

        expect([status, body[key]]).toEqual([200, [kept]]);
        await removeFiles(gateway, company.id);
        expect((await read(url)).statusCode).toBe(404);
        expect((await read(kept)).statusCode).toBe(200);
        const random = /\w{32}/u.exec(url)?.[0] as string;
        expect((await store.names()).filter((name) => name.includes(random))).toEqual([]);
      },
    );

    it("over GraphQL is removed once; another good's URL, or none, is refused", async () => {
      const url = (await upload(await png(least))).body[key][0] as string;
      const other = await createGood(gateway, company.id);
      const query = `mutation ($companyId: Int!, $id: Int!, $input: RemoveGoodPictureInput!) {
      ${removing}(companyId: $companyId, goodId: $id, input: $input) { ${field} }
    }`;
      const of = (goodId: number, pictureUrl: string) =>
        company.owner.run(query, { companyId: company.id, id: goodId, input: { pictureUrl } });

      const refusals = [
        await of(other.id, url),
        await of(id, "https://example.com/else.png"),
        await of(id, "no URL"),
      ];
      const done = await of(id, url);
      const again = await of(id, url);

      expect(
        [...refusals, again].map(
          ({ errors }) => (errors?.[0]?.extensions["errors"] as { rule: string }[])[0]?.rule,
        ),
      ).toEqual(["exists", "exists", "url", "exists"]);
      expect(dataOf(done)[removing][field]).toEqual([]);
    });

    it("is the last of 20", async () => {
      await gateway.db.good.updateMany({
        where: { companyId: company.id, id },
        data: { [column]: Array.from({ length: 19 }, (_, n) => `https://elsewhere.example/${n}.jpg`) },
      });
      const bytes = await png(least);

      const together = await Promise.all([upload(bytes), upload(bytes)]);
      const late = await upload(bytes);

      expect(together.map(({ status }) => status).sort()).toEqual([200, 422]);
      expect([late.status, late.body.errors[0]]).toMatchObject([422, { field: "image", rule: "max_items" }]);
      expect((await storedPictures(gateway, company.id, id))[column]).toHaveLength(20);
      await removeFiles(gateway, company.id);
      expect(await fileStates(gateway, company.id)).toEqual(["used"]);
    });

    it("comes once with an Idempotency-Key, and not with an If-Match that is not true any more", async () => {
      const headers = { "idempotency-key": `${action}-1` };
      const bytes = await png(least);
      const etag = (await company.owner.rest("GET", path)).headers["etag"] as string;

      const first = await upload(bytes, company.owner, { ...headers, "if-match": etag });
      const again = await upload(bytes, company.owner, { ...headers, "if-match": etag });
      const other = await upload(await png(least, "#ffffff"), company.owner, headers);
      const stale = await upload(bytes, company.owner, { "if-match": etag });

      expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
      expect(again.body).toEqual(first.body);
      expect([other.status, other.body.errors[0].rule, stale.status]).toEqual([422, "reused", 412]);
      expect((await storedPictures(gateway, company.id, id))[column]).toHaveLength(1);
    });

    it("leaves an entry in the audit trail", async () => {
      const url = (await upload(await png(least))).body[key][0] as string;
      await remove(url);

      const entries = await gateway.db.auditEntry.findMany({
        where: { companyId: company.id, targetType: "good" },
        orderBy: { id: "asc" },
      });

      expect(entries.map(({ operation, action: done }) => [operation, done])).toEqual([
        [mutation, "update"],
        [removing, "update"],
      ]);
    });
  },
);

describe("what is stored of a picture", () => {
  const stored = async (bytes: Buffer): Promise<Buffer> => {
    const { status, body } = await sendForm(gateway, company.owner, `${path}/upload-picture`, {
      image: { bytes },
    });
    expect([status, body.errors]).toEqual([200, undefined]);
    return (await read(body.picture_urls.at(-1) as string)).rawPayload;
  };

  it("has nothing of what stood before or behind it", async () => {
    const hidden = "<script>alert(1)</script>PK\u0003\u0004";
    const exif = { IFD0: { Copyright: hidden }, IFD3: { GPSLatitude: "52/1 30/1 0/1" } };
    const tail = Buffer.from(hidden);
    const picture = await sharp(await jpeg(small))
      .withExif(exif)
      .toBuffer();

    for (const bytes of [Buffer.concat([picture, tail]), Buffer.concat([await png(small), tail])]) {
      expect(bytes.includes("<script>")).toBe(true);
      const left = await stored(bytes);
      expect(left.includes("script")).toBe(false);
      expect(left.includes("PK\u0003\u0004")).toBe(false);
      expect((await sharp(left).metadata()).exif).toBeUndefined();
    }
  });

  it("stands as its camera was held, and its size is judged like that", async () => {
    const turned = await sharp(await jpeg({ width: 1304, height: 2160 }))
      .withMetadata({ orientation: 6 })
      .toBuffer();

    const { width, height, orientation } = await sharp(await stored(turned)).metadata();

    expect([width, height, orientation]).toEqual([2160, 1304, undefined]);
  });

  it.each([
    [
      "CMYK",
      async () =>
        sharp(await jpeg(small))
          .toColourspace("cmyk")
          .jpeg()
          .toBuffer(),
    ],
    [
      "16 bits",
      async () =>
        sharp(await png(small))
          .toColourspace("rgb16")
          .png()
          .toBuffer(),
    ],
    [
      "grey",
      async () =>
        sharp(await png(small))
          .toColourspace("b-w")
          .png()
          .toBuffer(),
    ],
  ])("is of 8 bits and sRGB, whatever came: %s", async (_, make) => {
    const { space, depth } = await sharp(await stored(await make())).metadata();

    expect([["srgb", "b-w"].includes(space), depth]).toEqual([true, "uchar"]);
  });

  it("is one frame of an animated PNG", async () => {
    const still = await png(small);
    // The chunk that makes it an animation stands behind the header, with a checksum that nobody looks at there.
    const chunk = Buffer.concat([Buffer.from("00000008", "hex"), Buffer.from("acTL"), Buffer.alloc(8, 1)]);
    const animated = Buffer.concat([
      still.subarray(0, 33),
      chunk,
      Buffer.from(checksum(chunk.subarray(4))),
      still.subarray(33),
    ]);

    const left = await stored(animated);

    expect(animated.includes("acTL")).toBe(true);
    expect(left.includes("acTL")).toBe(false);
    expect((await sharp(left).metadata()).pages ?? 1).toBe(1);
  });
});

function checksum(bytes: Buffer): number[] {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const value = Buffer.alloc(4);
  value.writeUInt32BE((crc ^ 0xffffffff) >>> 0);
  return [...value];
}
