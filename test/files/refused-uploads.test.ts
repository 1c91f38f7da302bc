import { mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { bitmap, bmp, jpeg, png, promising } from "./pictures.js";
import {
  avatarParts,
  avatarPath,
  formOf,
  localStore,
  sendForm,
  sendGraphqlForm,
  type FilePart,
  type TestStore,
} from "./uploads.js";

let store: TestStore;
let gateway: Gateway;
let company: TestCompany;
let path: string;
let temporary: string;
let listensAt: string | undefined;

beforeAll(async () => {
  store = await localStore();
  temporary = await mkdtemp(join(tmpdir(), "commerce-uploads-"));
  process.env["TMPDIR"] = temporary;
  gateway = await startGateway({ own: "service", environment: { STORAGE_URL: store.url } });
  company = await createCompany(gateway);
  path = avatarPath(company.id, company.ownerId);
});
afterAll(async () => {
  await gateway.close();
  await store.close();
  await rm(temporary, { recursive: true });
});

/** Nothing of a refused upload is left: no file, no row, no temporary file. */
async function expectNothingLeft(): Promise<void> {
  const { id: companyId } = company;
  expect(await store.names()).toEqual([]);
  expect(await gateway.db.storedFile.count({ where: { companyId } })).toBe(0);
  expect((await gateway.db.admin.findFirst({ where: { companyId } }))?.avatarKey).toBeNull();
  // Temporary files are removed after the answer.
  let left = await temporaryFiles();
  for (let tries = 0; left.length > 0 && tries < 100; tries += 1) {
    await sleep(20);
    left = await temporaryFiles();
  }
  expect(left).toEqual([]);
}

async function temporaryFiles(): Promise<string[]> {
  const names = await readdir(temporary, { recursive: true });
  return names.filter((name) => name.includes("/"));
}

/** How many files of the directory the process has open, those that have no name any more, too. */
async function openTemporaryFiles(): Promise<number> {
  const descriptors = await readdir("/proc/self/fd");
  const files = await Promise.all(
    descriptors.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")),
  );
  return files.filter((file) => file.startsWith(temporary)).length;
}

const avatar = (bytes: Buffer): { avatar: FilePart } => ({ avatar: { bytes } });

describe("a file that is not as its field asks", () => {
  it.each<[string, () => Promise<Buffer>, string]>([
    [
      "a text with the name of a picture",
      () => Promise.resolve(Buffer.from("<script>alert(1)</script>")),
      "image",
    ],
    ["nothing", () => Promise.resolve(Buffer.alloc(0)), "image"],
    [
      "a GIF",
      async () =>
        sharp(await png({ width: 4 }))
          .gif()
          .toBuffer(),
      "image",
    ],
    [
      "an SVG",
      () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')),
      "image",
    ],
    ["the beginning of a PNG", async () => (await png({ width: 40 })).subarray(0, 60), "image"],
    ["the beginning of a JPEG", async () => (await jpeg({ width: 400 })).subarray(0, 900), "image"],
    ["a BMP without pixels", async () => (await bmp({ width: 40 })).subarray(0, 54), "image"],
    [
      "a BMP whose pixels lie beyond its end",
      async () => pixelsAt(await bmp({ width: 40 }), 100_000),
      "image",
    ],
    [
      "a BMP with a colour that its palette has not",
      () => Promise.resolve(bitmap({ width: 1, height: 1, bits: 8, palette: [0xff], pixels: [1, 0, 0, 0] })),
      "image",
    ],
    ["a PNG that is broken inside", async () => broken(await noise(200)), "image"],
    ["a picture that is no square", () => png({ width: 40, height: 41 }), "dimensions"],
    ["a BMP that is no square", () => bmp({ width: 40, height: 41 }), "dimensions"],
    ["a PNG of 900 million pixels", () => promising({ width: 30_000 }), "dimensions"],
  ])("is refused: %s", async (_, make, rule) => {
    const bytes = await make();
    const rest = await sendForm(gateway, company.owner, path, avatar(bytes));
    const graphql = await sendGraphqlForm(
      gateway,
      company.owner,
      avatarParts(company.id, company.ownerId, { bytes }),
    );

    expect([rest.status, rest.body.code, wrongFields(rest.body.errors)]).toEqual([
      422,
      "VALIDATION_FAILED",
      [`avatar:${rule}`],
    ]);
    expect(graphql.body.errors?.[0]?.extensions).toMatchObject({ status: 422, errors: rest.body.errors });
    await expectNothingLeft();
  });

  it("is refused when it is too large, while it arrives", async () => {
    const bytes = Buffer.alloc(2048 * 1024 + 1, "x");
    const rest = await sendForm(gateway, company.owner, path, avatar(bytes));
    const graphql = await sendGraphqlForm(
      gateway,
      company.owner,
      avatarParts(company.id, company.ownerId, { bytes }),
    );

    expect([rest.status, rest.body.code, wrongFields(rest.body.errors)]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      ["avatar:max_size"],
    ]);
    expect(graphql.body.errors?.[0]?.extensions).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      status: 413,
      errors: [{ rule: "max_size" }],
    });
    await expectNothingLeft();
  });

  it("is bound by its field also where a variable of a document is the file itself", async () => {
    const { id: companyId, ownerId } = company;
    // Whoever looked for names at each letter of the comment would not be done in time.
    const upload = `# ${"x".repeat(600_000)}
    mutation ($file: Upload!) {
      uploadAdminAvatar(companyId: ${companyId}, adminId: ${ownerId}, input: { avatar: $file }) { id }
    }`;
    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({ query: upload, variables: { file: null } }),
      map: JSON.stringify({ file: ["variables.file"] }),
      file: { bytes: Buffer.alloc(2048 * 1024 + 1, "x") },
    });

    expect(body.errors?.[0]?.extensions).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      status: 413,
      errors: [{ field: "variables.file", rule: "max_size", message: "must have at most 2048 KiB" }],
    });
    await expectNothingLeft();
  });

  it("has to be a file", async () => {
    const text = await sendForm(gateway, company.owner, path, { avatar: "hello" });
    const none = await sendForm(gateway, company.owner, path, { other: { bytes: await png({ width: 4 }) } });
    const json = await company.owner.rest("POST", path, { body: { avatar: "hello" } });
    const object = await company.owner.rest("POST", path, {
      body: { avatar: { path: "/etc/passwd", bytes: 4 } },
    });
    const empty = await company.owner.rest("POST", path);

    expect(
      [text, none, json, object, empty].map(({ status, body }) => [status, wrongFields(body.errors)]),
    ).toEqual([
      [422, ["avatar:type"]],
      [422, ["avatar:required"]],
      [422, ["avatar:type"]],
      [422, ["avatar:type"]],
      [422, ["avatar:required"]],
    ]);
    await expectNothingLeft();
  });
});

