import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createLedger, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const adjust = (amount_e2: number, more: object = {}) =>
  ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, {
    body: { type: "client", key: ledger.clientId, amount_e2, ...more },
  });
const lines = (body: unknown) => (body as string).trim().split("\r\n");

/** Posts history of a company, whose moments are past. */
async function history(
  companyId: number,
  type: string,
  key: number,
  rows: readonly (readonly [number, string])[],
): Promise<void> {
  for (const [amount, at] of rows)
    await gateway.asOwner(
      `SELECT outcome FROM write_movements($1, ARRAY[$2], ARRAY[$3::int], '{USD}', ARRAY[$4::bigint], '{adjustment}', '{NULL}', 'Old',
         NULL, NULL, NULL, NULL, $5)`,
      [companyId, type, key, amount, at],
    );
}

/** A company four hours behind UTC, whose client and city have movements of two years. */
async function twoYears(): Promise<{ company: TestCompany; clientId: number; cityId: number }> {
  const company = await createCompany(gateway, {
    timeZoneOffset: "-04:00",
    settings: { currencyIso: "USD" },
  });
  const own = { companyId: company.id };
  const client = await gateway.db.client.create({ data: { ...own, name: "Ana" } });
  const city = await gateway.db.city.create({ data: { ...own, name: "=Town" } });
  await history(company.id, "client", client.id, [
    [1000, "2024-05-01T00:00:00Z"],
    [-300, "2025-01-01T03:59:59.999Z"],
    [40, "2025-01-01T04:00:00Z"],
  ]);
  await history(company.id, "city", city.id, [[7, "2025-06-01T00:00:00Z"]]);
  await history(company.id, "client", client.id, [[2, "2026-01-01T04:00:00Z"]]);
  return { company, clientId: client.id, cityId: city.id };
}

const YEARS = "from=2025-01-01&until=2026-01-01&compared_from=2024-01-01&compared_until=2025-01-01";

it("takes 400 days of the company's calendar, whether clocks change within or not, and no second more", async () => {
  const company = await createCompany(gateway);
  await gateway.db.company.update({ where: { id: company.id }, data: { timeZone: "Europe/Berlin" } });
  const days = (from: string, until: string) => `from=${from}&until=${until}`;
  const paths = ["balance-statements?", `balance-statement?type=company&key=${company.id}&by=day&`];
  const read = async (path: string, query: string) => {
    const { status, body } = await company.owner.rest("GET", `/companies/${company.id}/${path}${query}`);
    return [status, wrongFields(body.errors)];
  };

  for (const path of paths) {
    expect(await read(path, days("2025-10-01", "2026-11-05"))).toEqual([200, []]);
    expect(await read(path, days("2026-03-01", "2027-04-05"))).toEqual([200, []]);
    for (const [from, until] of [
      ["2025-10-01", "2026-11-05 00:00:01"],
      ["2026-03-01", "2027-04-05 00:00:01"],
      // Over the beginning of summer time an hour less than 400 times 24.
      ["2025-03-01", "2026-04-05 00:00:01"],
    ] as const)
      expect(await read(path, days(from, until))).toEqual([422, ["until:max"]]);
  }
  const { errors } = await company.owner.run(
    `{ balanceStatements(companyId: ${company.id}, from: "2025-10-01", until: "2026-11-05",
         comparedFrom: "2024-10-01", comparedUntil: "2025-11-06") { nodes { creditsE2 } } }`,
  );
  expect(wrongFields(errors?.[0]?.extensions["errors"] as never)).toEqual(["comparedUntil:max"]);
});

it("shows opening and closing of each holder, beside those of the year before, also as CSV", async () => {
  const { company, clientId, cityId } = await twoYears();
  const path = `/companies/${company.id}/balance-statements`;

  const { status, body, headers } = await company.owner.rest("GET", `${path}?${YEARS}`);
  const csv = await company.owner.rest("GET", `${path}?${YEARS}&format=csv`);
  const chosen = await company.owner.rest("GET", `${path}?${YEARS}&format=csv&fields=closing_e2,name`);
  const wrong = await company.owner.rest("GET", `${path}?${YEARS}&fields=closing`);
  const alone = await company.owner.rest(
    "GET",
    `${path}?from=2025-01-01&until=2026-01-01&filter[holder_type]=city`,
  );

  expect([status, headers["x-total-count"]]).toEqual([200, "3"]);
  expect(body).toEqual([
    {
      holder_type: "account",
      holder_key: 0,
      account: "adjustments",
      name: "adjustments",
      currency_iso: "USD",
      opening_e2: -700,
      credits_e2: 0,
      debits_e2: 47,
      closing_e2: -747,
      count: 2,
      compared_opening_e2: 0,
      compared_credits_e2: 300,
      compared_debits_e2: 1000,
      compared_closing_e2: -700,
      compared_count: 2,
    },
    expect.objectContaining({
      holder_type: "city",
      holder_key: cityId,
      name: "=Town",
      opening_e2: 0,
      closing_e2: 7,
      compared_closing_e2: 0,
      compared_count: 0,
    }),
    expect.objectContaining({
      holder_type: "client",
      holder_key: clientId,
      opening_e2: 700,
      credits_e2: 40,
      debits_e2: 0,
      closing_e2: 740,
      count: 1,
      compared_credits_e2: 1000,
      compared_debits_e2: 300,
      compared_closing_e2: 700,
    }),
  ]);
  expect(csv.headers["content-type"]).toContain("text/csv");
  expect(lines(csv.body)).toEqual([
    "holder_type,holder_key,account,name,currency_iso,opening_e2,credits_e2,debits_e2,closing_e2,count,compared_opening_e2,compared_credits_e2,compared_debits_e2,compared_closing_e2,compared_count",
    "account,0,adjustments,adjustments,USD,-700,0,47,-747,2,0,300,1000,-700,2",
    `city,${cityId},,'=Town,USD,0,7,0,7,1,0,0,0,0,0`,
    `client,${clientId},,Ana,USD,700,40,0,740,1,0,1000,300,700,2`,
  ]);
  expect(lines(chosen.body)).toEqual(["closing_e2,name", "-747,adjustments", "7,'=Town", "740,Ana"]);
  expect([wrong.status, wrong.body.code]).toEqual([400, "BAD_REQUEST"]);
  expect(alone.body).toEqual([
    expect.objectContaining({ closing_e2: 7, compared_opening_e2: null, compared_count: null }),
  ]);
});

