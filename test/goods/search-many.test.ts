import { createCompany, createGood, signedInClient, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";

/** Goods of each kind: so many that only the recent ones are read, where these are enough. */
const MANY = 4_000;
const MOST_FOUND = 500;

let gateway: Gateway;
let company: TestCompany;
let oldIds: number[];
let evenIds: number[];
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  company = await createCompany(gateway);
  const other = await createCompany(gateway);
  oldIds = await makeMany(company.id, "Antique");
  evenIds = await makeMany(company.id, "Plate");
  await makeMany(other.id, "Antique plate");
  await gateway.db.$executeRaw`ANALYZE goods`;
});
afterAll(() => gateway.close());

/** @returns the ids, the newest first. */
async function makeMany(companyId: number, name: string): Promise<number[]> {
  const made = await gateway.db.$queryRaw<{ id: number }[]>`
    INSERT INTO goods (company_id, name, short_details, details, price_e2, type, updated_at)
    SELECT ${companyId}::int, ${name}, '', '', n, 0, now() FROM generate_series(1, ${MANY}::int) AS n RETURNING id`;
  return made.map(({ id }) => id).sort((one, other) => other - one);
}

async function found(q: string, parameters = "", by: Client = gateway.anonymous): Promise<number[]> {
  const { status, body } = await by.rest(
    "GET",
    `/companies/${company.id}/goods/search?q=${encodeURIComponent(q)}&paginate=false&fields=id${parameters}`,
  );
  expect(status).toBe(200);
  return (body as { id: number }[]).map(({ id }) => id);
}

const statementsOf = async (q: string) => {
  gateway.statements.length = 0;
  await found(q);
  return gateway.statements.filter((text) => text.includes("search_words @@")).length;
};

describe("searching among very many goods", () => {
  it("takes the newest of those that fit alike, wherever they lie", async () => {
    for (const q of ["plate", "pla", "platte"]) expect(await found(q)).toEqual(evenIds.slice(0, MOST_FOUND));
    for (const q of ["antique", "anti", "antiqeu"])
      expect(await found(q)).toEqual(oldIds.slice(0, MOST_FOUND));
  });

  it("reads the recent ones alone where these are enough", async () => {
    expect([await statementsOf("plate"), await statementsOf("antique")]).toEqual([1, 2]);
  });

  it("heeds filters, and favourites that are not recent", async () => {
    const me = await signedInClient(gateway, company.id);
    const goodId = evenIds.at(-1) as number;
    await gateway.db.clientFavorite.create({ data: { companyId: company.id, clientId: me.id, goodId } });
    const mine = await found("plate", `&client_id=${me.id}`, me.client);

    expect([mine[0], mine.length]).toEqual([goodId, MOST_FOUND]);
    expect(await found("plate", "&filter[price_e2][lte]=10")).toEqual(evenIds.slice(-10));
  });

  it("finds each word that begins so, however many there are and however short or long", async () => {
    const make = async (name: string) => (await createGood(gateway, company.id, { name })).id;
    const few = [await make("Va"), await make("Vab"), await make("Va\u{1F600}")];
    const many: number[] = [];
    for (let n = 0; n < 25; n += 1) many.push(await make(`Koz${String.fromCharCode(97 + n)}`));
    const sku = (await createGood(gateway, company.id, { name: "Coded", sku: "73519" })).id;

    expect(new Set(await found("va"))).toEqual(new Set(few));
    expect(new Set(await found("koz"))).toEqual(new Set(many));
    expect([await found("7351"), await found("73519")]).toEqual([[sku], [sku]]);
  });
});