describe("what is stored", () => {
  afterEach(async () => {
    const { id: companyId } = company;
    await gateway.db.admin.updateMany({ where: { companyId }, data: { avatarKey: null } });
    await gateway.db.storedFile.deleteMany({ where: { companyId } });
    await store.empty();
  });

  it("is the picture alone: without what stands behind it, and its metadata", async () => {
    const picture = await sharp(await jpeg({ width: 60 }))
      .withExif({ IFD0: { Copyright: "MARKED-EXIF" } })
      .toBuffer();
    const polyglot = Buffer.concat([
      picture,
      Buffer.from("PK\u0003\u0004<html><script>MARKED-TAIL</script>"),
    ]);

    const { status, body } = await sendForm(gateway, company.owner, path, avatar(polyglot));
    const { rawPayload } = await gateway.app.inject({ url: body.avatar_url as string });

    expect(status).toBe(200);
    expect(picture.includes("MARKED-EXIF")).toBe(true);
    expect(rawPayload.includes("MARKED")).toBe(false);
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined();
  });

  it("is turned as the camera was", async () => {
    const upright = await sharp({ create: { width: 20, height: 20, channels: 3, background: "#0000ff" } })
      .composite([{ input: await png({ width: 20, height: 4 }, "#ff0000"), top: 0, left: 0 }])
      .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const turned = await sharp(upright).withMetadata({ orientation: 6 }).toBuffer();

    const { body } = await sendForm(gateway, company.owner, path, avatar(turned));
    const { rawPayload } = await gateway.app.inject({ url: body.avatar_url as string });
    const { data } = await sharp(rawPayload).raw().toBuffer({ resolveWithObject: true });

    // The red stripe was at the top; turned by 90 degrees it is at the right.
    expect((await sharp(rawPayload).metadata()).orientation).toBeUndefined();
    const pixel = (x: number, y: number) => [...data.subarray((y * 20 + x) * 3, (y * 20 + x) * 3 + 3)];
    expect(pixel(19, 10)[0]).toBeGreaterThan(200);
    expect(pixel(0, 10)[0]).toBeLessThan(50);
  });
});