it("goes on by cursors with the moment of the first page, and by offset", async () => {
  const { company } = await twoYears();
  const page = async (args: string) => {
    const { balanceStatements } = dataOf(
      await company.owner.run(
        `{ balanceStatements(companyId: ${company.id}, from: "2026-01-01", until: "2027-02-01"${args}) {
          totalCount nodes { holderType openingE2 closingE2 count } pageInfo { hasNextPage endCursor } } }`,
      ),
    );
    return balanceStatements as {
      totalCount: number;
      nodes: { holderType: string; closingE2: number; count: number }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  };
  const first = await page(", first: 1");
  await company.owner.rest("POST", `/companies/${company.id}/balance-movements/adjust`, {
    body: { type: "company", key: company.id, amount_e2: 5 },
  });
  await new Promise((resolve) => setTimeout(resolve, 20));

  const second = await page(`, first: 5, after: "${first.pageInfo.endCursor}"`);
  const now = await page(", first: 5");

  expect(first).toMatchObject({
    totalCount: 3,
    nodes: [{ holderType: "account", openingE2: -747, closingE2: -749, count: 1 }],
    pageInfo: { hasNextPage: true },
  });
  expect(second.nodes.map(({ holderType, closingE2, count }) => [holderType, closingE2, count])).toEqual([
    ["city", 7, 0],
    ["client", 742, 1],
  ]);
  expect(second.totalCount).toBe(3);
  expect(now.nodes.map(({ closingE2 }) => closingE2)).toEqual([-754, 7, 742, 5]);
  expect((await page(", first: 5, offset: 2")).nodes).toEqual(now.nodes.slice(2));
});

it("goes on by number with the moment of the first page, by links and with asOf", async () => {
  const { company, cityId } = await twoYears();
  const path = `/companies/${company.id}/balance-statements`;
  const open = "from=2026-01-01&until=2027-02-01&compared_from=2026-01-01&compared_until=2027-02-01";
  const read = async (url: string) => {
    const { status, body, headers } = await company.owner.rest("GET", url);
    const links = [...String(headers["link"]).matchAll(/<\/api(?<url>[^>]+)>; rel="(?<rel>\w+)"/gu)];
    const sums = (body as Record<string, unknown>[]).map((row) => [row["closing_e2"], row["compared_count"]]);
    return {
      status,
      sums,
      total: headers["x-total-count"],
      to: Object.fromEntries(links.map(({ groups }) => [groups?.["rel"], groups?.["url"] ?? ""])),
    };
  };
  const page = async (args: string) =>
    dataOf(
      await company.owner.run(
        `{ balanceStatements(companyId: ${company.id}, from: "2026-01-01", until: "2027-02-01", first: 1${args}) {
           asOf totalCount nodes { closingE2 } } }`,
      ),
    )["balanceStatements"] as { asOf: string };
  const post = (type: string, key: number) =>
    company.owner.rest("POST", `/companies/${company.id}/balance-movements/adjust`, {
      body: { type, key, amount_e2: 5 },
    });

  const first = await read(`${path}?${open}&per_page=1`);
  const { asOf } = await page("");
  await post("city", cityId);
  await post("company", company.id);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const second = await read(first.to["next"] ?? "");
  const third = await read(second.to["next"] ?? "");
  const again = await read(third.to["first"] ?? "");
  const csv = await company.owner.rest("GET", `${first.to["first"]}&format=csv&columns=closing_e2`);

  const pages = [first, second, third, again];
  expect(pages.map(({ status, sums, total }) => [status, sums, total])).toEqual([
    [200, [[-749, 1]], "3"],
    [200, [[7, 0]], "3"],
    [200, [[742, 1]], "3"],
    [200, [[-749, 1]], "3"],
  ]);
  expect(third.to["next"]).toBeUndefined();
  expect(lines(csv.body)).toEqual(["closing_e2", "-749", "7", "742"]);
  expect((await read(`${path}?${open}`)).sums).toEqual([
    [-759, 3],
    [12, 1],
    [742, 1],
    [5, 1],
  ]);
  expect(asOf).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}Z$/u);
  expect(await page(`, offset: 1, asOf: "${asOf}"`)).toEqual({
    asOf,
    totalCount: 3,
    nodes: [{ closingE2: 7 }],
  });
  expect(await page(", offset: 1")).toMatchObject({ totalCount: 4, nodes: [{ closingE2: 12 }] });
  const later = await page(', offset: 1, asOf: "2099-01-01"');
  expect(later).toMatchObject({ nodes: [{ closingE2: 12 }] });
  expect(Date.parse(later.asOf)).toBeLessThan(Date.now() + 60_000);
});

