import { get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Attacker, type Answer, type Asked } from "../calm/attacker.js";
import type { CostlyData } from "../calm/data.js";

/** What a flood needs: where the service is, who asks, and what there is. */
export interface Ground {
  readonly url: string;
  readonly data: CostlyData;
  /** Tokens of the whole staff of the company that floods. */
  readonly staff: readonly string[];
  /** A picture, and a table of goods, as bytes. */
  readonly picture: Buffer;
  readonly table: Buffer;
  /** Goods that get the pictures by turns: one has few of them. */
  readonly goodIds: readonly number[];
  /** An import of goods of that company. */
  readonly importId: number;
}

/** What came of the requests of a flood. */
export interface Flooded {
  /** How many requests were answered with each status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How many had no answer yet when the flood ended. */
  readonly unanswered: number;
}

/** A flood that goes on until it is ended. */
export interface Flood {
  readonly name: string;
  /** Asks once for what the flood asks for, while nobody else asks. */
  askOnce(ground: Ground): Promise<Answer>;
  /** Begins the flood. @returns a function that ends it and returns what came of it. */
  begin(ground: Ground): () => Promise<Flooded>;
}

const CONNECTIONS = 16;
const SLOW_READERS = 100;
const ADDRESSES = 8;
const BULK_ROWS = 200;
/** Above the ids that there are: each row is looked for in a transaction of its own, and nothing goes. */
const UNKNOWN_ID = 1_000_000_000;
const ALIASES = 49;
const SAME_FIELDS = 100;
/** Tells what a run makes from what earlier runs have left in a database that is kept: neither names nor keys come again. */
const RUN = Date.now().toString(36);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const graphql = (query: string): Asked => ({ method: "POST", path: "/graphql", body: { query } });

/** A body with one file. */
function form(field: string, name: string, type: string, bytes: Buffer): Pick<Asked, "body" | "headers"> {
  const boundary = "fair-boundary";
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  };
}

const largePages: (ground: Ground) => Asked = ({ data }) => ({
  path: `/api/companies/${data.companyId}/goods?per_page=200&filter[good_type_id][eq]=${data.goodTypeId}`,
});

/** One flood for each kind of work, each by as many connections as ask again as soon as they are answered. */
export const FLOODS: readonly Flood[] = [
  flood("pages, 16 strangers", largePages, { isStranger: true }),
  flood("pages, 150 strangers", largePages, { isStranger: true, connections: 150 }),
  flood("pages, strangers of 8 addresses", largePages, { isStranger: true, addresses: ADDRESSES }),
  flood("searches", ({ data }) =>
    graphql(
      `{ ${times(ALIASES, (n) => `a${n}: searchGoods(companyId: ${data.companyId}, q: "good ${n}", first: 5) { nodes { id } }`).join(" ")} }`,
    ),
  ),
  flood("discounts", ({ data }) =>
    graphql(
      `{ ${times(ALIASES, (n) => `a${n}: discounts(companyId: ${data.companyId}, input: { subtotalE2: 10000, withPromos: true }) { totalDiscountE2 }`).join(" ")} }`,
    ),
  ),
  flood("totals", ({ data }) =>
    graphql(
      `{ ${times(ALIASES, (n) => `a${n}: goods(companyId: ${data.companyId}, first: 1, filter: { name: { contains: "${n}" } }) { totalCount }`).join(" ")} }`,
    ),
  ),
  // No two are alike, and each repeats one field very often.
  flood(
    "new documents",
    ({ data, goodIds }, index) => {
      const good = `good(companyId: ${data.companyId}, id: ${goodIds[0] ?? 0}) { id }`;
      return graphql(`{ ${times(SAME_FIELDS, () => good).join(" ")} # ${RUN} ${index}\n}`);
    },
    { isStranger: true },
  ),
  flood("exports", ({ data }) => ({ path: `/api/companies/${data.companyId}/goods?format=csv` })),
  flood("pictures", ({ data, goodIds, picture }, index) => ({
    method: "POST",
    path: `/api/companies/${data.companyId}/goods/${goodIds[index % goodIds.length] ?? 0}/upload-picture`,
    ...form("image", "picture.png", "image/png", picture),
  })),
  flood("bulk", ({ data }) =>
    graphql(
      `mutation { restoreGoods(companyId: ${data.companyId}, ids: [${times(BULK_ROWS, (n) => UNKNOWN_ID + n).join()}]) { id } }`,
    ),
  ),
  flood("imports", (ground) => importOf(ground)),
  flood("streams", ({ data, importId }) => ({
    path: `/api/companies/${data.companyId}/jobs/import-${importId}/events`,
  })),
  { ...flood("slow readers", largePages), begin: slowReaders },
  flood(
    "mutations with keys",
    ({ data }, index) => ({
      ...graphql(
        `mutation { createCity(companyId: ${data.companyId}, input: { name: "City ${RUN} ${index}", countryIso: "NL" }) { id } }`,
      ),
      headers: { "idempotency-key": `fair-${RUN}-${index}` },
    }),
    { connections: 24 },
  ),
  flood("the whole staff", ({ data }) => ({ path: `/api/companies/${data.companyId}/goods?per_page=25` }), {
    connections: 64,
  }),
];

