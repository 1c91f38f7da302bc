import { randomBytes } from "node:crypto";
import { get, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { MAX_PAGE_SIZE } from "../../src/core/lists/list-page.js";
import { TABLE_KINDS, TABLE_TYPES, type TableKind } from "../../src/api/rest/table-formats.js";
import type { Coupon } from "../../src/generated/prisma/client.js";
import { createCouponRow } from "../support/coupons.js";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { makeKey, UPDATE } from "../api-keys/keys.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { rowsOfBytes, temporaryFolder } from "../sheets/sheet-files.js";

const PAGES = 200;
/** Making or reading all uses may take this long on a busy machine. */
const PATIENCE_MS = 120_000;
const HEADER = "id,code,coupon_id,used_at,created_at";

describe("a list as a table", () => {
  const folder = temporaryFolder();
  let gateway: Gateway;
  let acme: TestCompany;
  let reader: Client;
  /** A coupon that tests share, since its uses take the database seconds. */
  let manyUses: Coupon;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    acme = await createCompany(gateway);
    reader = await adminWith(gateway, acme.id, "access_coupons");
    manyUses = await createManyUses();
  }, PATIENCE_MS);

  afterAll(() => gateway.close());

  it("has all rows of all pages in order under the names that JSON has", async () => {
    const coupon = await couponWithCodes(450);

    const response = await csv(`${pathOf(coupon)}/codes`);

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="coupons-${coupon.id}-codes.csv"`,
      "cache-control": "private, no-store",
      vary: "Authorization, Accept",
      "x-request-id": expect.any(String) as string,
    });
    const json = await reader.rest("GET", `${pathOf(coupon)}/codes`);
    const rows = json.body as Record<string, string | number | null>[];
    expect(rows).toHaveLength(450);
    expect(linesOf(response.body)).toEqual([
      HEADER,
      ...rows.map((row) =>
        HEADER.split(",")
          .map((key) => row[key] ?? "")
          .join(),
      ),
    ]);
  });

  it("is kept by no cache and has no ETag, also where the list is open and has one", async () => {
    const path = `/companies/${acme.id}/goods`;
    const list = await gateway.anonymous.rest("GET", path);
    const table = await gateway.app.inject({ url: `/api${path}?format=csv` });

    expect([list.headers["cache-control"], list.headers["etag"]]).toEqual([
      "public, max-age=15",
      expect.stringMatching(/^W\//u),
    ]);
    expect([table.statusCode, table.headers["cache-control"], table.headers.etag]).toEqual([
      200,
      "private, no-store",
      undefined,
    ]);
  });

  it("is a workbook with the same rows", async () => {
    const coupon = await couponWithCodes(450);

    const response = await inject("GET", `${pathOf(coupon)}/codes?format=xlsx`);

    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      "content-type": TABLE_TYPES.xlsx,
      "content-disposition": `attachment; filename="coupons-${coupon.id}-codes.xlsx"`,
      "cache-control": "private, no-store",
      vary: "Authorization, Accept",
    });
    const rows = await rowsOfBytes(folder, response.rawPayload, "xlsx");
    const { body } = await csv(`${pathOf(coupon)}/codes`);
    expect(rows.map(({ cells }) => HEADER.split(",").map((_, i) => cells[i] ?? ""))).toEqual(
      linesOf(body).map((line) => line.split(",")),
    );
  });

  it("counts against the rate limit by the cost of all its pages", async () => {
    const limited = await startGateway({ on: gateway, environment: { RATE_LIMIT: "100" } });
    const coupon = await couponWithCodes(20 * MAX_PAGE_SIZE);
    const caller = limited.withToken((await adminWith(gateway, acme.id, "access_coupons")).token);
    const left = async (): Promise<number> =>
      Number((await caller.rest("GET", pathOf(coupon))).headers["ratelimit-remaining"]);
    const before = await left();

    const response = await limited.app.inject({
      method: "GET",
      url: `/api${pathOf(coupon)}/codes?format=csv`,
      headers: { authorization: `Bearer ${caller.token ?? ""}` },
    });

    expect(linesOf(response.body)).toHaveLength(20 * MAX_PAGE_SIZE + 1);
    const cost = 20 * MAX_PAGE_SIZE;
    // One for the export itself and one for the request that asks, besides what its rows cost.
    expect(before - (await left()) - 2).toBeGreaterThanOrEqual(Math.floor(cost / 1_000));
    await limited.close();
  });

  it("has a head without a length, which nobody knows before it is made", async () => {
    const url = `${pathOf(await couponWithCodes(1))}/codes?format=csv`;

    const [head, whole] = [await inject("HEAD", url), await inject("GET", url)];

    expect([head.statusCode, head.body, head.headers["content-length"]]).toEqual([200, "", undefined]);
    expect(head.headers["content-type"]).toBe(whole.headers["content-type"]);
  });

  it("is told from JSON by a cache", async () => {
    const path = `${pathOf(await couponWithCodes(1))}/codes`;

    const varies = [await inject("GET", path), await inject("GET", path, { accept: "text/csv" })];

    expect(varies.map(({ headers }) => String(headers["vary"]).includes("Accept"))).toEqual([true, true]);
  });

  it("is chosen by format or by Accept, and JSON is what everybody else gets", async () => {
    const coupon = await couponWithCodes(1);
    const typeFor = async (query: string, accept?: string) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      const response = await inject("GET", `${pathOf(coupon)}/codes${query}`, headers);
      return String(response.headers["content-type"]).split(";")[0];
    };

    expect(await typeFor("?format=csv")).toBe("text/csv");
    expect(await typeFor("", "text/csv")).toBe("text/csv");
    expect(await typeFor("", "application/json;q=0.5, text/csv")).toBe("text/csv");
    expect(await typeFor("?format=xlsx", "text/csv")).toBe(TABLE_TYPES.xlsx);
    expect(await typeFor("", TABLE_TYPES.xlsx)).toBe(TABLE_TYPES.xlsx);
    expect(await typeFor("", `text/csv;q=0.5, ${TABLE_TYPES.xlsx};q=0.7`)).toBe(TABLE_TYPES.xlsx);
    expect(await typeFor("", `${TABLE_TYPES.xlsx};q=0.7, application/json`)).toBe("application/json");
    expect(await typeFor("?format=json", "text/csv")).toBe("application/json");
    expect(await typeFor("", "application/json, text/csv;q=0.5")).toBe("application/json");
    expect(await typeFor("", "*/*")).toBe("application/json");
    expect(await typeFor("")).toBe("application/json");
    expect((await inject("GET", `${pathOf(coupon)}/codes?format=xml`)).json()).toMatchObject({
      status: 400,
      code: "BAD_REQUEST",
      errors: [{ field: "format", rule: "enum", message: "must be json, csv or xlsx" }],
    });
  });

  it("is not asked for by a format with nothing behind the sign", async () => {
    const { body, status } = await reader.rest("GET", `${pathOf(await couponWithCodes(1))}/codes?format=`);

    expect([status, body.length]).toEqual([200, 1]);
  });

  it("obeys filter and order", async () => {
    const coupon = await couponWithCodes(3);
    const [first] = await gateway.db.couponCode.findMany({ where: keyOf(coupon), orderBy: { id: "asc" } });

    const ordered = await csv(`${pathOf(coupon)}/available-tickets?sort=-id`);
    const filtered = await csv(`${pathOf(coupon)}/available-tickets?filter[id][gt]=${first?.id}`);
    const unknown = await inject("GET", `${pathOf(coupon)}/available-tickets?format=csv&sort=nothing`);

    const codes = (text: string) =>
      linesOf(text)
        .slice(1)
        .map((line) => line.split(",")[1]);
    expect(codes(ordered.body)).toEqual(codes(filtered.body).concat(first?.code).sort().reverse());
    expect(codes(filtered.body)).toHaveLength(2);
    expect(unknown.statusCode).toBe(400);
  });

  it("refuses as JSON does, before anything is sent", async () => {
    const promo = await createCouponRow(gateway, acme.id, { type: "promo", status: "running" });
    const stranger = await createCompany(gateway);
    const client = await signedInClient(gateway, acme.id);
    const accept = { headers: { accept: "text/csv" } };

    const refusals = await Promise.all([
      reader.rest("GET", `${pathOf(promo)}/available-tickets`, accept),
      reader.rest("GET", `/companies/${acme.id}/coupons/2000000000/codes`, accept),
      stranger.owner.rest("GET", `${pathOf(promo)}/codes`, accept),
      client.client.rest("GET", `${pathOf(promo)}/codes`, accept),
      gateway.anonymous.rest("GET", `${pathOf(promo)}/codes`, accept),
    ]);

    expect(refusals.map(({ status }) => status)).toEqual([409, 404, 403, 403, 401]);
    for (const { headers } of refusals)
      expect(headers["content-type"]).toMatch(/^application\/problem\+json/u);
  });

  it("has its header alone when there are no rows, and no body for HEAD", async () => {
    const coupon = await createCouponRow(gateway, acme.id);

    expect((await csv(`${pathOf(coupon)}/codes`)).body).toBe(`${HEADER}\r\n`);
    const head = await inject("HEAD", `${pathOf(coupon)}/codes?format=csv`);
    expect([head.statusCode, head.body, head.headers["content-type"]]).toEqual([
      200,
      "",
      "text/csv; charset=utf-8; header=present",
    ]);
    const workbook = await inject("GET", `${pathOf(coupon)}/codes?format=xlsx`);
    const [only, ...others] = await rowsOfBytes(folder, workbook.rawPayload, "xlsx");
    expect([only?.cells, others]).toEqual([HEADER.split(","), []]);
    const headOfWorkbook = await inject("HEAD", `${pathOf(coupon)}/codes?format=xlsx`);
    expect([headOfWorkbook.statusCode, headOfWorkbook.body, headOfWorkbook.headers["content-type"]]).toEqual([
      200,
      "",
      TABLE_TYPES.xlsx,
    ]);
  });

  it("takes the keys and relations that its list takes", async () => {
    const coupon = await createCouponRow(gateway, acme.id, { type: "promo", status: "finished" });
    await gateway.db.couponRedemption.create({ data: { ...keyOf(coupon), code: "A", amountE2: 5 } });
    const uses = `/companies/${acme.id}/coupon-uses?filter[coupon_id]=${coupon.id}`;

    expect((await csv(`${pathOf(coupon)}/used-tickets?fields=code,amount_e2`)).body).toBe(
      "code,amount_e2\r\nA,5\r\n",
    );
    expect((await csv(`${uses}&load=coupon&columns=coupon.name,code`)).body).toBe(
      `coupon.name,code\r\n${coupon.name},A\r\n`,
    );
    expect((await csv(`${uses}&fields=name`)).statusCode).toBe(400);
  });

  it("takes text for text, whatever a spreadsheet would take it for", async () => {
    const coupon = await createCouponRow(gateway, acme.id, { type: "promo", status: "finished" });
    const texts = ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "'a", 'say "hi", now', "two\nlines"];
    await gateway.db.couponRedemption.createMany({
      data: texts.map((code) => ({ ...keyOf(coupon), code, amountE2: 5 })),
    });

    const { body } = await csv(`${pathOf(coupon)}/used-tickets?sort=id`);

    for (const cell of [
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "''=1",
      "'a",
      '"say ""hi"", now"',
      '"two\nlines"',
    ]) {
      expect(body).toContain(`,${cell},${coupon.id},,,5,`);
    }
    const { rawPayload } = await inject("GET", `${pathOf(coupon)}/used-tickets?sort=id&format=xlsx`);
    const [header, ...rows] = await rowsOfBytes(folder, rawPayload, "xlsx");
    const place = header?.cells.indexOf("code") ?? -1;
    expect(rows.map(({ cells }) => cells[place])).toEqual(
      texts.map((text) => (text === "'=1" ? "''=1" : text)),
    );
  });

  it("is read by fewer rows at a time where they are long", async () => {
    const { id: companyId } = await createCompany(gateway);
    const goods = await gateway.db.good.createManyAndReturn({
      data: Array.from({ length: MAX_PAGE_SIZE + 100 }, (_, n) => ({
        companyId,
        name: `Good ${n}`,
        details: "ä".repeat(10_000),
        shortDetails: "",
        type: 1,
        priceE2: 100,
      })),
      select: { id: true },
    });
    const { token } = await adminWith(gateway, companyId, "access_goods");
    gateway.statements.length = 0;

    const { body } = await inject("GET", `/companies/${companyId}/goods?sort=id&format=csv`, {
      authorization: `Bearer ${token}`,
    });

    expect(linesOf(body).map((line) => line.split(",", 1)[0])).toEqual([
      "id",
      ...goods.map(({ id }) => `${id}`),
    ]);
    // The first page has 25 rows of 10,000 characters, so that 104 of them have a million; one more than a page is read.
    const pages = gateway.statements.flatMap(
      (statement) => /FROM "goods".* LIMIT (?<rows>\d+)/su.exec(statement)?.groups?.["rows"] ?? [],
    );
    expect(pages).toEqual(["26", "105", "105", "105"]);
  });

  it(
    "goes on beyond the time that a request may take, at the caller's pace",
    async () => {
      const timeoutMs = 3000;
      const coupon = manyUses;
      const hasty = await startGateway({
        on: gateway,
        environment: { REQUEST_TIMEOUT_MS: String(timeoutMs) },
      });
      await listen(hasty);
      const response = await open(hasty, reader, `${pathOf(coupon)}/used-tickets`);

      await new Promise((resolve) => setTimeout(resolve, timeoutMs + 500));
      const exported = await text(response);
      await hasty.close();

      expect(linesOf(exported)).toHaveLength(PAGES * MAX_PAGE_SIZE + 1);
    },
    PATIENCE_MS,
  );

  it.each(TABLE_KINDS)(
    "reads no further than the caller takes it as %s, so that it needs no more memory for more rows",
    async (kind) => {
      const coupon = manyUses;
      await listen(gateway);
      const connected = new Promise<Socket>((resolve) => gateway.app.server.once("connection", resolve));
      gateway.statements.length = 0;
      const response = await open(gateway, reader, `${pathOf(coupon)}/used-tickets`, kind);

      const socket = await connected;
      const read = await heldBack(socket, () => gateway.statements.length);
      response.destroy();

      // The buffers of the connection hold what is sent meanwhile: some megabytes of 20 at least.
      expect(read).toBeLessThan(PAGES * 0.75);
    },
  );

  it.each(TABLE_KINDS)(
    "breaks off the connection when it fails on the way as %s, so that a part is never taken for the whole",
    async (kind) => {
      const coupon = manyUses;
      await listen(gateway);
      const response = await open(gateway, reader, `${pathOf(coupon)}/used-tickets`, kind);

      await new Promise((resolve) => response.once("readable", resolve));
      await setDeleted(coupon, new Date());

      const read = (async () => {
        for await (const _chunk of response);
      })();
      await expect(read).rejects.toThrow("aborted");
      expect(response.complete).toBe(false);
      await setDeleted(coupon, null);
    },
  );

  it("breaks off the connection when the process ends, and tells the trail that it is not whole", async () => {
    const ending = await startGateway({ on: gateway });
    await listen(ending);
    ending.app.drain();
    const { port } = ending.app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api${pathOf(manyUses)}/used-tickets?format=csv`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${reader.token}` } });

    const read = (async () => {
      for await (const _chunk of response.body as ReadableStream) ending.app.cutOffTables();
    })();
    await expect(read).rejects.toThrow("terminated");
    await ending.close();

    expect(response.headers.get("connection")).toBe("keep-alive");
    const entries = await acme.owner.rest("GET", `/companies/${acme.id}/audit-entries?sort=-id&per_page=1`);
    expect(entries.body).toMatchObject([
      {
        operation: "couponUsedTickets",
        changes: expect.arrayContaining([{ field: "is_whole", before: null, after: false }]),
      },
    ]);
  });

  it("resets the connection of HTTP/1.0, which knows no other end that is none", async () => {
    const ending = await startGateway({ on: gateway });
    await listen(ending);
    const { port } = ending.app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    const path = `/api${pathOf(manyUses)}/used-tickets?format=csv`;
    socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${reader.token}\r\n\r\n`);

    const read = (async () => {
      for await (const _chunk of socket) ending.app.cutOffTables();
    })();

    await expect(read).rejects.toThrow("ECONNRESET");
    await ending.close();
  });

  it("ends with its connection when the process is about to stop", async () => {
    const ending = await startGateway({ on: gateway });
    await listen(ending);
    ending.app.drain();
    const closed = new Promise<void>((resolve) => {
      ending.app.server.once("connection", (socket: Socket) => socket.once("close", () => resolve()));
    });
    const { port } = ending.app.server.address() as AddressInfo;
    const coupon = await couponWithCodes(450);
    const url = `http://127.0.0.1:${port}/api${pathOf(coupon)}/codes?format=csv`;

    const response = await fetch(url, { headers: { authorization: `Bearer ${reader.token}` } });

    expect(linesOf(await response.text())).toHaveLength(451);
    await closed;
    await ending.close();
  });

  it("breaks off the connection when the networks of the key leave out where it is read", async () => {
    await listen(gateway);
    const roles = ["access_coupons"];
    const { id, client } = await makeKey(gateway, acme.owner, acme.id, { roles });
    const response = await open(gateway, client, `${pathOf(manyUses)}/used-tickets`);

    await new Promise((resolve) => response.once("readable", resolve));
    const input = { networks: ["192.0.2.0/24"] };
    dataOf(await acme.owner.run(UPDATE, { companyId: acme.id, id, input }));

    await expect(text(response)).rejects.toThrow("aborted");
    expect(response.complete).toBe(false);
  });

  async function couponWithCodes(count: number): Promise<Coupon> {
    const coupon = await createCouponRow(gateway, acme.id, { status: "running", totalCount: count });
    const { id } = coupon;
    await gateway.db.$executeRaw`
      INSERT INTO coupon_codes (company_id, coupon_id, code)
      SELECT ${acme.id}::int, ${id}::int, 'C' || lpad(${id}::text, 6, '0') || lpad(n::text, 8, '0')
        FROM generate_series(1, ${count}::int) AS n`;
    return coupon;
  }

  /**
   * Creates uses whose export takes 40 MB, or 20 in a workbook: more than the buffers between the service and an idle
   * caller hold. Their codes are parts of random bytes, which come again too far away to be compressed, and begin with
   * a number, so that the indexes only grow at their end.
   */
  async function createManyUses(): Promise<Coupon> {
    const coupon = await createCouponRow(gateway, acme.id, { type: "promo", status: "finished" });
    const noise = randomBytes(1_000_000);
    await gateway.db.$executeRaw`
      INSERT INTO coupon_redemptions (company_id, coupon_id, code, amount_e2)
      SELECT ${acme.id}::int, ${coupon.id}::int,
             lpad(n::text, 8, '0') || encode(substring(${noise}::bytea FROM n * 496 % 999000 + 1 FOR 496), 'hex'), 5
        FROM generate_series(1, ${PAGES * MAX_PAGE_SIZE}::int) AS n`;
    await gateway.asOwner("ANALYZE coupon_redemptions");
    return coupon;
  }

  async function setDeleted({ companyId, id }: Coupon, deletedAt: Date | null): Promise<void> {
    await gateway.db.coupon.update({ where: { companyId_id: { companyId, id } }, data: { deletedAt } });
  }

  const pathOf = ({ companyId, id }: Coupon): string => `/companies/${companyId}/coupons/${id}`;
  const keyOf = ({ companyId, id }: Coupon) => ({ companyId, couponId: id });
  const linesOf = (text: string): string[] => text.trimEnd().split("\r\n");

  function inject(method: "GET" | "HEAD", path: string, headers: Record<string, string> = {}) {
    const authorization = `Bearer ${reader.token}`;
    return gateway.app.inject({ method, url: `/api${path}`, headers: { authorization, ...headers } });
  }

  const csv = (path: string) => inject("GET", path, { accept: "text/csv" });
});

async function listen({ app }: Gateway): Promise<void> {
  if (!app.server.listening) await app.listen({ port: 0, host: "127.0.0.1" });
}

/** Sends a request over a real connection and returns the answer as soon as its headers have arrived. */
function open(
  { app }: Gateway,
  { token }: Client,
  path: string,
  kind: TableKind = "csv",
): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}`, accept: TABLE_TYPES[kind] };
  return new Promise((resolve, reject) => {
    const request = get({ host: "127.0.0.1", port, path: `/api${path}`, headers, agent: false }, resolve);
    request.once("error", reject);
  });
}

/** Returns a figure as soon as the caller holds back what the service writes, and the figure stands still. */
async function heldBack(socket: Socket, figure: () => number): Promise<number> {
  for (let before = -1; ;) {
    const now = figure();
    if (now === before && socket.writableNeedDrain) return now;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