describe("while others post", () => {
  const PERIOD = 'from: "2026-06-01", until: "2027-07-01"';
  const statements = async (args: string) =>
    dataOf(
      await ledger.company.owner.run(
        `{ balanceStatements(companyId: ${ledger.company.id}, ${PERIOD}${args}) {
           asOf nodes { holderType holderKey account closingE2 count } pageInfo { hasNextPage endCursor } } }`,
      ),
    )["balanceStatements"] as {
      asOf: string;
      nodes: { closingE2: number }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  const sumOf = (rows: readonly { closingE2: number }[]): number =>
    rows.reduce((sum, { closingE2 }) => sum + closingE2, 0);

  /** Posts to the client, and leaves the transaction open until it is ended. */
  async function slowPosting(): Promise<pg.Client> {
    const poster = new pg.Client({ connectionString: gateway.url });
    await poster.connect();
    await poster.query("BEGIN");
    await poster.query(
      `SELECT outcome FROM post_movements($1, '{client}', ARRAY[$2::int], '{USD}', '{7}', '{adjustment}', '{NULL}', 'Slow',
         NULL, NULL, NULL, NULL, NULL)`,
      [ledger.company.id, ledger.clientId],
    );
    return poster;
  }

  it.each([
    ["a page", ""],
    ["a page of a moment that is named", `, asOf: "2099-01-01"`],
  ])("waits for what is being posted: %s", async (_, args) => {
    await adjust(100);
    const poster = await slowPosting();
    try {
      let isRead = false;
      const reading = statements(args).finally(() => (isRead = true));
      await sleep(200);
      expect(isRead).toBe(false);
      await poster.query("COMMIT");

      const page = await reading;
      expect(page.nodes.map(({ closingE2 }) => closingE2)).toEqual([-107, 107]);
      expect(await statements(`, asOf: "${page.asOf}"`)).toEqual(page);
    } finally {
      await poster.end();
    }
  });

  it("refuses to guess where a posting goes on for long", async () => {
    await adjust(100);
    const poster = await slowPosting();
    try {
      const { status, body, headers } = await ledger.company.owner.rest(
        "GET",
        `/companies/${ledger.company.id}/balance-statements?from=2026-06-01&until=2027-07-01`,
      );
      expect([status, body.code, headers["retry-after"]]).toEqual([409, "CONFLICT", "1"]);
    } finally {
      await poster.end();
    }
    expect((await statements("")).nodes.map(({ closingE2 }) => closingE2)).toEqual([-100, 100]);
  }, 20_000);

  it("sums to zero over all pages, by cursor and as a CSV, and says the same again of the same moment", async () => {
    const { company } = ledger;
    const clients = await gateway.db.client.createManyAndReturn({
      data: Array.from({ length: 12 }, (_, index) => ({ companyId: company.id, name: `Holder ${index}` })),
    });
    let isOver = false;
    const write = async (writer: number): Promise<void> => {
      for (let turn = writer; !isOver; turn += 5) {
        const { status } = await adjust(1 + (turn % 9), { key: clients[turn % clients.length]?.id });
        expect(status).toBe(200);
      }
    };
    const writing = Promise.all([0, 1, 2, 3].map(write));
    const sums: number[] = [];
    try {
      for (let walk = 0; walk < 12; walk += 1) {
        const first = await statements(", first: 4");
        const rows = [...first.nodes];
        for (let page = first; page.pageInfo.hasNextPage;) {
          page = await statements(`, first: 4, after: "${page.pageInfo.endCursor}"`);
          rows.push(...page.nodes);
        }
        expect((await statements(`, first: 200, asOf: "${first.asOf}"`)).nodes).toEqual(rows);
        const csv = await company.owner.rest(
          "GET",
          `/companies/${company.id}/balance-statements?from=2026-06-01&until=2027-07-01&format=csv&columns=closing_e2`,
        );
        sums.push(
          sumOf(rows),
          sumOf(
            lines(csv.body)
              .slice(1)
              .map((closing) => ({ closingE2: Number(closing) })),
          ),
        );
      }
    } finally {
      isOver = true;
      await writing;
    }

    expect(sums).toEqual(sums.map(() => 0));
  }, 30_000);
});

it("counts nothing of a period that is yet to come", async () => {
  const { company } = await twoYears();
  const { body } = await company.owner.rest(
    "GET",
    `/companies/${company.id}/balance-statements?from=2098-01-01&until=2099-01-01&filter[holder_type]=client`,
  );

  expect(body).toMatchObject([{ opening_e2: 742, credits_e2: 0, debits_e2: 0, closing_e2: 742, count: 0 }]);
});

it("refuses wrong periods and callers of statements", async () => {
  const { company } = await twoYears();
  const run = (args: string) =>
    company.owner.run(`{ balanceStatements(companyId: ${company.id}, ${args}) { totalCount } }`);
  const reader = await adminWith(gateway, company.id, "can_adjust_balance");
  const path = `/companies/${company.id}/balance-statements?${YEARS}&format=csv`;

  const results = [
    await run('from: "2026-01-01", until: "2025-01-01"'),
    await run('from: "2024-01-01", until: "2026-01-01"'),
    await run('from: "2025-01-01", until: "2026-01-01", comparedFrom: "2024-01-01"'),
    await run(
      'from: "2025-01-01", until: "2026-01-01", comparedFrom: "2024-01-01", comparedUntil: "2026-01-01"',
    ),
  ];

  expect(results.map(({ errors }) => wrongFields(errors?.[0]?.extensions["errors"]))).toEqual([
    ["until:after"],
    ["until:max"],
    ["comparedUntil:required"],
    ["comparedUntil:max"],
  ]);
  expect((await reader.rest("GET", path)).status).toBe(403);
});

it("answers one holder's statement over REST, also as CSV", async () => {
  const { company, clientId } = await twoYears();
  const path = `/companies/${company.id}/balance-statement?type=client&key=${clientId}&by=day&from=2024-12-01&until=2025-12-31`;

  const { body } = await company.owner.rest("GET", path);
  const csv = await company.owner.rest("GET", `${path}&format=csv`);
  const account = await company.owner.rest(
    "GET",
    `/companies/${company.id}/balance-statement?type=account&account=adjustments&by=related_type&from=2024-12-01&until=2025-12-31`,
  );

  const day = (values: object) => ({ related_type: null, count: 1, credits_e2: 0, debits_e2: 0, ...values });
  expect(body).toEqual({
    currency_iso: "USD",
    opening_e2: 1000,
    credits_e2: 40,
    debits_e2: 300,
    closing_e2: 740,
    count: 2,
    rows: [
      day({ day: "2024-12-31", opening_e2: 1000, debits_e2: 300, closing_e2: 700 }),
      day({ day: "2025-01-01", opening_e2: 700, credits_e2: 40, closing_e2: 740 }),
    ],
  });
  expect(lines(csv.body)).toEqual([
    "day,related_type,opening_e2,credits_e2,debits_e2,closing_e2,count",
    "2024-12-31,,1000,0,300,700,1",
    "2025-01-01,,700,40,0,740,1",
  ]);
  expect(account.body).toMatchObject({ opening_e2: -1000, credits_e2: 300, debits_e2: 47, closing_e2: -747 });
});

it("shows a client its own movements and statement on both faces, and nobody else's", async () => {
  const { company } = ledger;
  const mine = await signedInClient(gateway, company.id);
  await adjust(300, { key: mine.id });
  await adjust(-50, { key: mine.id });
  await adjust(9, { key: mine.id, currency_iso: "EUR" });
  await company.owner.rest("POST", `${ledger.ofOrder}/transfer`, {
    body: { type: "company", key: company.id, amount_e2: 20, target: String(mine.id), target_type: "client" },
  });
  await adjust(77);
  const period = `from: "2020-01-01", until: "2021-01-01"`;
  const today = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const since = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 10);
  const path = `/companies/${company.id}/clients/${mine.id}`;

  const me = dataOf(
    await mine.client.run(
      `{ me { client {
        balanceMovements(first: 2) { totalCount nodes { number amountE2 finalBalanceE2 relatedFinalBalance { amountE2 } } pageInfo { endCursor } }
        euro: balanceMovements(currencyIso: "eur") { nodes { amountE2 } }
        old: balanceStatement(${period}) { openingE2 closingE2 count rows { day } }
        balanceStatement(from: "${since}", until: "${today}", by: related_type) { openingE2 creditsE2 debitsE2 closingE2 rows { relatedType count } } } } }`,
    ),
  )["me"].client as Record<string, { pageInfo: { endCursor: string } } & object>;
  const listed = await mine.client.rest("GET", `${path}/balance-movements?sort=created_at`);
  const stated = await mine.client.rest("GET", `${path}/balance-statement?from=${since}&until=${today}`);
  const csv = await mine.client.rest(
    "GET",
    `${path}/balance-statement?from=${since}&until=${today}&format=csv`,
  );
  const reader = await adminWith(gateway, company.id, "access_balance");
  const outsider = await adminWith(gateway, company.id, "access_clients");
  const foreign = `/companies/${company.id}/clients/${ledger.clientId}/balance-movements`;

  expect(me["balanceMovements"]).toMatchObject({
    totalCount: 3,
    nodes: [
      { number: 3, amountE2: 20, finalBalanceE2: 270, relatedFinalBalance: null },
      { number: 2, amountE2: -50, finalBalanceE2: 250, relatedFinalBalance: null },
    ],
  });
  expect(me["euro"]).toEqual({ nodes: [{ amountE2: 9 }] });
  expect(me["old"]).toEqual({ openingE2: 0, closingE2: 0, count: 0, rows: [] });
  expect(me["balanceStatement"]).toEqual({
    openingE2: 0,
    creditsE2: 320,
    debitsE2: 50,
    closingE2: 270,
    rows: [
      { relatedType: "order", count: 1 },
      { relatedType: null, count: 2 },
    ],
  });
  expect(listed.body.map(({ final_balance_e2 }: { final_balance_e2: number }) => final_balance_e2)).toEqual([
    300, 250, 270,
  ]);
  expect(stated.body).toMatchObject({ closing_e2: 270, count: 3, rows: [{ closing_e2: 270 }] });
  expect(lines(csv.body)).toHaveLength(2);
  expect((await mine.client.rest("GET", foreign)).status).toBe(403);
  expect((await outsider.rest("GET", foreign)).status).toBe(403);
  expect((await reader.rest("GET", foreign)).body).toEqual([expect.objectContaining({ amount_e2: 77 })]);
  const next = dataOf(
    await mine.client.run(
      `{ me { client { balanceMovements(after: "${me["balanceMovements"]?.pageInfo.endCursor}") { nodes { number } } } } }`,
    ),
  );
  expect(next["me"].client.balanceMovements.nodes).toEqual([{ number: 1 }]);
  const of = (caller: typeof reader, field: string) =>
    caller.run(`{ client(companyId: ${company.id}, id: ${mine.id}) { ${field} } }`);
  const refused = await of(outsider, "balanceMovements { nodes { id } }");
  expect([refused.data?.["client"], errorCodes(refused)]).toEqual([
    { balanceMovements: null },
    ["FORBIDDEN"],
  ]);
  const wrong = await mine.client.run(
    '{ me { client { balanceMovements(first: 201, after: "x") { nodes { id } } } } }',
  );
  expect(wrongFields(wrong.errors?.[0]?.extensions["errors"])).toEqual(["after:cursor", "first:max"]);
});