describe("who may not upload", () => {
  it("is answered before the file is read", async () => {
    const reader = await adminWith(gateway, company.id, "access_admins");
    const stranger = (await createCompany(gateway)).owner;
    const tooLarge = avatar(Buffer.alloc(3_000_000));
    const nobody = avatarPath(company.id, 2147483647);

    const answers = await Promise.all([
      sendForm(gateway, gateway.anonymous, path, tooLarge),
      sendForm(gateway, reader, path, tooLarge),
      sendForm(gateway, stranger, path, tooLarge),
      sendForm(gateway, company.owner, nobody, tooLarge),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 404]);
    await expectNothingLeft();
  });

  it("is answered the same over GraphQL, and no file is kept", async () => {
    const parts = avatarParts(company.id, company.ownerId, { bytes: Buffer.alloc(20_000_000) });
    const headers = { "apollo-require-preflight": "true" };

    const { status, body } = await sendGraphqlForm(gateway, gateway.anonymous, parts, headers);

    expect([status, errorCodes(body)]).toEqual([200, ["UNAUTHENTICATED"]]);
    await expectNothingLeft();
  });
});

describe("a form", () => {
  it("is refused where no file is taken", async () => {
    const { status, body } = await sendForm(gateway, company.owner, `/companies/${company.id}/coupons`, {
      name: "Form",
    });

    expect([status, body.code, body.detail]).toEqual([
      415,
      "UNSUPPORTED_MEDIA_TYPE",
      "Send application/json.",
    ]);
  });

  it("is asked for where a body of another type comes", async () => {
    const picture = await png({ width: 4 });
    const send = (url: string, type: string) =>
      gateway.app.inject({
        method: "POST",
        url: `/api${url}`,
        headers: { authorization: `Bearer ${company.owner.token}`, "content-type": type },
        payload: picture,
      });
    const answers = await Promise.all([
      send(path, "image/png"),
      send(path, "application/x-www-form-urlencoded"),
      send(`/companies/${company.id}/settings`, "image/png"),
      send(`/companies/${company.id}/coupons`, "image/png"),
      send(avatarPath(company.id, 2147483647), "image/png"),
    ]);

    expect(answers.map((answer) => [answer.statusCode, answer.json<{ detail: string }>().detail])).toEqual([
      [415, "Send multipart/form-data."],
      [415, "Send multipart/form-data."],
      [415, "Send application/json or multipart/form-data."],
      [415, "Send application/json."],
      [404, expect.any(String)],
    ]);
    await expectNothingLeft();
  });

  it("has one part for a file", async () => {
    const { payload, headers } = await formOf({
      first: { bytes: await png({ width: 4 }) },
      other: { bytes: await png({ width: 8 }) },
    });
    const twice = payload.toString("latin1").replaceAll(/name="(?:first|other)"/gu, 'name="avatar"');
    const answer = await gateway.app.inject({
      method: "POST",
      url: `/api${path}`,
      headers: { authorization: `Bearer ${company.owner.token}`, ...headers },
      payload: Buffer.from(twice, "latin1"),
    });
    const mixed = twice
      .replace('name="avatar"; filename="picture.png"', 'name="avatar"')
      .replace("Content-Type: image/png\r\n", "");
    const beside = await gateway.app.inject({
      method: "POST",
      url: `/api${path}`,
      headers: { authorization: `Bearer ${company.owner.token}`, ...headers },
      payload: Buffer.from(mixed, "latin1"),
    });

    for (const { statusCode, json } of [answer, beside]) {
      const { code, errors } = json<{ code: string; errors: [] }>();
      expect([statusCode, code, wrongFields(errors)]).toEqual([400, "BAD_REQUEST", ["avatar:unique"]]);
    }
    await expectNothingLeft();
  });

  it("is refused when it is cut short or no form at all", async () => {
    const { payload, headers } = await formOf(avatar(await png({ width: 300 })));
    const send = (body: Buffer, type = headers["content-type"] as string) =>
      gateway.app.inject({
        method: "POST",
        url: `/api${path}`,
        headers: { authorization: `Bearer ${company.owner.token}`, "content-type": type },
        payload: body,
      });

    const answers = await Promise.all([
      send(payload.subarray(0, payload.length - 20)),
      send(payload.subarray(0, 30)),
      send(Buffer.from("hello")),
      send(payload, "multipart/form-data"),
    ]);

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400]);
    await expectNothingLeft();
  });

  it("has few files, and fields of at most a megabyte", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [`file${n}`, { bytes: Buffer.from("x") }]),
    );
    const fields = Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`field${n}`, "x"]));
    const answers = await Promise.all([
      sendForm(gateway, company.owner, path, many),
      sendForm(gateway, company.owner, path, fields),
      sendForm(gateway, company.owner, path, { text: "x".repeat(1_100_000) }),
      sendForm(gateway, company.owner, path, { other: { bytes: Buffer.alloc(9_000_000) } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
    await expectNothingLeft();
  });
});