interface Crowd {
  readonly connections?: number;
  readonly addresses?: number;
  readonly isStranger?: boolean;
}

let asked = 0;

/** The import of a table, whose id its answer has. */
export const importOf = ({ data, table }: Pick<Ground, "data" | "table">): Asked => ({
  method: "POST",
  path: `/api/companies/${data.companyId}/branch-groups/${data.branchGroupId}/goods/import`,
  ...form("file", "goods.csv", "text/csv", table),
});

function counted(statuses: Map<number, number>, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}

function flood(
  name: string,
  make: (ground: Ground, index: number) => Asked,
  { connections = CONNECTIONS, addresses = 1, isStranger = false }: Crowd = {},
): Flood {
  const askOnce = async (ground: Ground): Promise<Answer> => {
    const attacker = new Attacker(ground.url, isStranger ? null : (ground.staff[0] ?? null));
    return attacker.ask(make(ground, (asked += 1))).finally(() => attacker.close());
  };
  const begin = (ground: Ground): (() => Promise<Flooded>) => {
    const { url, staff } = ground;
    const attackers = times(Math.max(addresses, isStranger ? 1 : staff.length), (index) => {
      const localAddress = `127.0.0.${index % addresses === 0 ? 1 : (index % addresses) + 1}`;
      const token = isStranger ? null : (staff[index % staff.length] ?? null);
      return new Attacker(url, token, { maxSockets: connections, localAddress });
    });
    const statuses = new Map<number, number>();
    let underWay = 0;
    let isOver = false;
    const work = async (worker: number): Promise<void> => {
      while (!isOver) {
        const attacker = attackers[worker % attackers.length] as Attacker;
        underWay += 1;
        const { status } = await attacker.ask(make(ground, (asked += 1)));
        if (isOver) return;
        underWay -= 1;
        counted(statuses, status);
      }
    };
    const working = Promise.all(times(connections, work));
    return async () => {
      isOver = true;
      for (const attacker of attackers) attacker.close();
      await working;
      return { statuses, unanswered: underWay };
    };
  };
  return { name, askOnce, begin };
}

/** Ask for large answers and read next to nothing of them. */
function slowReaders(ground: Ground): () => Promise<Flooded> {
  const { url, staff } = ground;
  const statuses = new Map<number, number>();
  let unanswered = SLOW_READERS;
  const requests = times(SLOW_READERS, (index) => {
    const headers = { authorization: `Bearer ${staff[index % staff.length] ?? ""}` };
    const sent = get(url + largePages(ground).path, { headers, agent: false }, (response) => {
      response.pause();
      unanswered -= 1;
      counted(statuses, response.statusCode ?? 0);
    });
    return sent.on("error", () => undefined);
  });
  return async () => {
    for (const request of requests) request.destroy();
    await wait(0);
    return { statuses, unanswered };
  };
}