it("leaves clients standing whose movements and statements are refused or cannot be asked for like this", async () => {
  const { id } = ledger.company;
  const editor = await adminWith(gateway, id, "access_clients", "can_edit_clients");
  const reader = await adminWith(gateway, id, "access_clients", "access_balance");
  const period = 'from: "2026-01-01", until: "2026-01-02"';
  const BOOKS = `id balanceMovements { nodes { id } } balanceStatement(${period}) { count }`;
  const books = { id: ledger.clientId, balanceMovements: null, balanceStatement: null };

  const listed = await editor.run(
    `{ clients(companyId: ${id}, filter: { id: { eq: ${ledger.clientId} } }) { nodes { ${BOOKS} } } }`,
  );
  const changed = await editor.run(
    `mutation { updateClient(companyId: ${id}, id: ${ledger.clientId}, input: { name: "Renamed" }) { name ${BOOKS} } }`,
  );
  const wrong = await reader.run(
    `{ client(companyId: ${id}, id: ${ledger.clientId}) { id balanceMovements(first: 0) { nodes { id } }
        balanceStatement(from: "2026-01-02", until: "2026-01-01") { count } } }`,
  );

  expect([listed.data, errorCodes(listed)]).toEqual([
    { clients: { nodes: [books] } },
    ["FORBIDDEN", "FORBIDDEN"],
  ]);
  expect([changed.data, errorCodes(changed)]).toEqual([
    { updateClient: { name: "Renamed", ...books } },
    ["FORBIDDEN", "FORBIDDEN"],
  ]);
  expect([wrong.data, errorCodes(wrong).sort()]).toEqual([
    { client: books },
    ["BAD_REQUEST", "VALIDATION_FAILED"],
  ]);
});