describe("a multipart request of GraphQL", () => {
  const parts = (): ReturnType<typeof avatarParts> =>
    avatarParts(company.id, company.ownerId, { bytes: Buffer.from("x") });

  it("needs a header that browsers send to no other origin unasked", async () => {
    const { status, body } = await sendGraphqlForm(gateway, gateway.anonymous, parts());

    expect([status, errorCodes(body)]).toEqual([400, ["BAD_REQUEST"]]);
  });

  it.each([
    ["without operations", { operations: "" }],
    ["with a batch", { operations: "[]" }],
    ["with a map that is no object", { map: "3" }],
    ["with places that are no texts", { map: '{"file":[1]}' }],
    ["with a file that is missing", { map: '{"b":["variables.input.avatar"]}' }],
    ["with a place outside of the variables", { map: '{"file":["query"]}' }],
    ["with a place that does not exist", { map: '{"file":["variables.input.avatar.x"]}' }],
    ["with a place that is inherited", { map: '{"file":["variables.__proto__.x"]}' }],
    ["with a place of what is inherited", { map: '{"file":["variables.hasOwnProperty.call"]}' }],
    [
      "with a place inside of a file",
      { map: '{"file":["variables.input.avatar","variables.input.avatar.resolve"]}' },
    ],
    [
      "with a place that two files have",
      { map: '{"file":["variables.input.avatar"],"b":["variables.input.avatar"]}' },
    ],
    ["with a file that has no place", { map: '{"file":[]}' }],
    ["with a map that is no JSON", { map: "{" }],
    ["with a place that is taken", { map: '{"file":["variables.companyId"]}' }],
    [
      "with many places",
      { map: JSON.stringify({ file: Array.from({ length: 21 }, () => "variables.input.avatar") }) },
    ],
  ])("is refused %s", async (_, wrong) => {
    const { status, body } = await sendGraphqlForm(gateway, company.owner, { ...parts(), ...wrong });

    expect([status, errorCodes(body)]).toEqual([400, ["BAD_REQUEST"]]);
    expect(Object.hasOwn(Object.prototype.hasOwnProperty, "call")).toBe(false);
    await expectNothingLeft();
  });

  it("learns which file is missing", async () => {
    const { status, body } = await sendGraphqlForm(gateway, company.owner, {
      ...parts(),
      map: '{"portrait":["variables.input.avatar"]}',
    });

    expect([status, body.errors?.[0]?.message]).toEqual([
      400,
      'The map of the files has no file "portrait".',
    ]);
    await expectNothingLeft();
  });

  it.each<[string, (text: string) => string]>([
    ["cut short inside of the file", (text) => text.slice(0, text.indexOf("IDAT"))],
    ["cut short behind the file", (text) => text.slice(0, -8)],
    ["with a part whose header is broken", (text) => text.replace("Content-Type: image/png", "Content Type")],
    [
      "with a part whose header is broken behind the file",
      (text) => text.replace(/\r\n(--[^\r]+)--\r\n$/u, "\r\n$1\r\n: \0\r\n\r\nx\r\n$1--\r\n"),
    ],
    [
      "with a part that ends within its header behind the file",
      (text) =>
        text.replace(
          /\r\n(--[^\r]+)--\r\n$/u,
          '\r\n$1\r\nContent-Disposition: form-data; name="x"\r\n$1--\r\n',
        ),
    ],
    [
      "with the map first",
      (text) => text.replace('"map"', '"x"').replace('"operations"', '"map"').replace('"x"', '"operations"'),
    ],
    ["with the file twice", (text) => twice(text)],
    [
      "with a large file twice",
      (text) => twice(text.replace(/(\r\n--[^\r]+--\r\n)$/u, (end) => "x".repeat(900_000) + end)),
    ],
    ["without a boundary", () => ""],
    ["with nothing", () => ""],
  ])("is refused %s, and the service stays", async (what, change) => {
    const { payload, headers } = await formOf(
      avatarParts(company.id, company.ownerId, { bytes: await png({ width: 300 }) }),
    );
    const type = what === "without a boundary" ? "multipart/form-data" : headers["content-type"];
    expect(change(payload.toString("latin1"))).not.toBe(payload.toString("latin1"));
    const answer = await gateway.app.inject({
      method: "POST",
      url: "/graphql",
      headers: { authorization: `Bearer ${company.owner.token}`, "content-type": type },
      payload: Buffer.from(change(payload.toString("latin1")), "latin1"),
    });

    expect([answer.statusCode, errorCodes(answer.json())]).toEqual([400, ["BAD_REQUEST"]]);
    expect(answer.body).not.toMatch(/node_modules|HttpError|stack/u);
    await expectNothingLeft();
  });

  it("has few files, and fields of at most a megabyte", async () => {
    const files = Array.from({ length: 21 }, (_, n) => [`file${n}`, { bytes: Buffer.from("x") }] as const);
    const many = { ...parts(), ...Object.fromEntries(files) };
    const long = { ...parts(), operations: JSON.stringify({ query: "x".repeat(1_100_000) }) };
    const mapped = { ...parts(), map: JSON.stringify({ file: ["x".repeat(1_048_400)] }) };
    const answers = await Promise.all(
      [many, long, mapped].map((form) => sendGraphqlForm(gateway, company.owner, form)),
    );

    expect(answers.map(({ status, body }) => [status, ...errorCodes(body)])).toEqual(
      answers.map(() => [413, "PAYLOAD_TOO_LARGE"]),
    );
    await expectNothingLeft();
  });

  it("has a file of no more bytes than any field takes, which is refused while it arrives", async () => {
    const { status, body } = await sendGraphqlForm(
      gateway,
      company.owner,
      avatarParts(company.id, company.ownerId, { bytes: Buffer.alloc(8192 * 1024 + 1, "x") }),
    );

    expect([status, body.errors?.[0]?.extensions["code"]]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(wrongFields(body.errors?.[0]?.extensions["errors"])).toEqual(["variables.input.avatar:max_size"]);
    await expectNothingLeft();
  });

  it.each(["GraphQL", "REST"])("leaves nothing when its caller hangs up: %s", async (face) => {
    const bytes = Buffer.alloc(1_000_000, "x");
    const isGraphql = face === "GraphQL";
    const { payload, headers } = await formOf(
      isGraphql ? avatarParts(company.id, company.ownerId, { bytes }) : { avatar: { bytes } },
    );
    const called = isGraphql ? "/graphql" : `/api${path}`;
    listensAt ??= await gateway.app.listen({ host: "127.0.0.1", port: 0 });
    const upload = request(listensAt + called, {
      method: "POST",
      headers: {
        ...headers,
        authorization: `Bearer ${company.owner.token}`,
        "content-length": payload.length,
      },
    });
    upload.on("error", () => undefined);
    upload.write(payload.subarray(0, 600_000));
    for (let tries = 0; (await temporaryFiles()).length === 0 && tries < 200; tries += 1) await sleep(20);
    const spooled = await temporaryFiles();
    upload.destroy();

    expect(spooled).toHaveLength(1);
    await expectNothingLeft();
  });

  it.each(["GraphQL", "REST"])(
    "leaves nothing when it is answered before it has arrived: %s",
    async (face) => {
      const hasty = await startGateway({
        on: gateway,
        environment: { STORAGE_URL: store.url, REQUEST_TIMEOUT_MS: "1500" },
      });
      const bytes = Buffer.alloc(1_000_000, "x");
      const isGraphql = face === "GraphQL";
      const { payload, headers } = await formOf(
        isGraphql ? avatarParts(company.id, company.ownerId, { bytes }) : { avatar: { bytes } },
      );
      const address = await hasty.app.listen({ host: "127.0.0.1", port: 0 });
      const answered = new Promise<number | undefined>((resolve) => {
        const upload = request(address + (isGraphql ? "/graphql" : `/api${path}`), {
          method: "POST",
          headers: {
            ...headers,
            authorization: `Bearer ${company.owner.token}`,
            "content-length": payload.length,
          },
        });
        upload.on("error", () => undefined);
        upload.on("response", ({ statusCode }) => resolve(statusCode));
        upload.write(payload.subarray(0, 600_000));
      });
      for (let tries = 0; (await temporaryFiles()).length === 0 && tries < 200; tries += 1) await sleep(5);
      const [spooled, opened] = [await temporaryFiles(), await openTemporaryFiles()];

      const status = await answered;
      for (let tries = 0; (await openTemporaryFiles()) > 0 && tries < 50; tries += 1) await sleep(10);
      const openedLater = await openTemporaryFiles();
      await hasty.close();

      expect([spooled.length, opened, status, openedLater]).toEqual([1, 1, 408, 0]);
      await expectNothingLeft();
    },
  );

  it("may have its files in another order than its map", async () => {
    const input = "$companyId: Int!, $id: Int!";
    const field = "uploadAdminAvatar(companyId: $companyId, adminId: $id, input:";
    const { status, body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({
        query: `mutation (${input}, $a: Upload!, $b: Upload!) {
          a: ${field} { avatar: $a }) { avatarUrl } b: ${field} { avatar: $b }) { avatarUrl }
        }`,
        variables: { companyId: company.id, id: company.ownerId, a: null, b: null },
      }),
      map: JSON.stringify({ first: ["variables.a"], second: ["variables.b"] }),
      second: { bytes: await png({ width: 8, height: 9 }) },
      other: { bytes: Buffer.alloc(300_000) },
      first: { bytes: await png({ width: 9, height: 10 }) },
    });

    expect([status, body.errors?.map(({ extensions }) => extensions["errors"][0].message)]).toEqual([
      200,
      [expect.stringMatching("^is 9 by 10 "), expect.stringMatching("^is 8 by 9 ")],
    ]);
    await expectNothingLeft();
  });

  it("is bound by the limits of documents", async () => {
    const query = `mutation { ${Array.from({ length: 60 }, (_, n) => `a${n}: logout(refreshToken: "x")`).join(" ")} }`;
    const { status, body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({ query }),
      map: "{}",
    });

    expect([status, body.errors?.[0]?.extensions["errors"][0].rule]).toEqual([400, "aliases"]);
  });

  it("may also come without files, and be a query", async () => {
    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({ query: "{ me { permissions } }" }),
      map: "{}",
    });

    expect(dataOf(body)["me"]).toBeTruthy();
  });
});

async function noise(width: number): Promise<Buffer> {
  return sharp({
    create: {
      width,
      height: width,
      channels: 3,
      background: "#000000",
      noise: { type: "gaussian", mean: 128, sigma: 50 },
    },
  })
    .png()
    .toBuffer();
}

/** Sends the last part twice. */
function twice(form: string): string {
  const [boundary = ""] = form.split("\r\n");
  const last = form.slice(form.lastIndexOf(`${boundary}\r\n`), form.lastIndexOf(`${boundary}--`));
  return form.replace(new RegExp(`${boundary}--\r\n$`, "u"), () => `${last}${boundary}--\r\n`);
}

/** Changes a few bytes in the middle of a file. */
/** Has a BMP say that its pixels begin elsewhere. */
function pixelsAt(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(at, 10);
  return changed;
}

function broken(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed.fill(0, 20_000, 20_400);
  return changed;
}