it("checks what a client's fields are asked for as the operations do, at each row", async () => {
  const { company, clientId } = await twoYears();
  const period = 'from: "2025-01-01 00:00:00", until: "2026-01-01 00:00:00"';
  const ask = (field: string, run = company.owner) =>
    run.run(`{ client(companyId: ${company.id}, id: ${clientId}) { id ${field} } }`);
  const wrong = async (field: string) => {
    const { data, errors } = await ask(field);
    expect(data?.["client"]).toMatchObject({ id: clientId });
    return errors?.map(({ extensions }) => [extensions["code"], wrongFields(extensions["errors"] as never)]);
  };

  for (const [currency, rule] of [
    ["x", "min_length"],
    ["x1Y", "pattern"],
    ["ABCDEFGHI", "max_length"],
  ] as const) {
    const told = [["VALIDATION_FAILED", [`currencyIso:${rule}`]]];
    expect(await wrong(`balanceMovements(currencyIso: "${currency}") { totalCount }`)).toEqual(told);
    expect(await wrong(`balanceStatement(${period}, currencyIso: "${currency}") { count }`)).toEqual(told);
  }
  expect(await wrong('balanceStatement(from: "2025-13-01", until: "x") { count }')).toEqual([
    ["VALIDATION_FAILED", ["from:datetime", "until:datetime"]],
  ]);
  expect(await wrong('balanceStatement(from: "2026-01-01", until: "2026-01-01") { count }')).toEqual([
    ["VALIDATION_FAILED", ["until:after"]],
  ]);
  expect(await wrong('balanceMovements(first: 201, currencyIso: "x") { totalCount }')).toEqual([
    ["BAD_REQUEST", ["currencyIso:min_length", "first:max"]],
  ]);
  const { client } = dataOf(
    await ask(
      `balanceMovements(currencyIso: "usd") { totalCount } balanceStatement(${period}, currencyIso: "usd") { count }`,
    ),
  );
  expect(client).toMatchObject({ balanceMovements: { totalCount: 4 }, balanceStatement: { count: 1 } });
  const outsider = await adminWith(gateway, company.id, "access_clients");
  expect(errorCodes(await ask('balanceMovements(currencyIso: "x") { totalCount }', outsider))).toEqual([
    "FORBIDDEN",
  ]);
});

it("hides from a client the balance of the other side, its movement, and what the hash is made of", async () => {
  const mine = await signedInClient(gateway, ledger.company.id);
  await adjust(300, { key: mine.id });
  const field = (name: string) =>
    mine.client.run(`{ me { client { balanceMovements { nodes { amountE2 ${name} } } } } }`);

  for (const name of ["counterpart { amountE2 }", "proof { text }"]) {
    const result = await field(name);
    const nodes = [{ amountE2: 300, [String(name.split(" ")[0])]: null }];
    expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
    expect(result.data?.["me"]).toEqual({ client: { balanceMovements: { nodes } } });
  }
  const path = `/companies/${ledger.company.id}/clients/${mine.id}/balance-movements?load=counterpart`;
  expect((await mine.client.rest("GET", path)).status).toBe(403);
});

it("says over REST who owes, and takes fields and load there", async () => {
  await adjust(-4);
  await adjust(-5, { type: "city", key: ledger.cityId });
  const path = `/companies/${ledger.company.id}/cities/${ledger.cityId}/balance-movements/debt`;
  const get = (query: string) => ledger.company.owner.rest("GET", `${path}${query}`);

  const whole = await get("?load=holder");
  const chosen = await get("?fields=holder_type,holder_key,holder_name,final_balance_e2");
  const wrong = await get("?fields=who&load=what");

  expect(whole.body.map(({ holder }: { holder: object }) => holder)).toEqual([
    expect.objectContaining({ type: "city", key: ledger.cityId, name: "Town", balance_e2: -5 }),
    expect.objectContaining({ type: "client", key: ledger.clientId, balance_e2: -4 }),
  ]);
  expect(chosen.body).toEqual([
    { holder_type: "city", holder_key: ledger.cityId, holder_name: "Town", final_balance_e2: -5 },
    {
      holder_type: "client",
      holder_key: ledger.clientId,
      holder_name: expect.any(String) as string,
      final_balance_e2: -4,
    },
  ]);
  expect([chosen.headers["x-total-count"], wrong.status]).toEqual(["2", 400]);
});

it("exports movements with holder and counterparty, without JSON, with the fields and relations asked for", async () => {
  await adjust(5, { description: "=1+1", account: "cash_box" });
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 30 } });
  const { db } = gateway;
  const { name } = await db.client.findFirstOrThrow({
    where: { companyId: ledger.company.id, id: ledger.clientId },
  });
  const company = await db.company.findFirstOrThrow({ where: { id: ledger.company.id } });
  const of = `type=client&key=${ledger.clientId}&format=csv`;
  const get = (query = "") => ledger.company.owner.rest("GET", `${ledger.movements}?${of}${query}`);

  const whole = lines((await get()).body);
  const chosen = await get(
    "&sort=created_at&fields=number,counterpart_account,amount,hash,final_balance_e2&load=author",
  );
  const wrong = await get("&fields=colour&load=moon");
  const outsider = await adminWith(gateway, ledger.company.id, "access_balance");
  const refused = await outsider.rest("GET", `${ledger.movements}?${of}&load=author`);
  const { movements } = await storedLedger(gateway, ledger.company.id);

  expect(whole[0]).toBe(
    "id,number,initial_balance_e2,amount_e2,final_balance_e2,type,description,is_deferred,author_id,currency_iso,holder_type," +
      "holder_key,holder_account,holder_name,counterpart_type,counterpart_key,counterpart_account,counterpart_name,related_type," +
      "related_id,transfer_id,reverses_id,created_at",
  );
  expect(whole[1]).toContain(
    `,2,5,30,35,change,,false,${ledger.company.ownerId},USD,client,${ledger.clientId},,${name},company,${ledger.company.id},,${company.name},order,${ledger.orderId},`,
  );
  expect(whole[2]).toContain(`,client,${ledger.clientId},,${name},account,0,cash_box,cash_box,,,`);
  expect(whole.join("\n")).not.toContain("{");
  const hashes = movements
    .filter(({ holderType }) => holderType === "client")
    .map(({ hash }) => Buffer.from(hash).toString("hex"));
  const [header, one, two] = lines(chosen.body);
  expect(header?.split(",").slice(0, 8)).toEqual([
    "number",
    "counterpart_account",
    "amount.amount_e2",
    "amount.currency_iso",
    "amount.formatted_iso",
    "amount.formatted",
    "hash",
    "final_balance_e2",
  ]);
  expect(header).toContain(",author.id,");
  expect(one).toContain(`1,cash_box,5,USD,USD 0.05,$0.05,${hashes[0]},5,`);
  expect(two).toContain(`2,,30,USD,USD 0.30,$0.30,${hashes[1]},35,`);
  expect(wrong.status).toBe(400);
  expect(wrongFields(wrong.body.errors)).toEqual(["fields:unknown", "load:unknown"]);
  expect(refused.status).toBe(403);
});

it("exports what a holder has at one moment, in whatever order, while others post", async () => {
  const { owner, id: companyId } = ledger.company;
  await gateway.asOwner(
    `SELECT w.outcome FROM generate_series(1, 160) AS n CROSS JOIN LATERAL
       write_movements($1, '{client}', ARRAY[$2::int + 0 * n], '{USD}', '{1}', '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL,
         NULL) AS w`,
    [companyId, ledger.clientId],
  );
  const path = `${ledger.movements}?type=client&key=${ledger.clientId}&report=1&fields=number`;

  let isDone = false;
  const csv = owner.rest("GET", `${path}&sort=amount_e2`).finally(() => (isDone = true));
  for (let n = 0; !isDone; n += 1) await adjust(n % 2 === 0 ? -1 : 2);

  const [header, ...numbers] = lines((await csv).body);
  const inOrder = numbers.map(Number).sort((one, other) => one - other);
  expect(header).toBe("number");
  expect(inOrder).toEqual(Array.from(inOrder, (_, place) => place + 1));
  expect(inOrder.length).toBeGreaterThanOrEqual(160);
});

it("ends pages by cursor with the first one when they are to be of one moment, of one holder alone", async () => {
  const { owner, id: companyId } = ledger.company;
  for (const amount of [1, 2, 3]) await adjust(amount);
  const list = (args: string) =>
    owner.run(
      `{ balanceMovements(companyId: ${companyId}, type: client, orderBy: { field: AMOUNT_E2, direction: ASC }${args}) {
           totalCount nodes { amountE2 } pageInfo { endCursor hasNextPage } } }`,
    );
  const page = async (args: string) =>
    dataOf(await list(`, key: ${ledger.clientId}${args}`))["balanceMovements"] as {
      nodes: { amountE2: number }[];
      pageInfo: { endCursor: string };
    };
  const first = await page(", ofOneMoment: true, first: 1");
  await adjust(-1);
  await adjust(4);

  const rest = await page(`, ofOneMoment: true, after: "${first.pageInfo.endCursor}"`);
  const mixed = await list(`, key: ${ledger.clientId}, after: "${first.pageInfo.endCursor}"`);
  const ofAll = await list(", ofOneMoment: true");
  const ofAccounts = await Promise.all(
    ["adjustments", "nobody_has_this", 'nobody_has_this", key: 0, currencyIso: "USD'].map((account) =>
      owner.run(
        `{ balanceMovements(companyId: ${companyId}, type: account, account: "${account}", ofOneMoment: true) { nodes { id } } }`,
      ),
    ),
  );

  expect(first).toMatchObject({ totalCount: 3, nodes: [{ amountE2: 1 }] });
  expect(rest).toMatchObject({
    totalCount: 3,
    nodes: [{ amountE2: 2 }, { amountE2: 3 }],
    pageInfo: { hasNextPage: false },
  });
  expect((await page(", ofOneMoment: true")).nodes.map(({ amountE2 }) => amountE2)).toEqual([-1, 1, 2, 3, 4]);
  expect(errorCodes(mixed)).toEqual(["BAD_REQUEST"]);
  expect(wrongFields(ofAll.errors?.[0]?.extensions["errors"])).toEqual(["ofOneMoment:forbidden"]);
  for (const { errors } of ofAccounts)
    expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["ofOneMoment:forbidden"]);
});

it("takes the headers of what is loaded along as columns, one by one and in their order", async () => {
  await adjust(5);
  const get = (query: string) =>
    ledger.company.owner.rest(
      "GET",
      `${ledger.movements}?type=client&key=${ledger.clientId}&report=1&${query}`,
    );
  const headerOf = async (query: string) => lines((await get(query)).body)[0]?.split(",");

  const named = await get("load=author&columns=author.name,number");
  const unknown = await get("load=author&columns=number,author.nmae");
  const unloaded = await get("columns=number,author.name");

  expect(lines(named.body)).toEqual(["author.name,number", "Owner,1"]);
  for (const { status, body } of [unknown, unloaded])
    expect([status, wrongFields(body.errors)]).toEqual([400, ["columns:unknown"]]);
  expect(unknown.body.detail).toMatch(/^columns: "author\.nmae" is unknown; allowed: .*, author\.name, /u);
  expect(await headerOf("columns=amount.formatted,number")).toEqual(["amount.formatted", "number"]);
  expect(await headerOf("load=proof&columns=proof.text,proof")).toEqual([
    "proof.text",
    "proof.previous_hash",
    "proof.hash",
  ]);
  expect(await headerOf("load=author.admin_type&columns=number,author.admin_type.name")).toEqual([
    "number",
    "author.admin_type.name",
  ]);
  for (const header of (await headerOf("load=author.admin_type")) ?? [])
    expect((await get(`load=author.admin_type&columns=${header}`)).status).toBe(200);
  expect(await headerOf("load=author.admin_type")).toContain("author.admin_type.name");
});

it("reads days of filters at the company's zone, in lists and exports", async () => {
  const { company, clientId } = await twoYears();
  const path = `/companies/${company.id}/balance-movements?type=client&key=${clientId}&filter[created_at][gte]=2025-01-01`;

  const listed = await company.owner.rest("GET", `${path}&filter[created_at][lt]=2026-01-01`);
  const csv = await company.owner.rest("GET", `${path}&format=csv`);

  expect(listed.body.map(({ amount_e2 }: { amount_e2: number }) => amount_e2)).toEqual([40]);
  expect(lines(csv.body)).toHaveLength(3);
});

it("takes no amount for an integer that is none, on both faces, and posts nothing", async () => {
  const post = (json: string) =>
    ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, {
      body: `{"type":"client","key":${ledger.clientId},"amount_e2":${json}}`,
      headers: { "content-type": "application/json" },
    });
  const MUTATION = `mutation ($i: AdjustBalanceInput!) { adjustBalance(companyId: ${ledger.company.id}, input: $i) { amountE2 } }`;
  const graphql = await gateway.app.inject({
    method: "POST",
    url: "/graphql",
    headers: { authorization: `Bearer ${ledger.company.owner.token}`, "content-type": "application/json" },
    body: `{"query":${JSON.stringify(MUTATION)},"variables":{"i":{"type":"client","key":${ledger.clientId},"amountE2":4503599627370496.4}}}`,
  });

  for (const json of ["4503599627370496.4", "1.00000000000000000001", "45035996273704964e-1", '"5"', "5.5"]) {
    const { status, body } = await post(json);
    expect([json, status, wrongFields(body.errors)]).toEqual([json, 422, ["amount_e2:type"]]);
  }
  const tooSmall = await post("1e-400");
  expect([tooSmall.status, wrongFields(tooSmall.body.errors)]).toEqual([422, ["amount_e2:min"]]);
  expect(graphql.json().errors[0].extensions.code).toBe("VALIDATION_FAILED");
  expect((await storedLedger(gateway, ledger.company.id)).movements).toEqual([]);
  const exact = await post("4503599627370496.0");
  expect([exact.status, exact.body.amount_e2]).toEqual([200, 4_503_599_627_370_496]);
});

it("lets an auditor compute the chain again by what the API answers", async () => {
  await adjust(100, { description: "Zwölf ☕" });
  await adjust(-30);
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 9 } });
  const { balanceMovements } = dataOf(
    await ledger.company.owner.run(
      `{ balanceMovements(companyId: ${ledger.company.id}, orderBy: [{field: CREATED_AT, direction: ASC}], first: 50) {
        nodes { id number amountE2 description hash proof { previousHash text hash } } } }`,
    ),
  );
  const nodes = balanceMovements.nodes as {
    id: number;
    number: number;
    amountE2: number;
    description: string;
    hash: string;
    proof: { previousHash: string | null; text: string; hash: string };
  }[];

  expect(nodes).toHaveLength(6);
  const known = new Set(nodes.map(({ hash }) => hash));
  for (const { id, number, amountE2, description, hash, proof } of nodes) {
    const { previousHash, text } = proof;
    const own = createHash("sha256")
      .update(previousHash ?? "", "hex")
      .update(text)
      .digest("hex");
    expect([own, proof.hash]).toEqual([hash, hash]);
    expect(number === 1 ? previousHash === null : known.has(previousHash ?? "")).toBe(true);
    const fields = text.split("\n");
    expect([fields[0], fields[2], fields[6], fields[8]]).toEqual([
      "v2",
      String(id),
      String(number),
      String(amountE2),
    ]);
    expect(text.endsWith(`\n${description}`)).toBe(true);
  }
});
