import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Answer, Attacker } from "./attacker.js";
import type { CostlyData } from "./data.js";
import type { Pair } from "./derived.js";

/** A kind of costly request: what it sends, and whether an answer is as it should be. */
export interface Attack {
  readonly name: string;
  run(attacker: Attacker, data: CostlyData): Promise<readonly Answer[]>;
  readonly isFine: (answer: Answer) => boolean;
}

const ANSWERED = ({ status }: Answer): boolean => status > 0 && status < 500;
/** Too many at once may be put off, but neither fail nor hang. */
const ANSWERED_OR_PUT_OFF = (answer: Answer): boolean => ANSWERED(answer) || answer.status === 503;
const REFUSED = ({ status, rules }: Answer): boolean => status >= 400 && status < 500 && rules.length > 0;

const AT_ONCE = 2;
const KEYED = 24;
const DOCUMENTS = 500;
const DOCUMENT_BYTES = 30_000;
const WRONG_ITEMS = 340_000;
const NESTED = 400_000;
const SOCKETS = 100;
const DRIPS = 20;
const DRIP_MS = 100;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const atOnce = (count: number, ask: (index: number) => Promise<Answer>) => Promise.all(times(count, ask));

/** Selects branches and their shop in turn. */
function circles(levels: number): string {
  return levels === 0 ? "id" : `branches { name branchGroup { name ${circles(levels - 1)} } }`;
}

/** 2^n fields by n fragments. */
function doubling(count: number): string {
  const fragments = times(
    count,
    (index) =>
      `fragment F${index} on Query { ${index === 0 ? "__typename" : `...F${index - 1} ...F${index - 1}`} }`,
  );
  return `{ ...F${count - 1} } ${fragments.join(" ")}`;
}

const dates = (count: number) =>
  times(count, (index) => new Date(Date.UTC(2020, 0, 1, 0, 0, index)).toISOString());

const unpaged = (count: number, { companyId, goodTagId }: CostlyData) =>
  `{ ${times(count, (index) => `a${index}: goodsOfTag(companyId: ${companyId}, goodTagId: ${goodTagId}) { id name }`).join(" ")} }`;

const codes = (count: number, { companyId, couponId }: CostlyData) =>
  `{ ${times(count, (index) => `a${index}: allCouponCodes(companyId: ${companyId}, couponId: ${couponId}) { id code }`).join(" ")} }`;

function long(pages: number, copies: number, { companyId, goodTypeId }: CostlyData): string {
  const texts = times(copies, (index) => `d${index}: details`).join(" ");
  const page = `goods(companyId: ${companyId}, first: 200, filter: { goodTypeId: { eq: ${goodTypeId} } }) { nodes { ${texts} } }`;
  return `{ ${times(pages, (index) => `a${index}: ${page}`).join(" ")} }`;
}

const PROTO = "__proto__";

/** The kinds of requests that once stopped the service for everybody. */
export const ATTACKS: readonly Attack[] = [
  ...[1, 2, 4].map((levels) => ({
    name: `shop of 200 branches, in circles ${levels} times`,
    run: (attacker: Attacker, { companyId, branchGroupId }: CostlyData) =>
      atOnce(AT_ONCE, () =>
        attacker.graphql(
          `{ branchGroup(companyId: ${companyId}, id: ${branchGroupId}) { name ${circles(levels)} } }`,
        ),
      ),
    isFine: levels < 4 ? ANSWERED : REFUSED,
  })),
  {
    name: "load within load",
    run: (attacker, { companyId }) =>
      atOnce(AT_ONCE, () =>
        attacker.ask({ path: `/api/companies/${companyId}/goods?per_page=200&load=branch_group.branches` }),
      ),
    isFine: ANSWERED,
  },
  {
    name: "load in circles",
    run: (attacker, { companyId }) =>
      atOnce(AT_ONCE, () =>
        attacker.ask({
          path: `/api/companies/${companyId}/goods?load=branch_group.branches.branch_group.branches`,
        }),
      ),
    isFine: REFUSED,
  },
  ...[10, 50].flatMap((count) => [
    {
      name: `${count} aliases of 10,000 goods`,
      run: (attacker: Attacker, data: CostlyData) =>
        atOnce(AT_ONCE, () => attacker.graphql(unpaged(count, data))),
      isFine: count === 10 ? ANSWERED : REFUSED,
    },
    {
      name: `${count} aliases of 10,000 codes`,
      run: (attacker: Attacker, data: CostlyData) =>
        atOnce(AT_ONCE, () => attacker.graphql(codes(count, data))),
      isFine: count === 10 ? ANSWERED : REFUSED,
    },
  ]),
  {
    name: "200 texts of 60 KB",
    run: (attacker, data) => atOnce(AT_ONCE, () => attacker.graphql(long(1, 1, data))),
    isFine: ({ status }) => status === 200,
  },
  {
    name: "200 texts of 60 KB, on 50 pages",
    run: (attacker, data) =>
      atOnce(AT_ONCE, () => attacker.graphql(long(50, 1, data).replaceAll("d0: ", ""))),
    isFine: REFUSED,
  },
  {
    name: "200 texts of 60 KB, each 50 times",
    run: (attacker, data) => atOnce(AT_ONCE, () => attacker.graphql(long(1, 50, data).replace("a0: ", ""))),
    isFine: REFUSED,
  },
  {
    name: "340,000 wrong items",
    run: async (attacker, { companyId }) => {
      const items = `[${times(WRONG_ITEMS, () => "1").join()}]`;
      return Promise.all([
        attacker.ask({
          method: "POST",
          path: "/graphql",
          body: `{"query":"mutation($input: CreateCouponInput!) { createCoupon(companyId: ${companyId}, input: $input) { id } }","variables":{"input":{"config":{"days":${items}}}}}`,
        }),
        attacker.ask({
          method: "POST",
          path: `/api/companies/${companyId}/coupons`,
          body: `{"config":{"days":${items}}}`,
        }),
      ]);
    },
    isFine: REFUSED,
  },
  {
    name: "nested items",
    run: async (attacker, { companyId }) => {
      const items = "[".repeat(NESTED) + "]".repeat(NESTED);
      return Promise.all([
        attacker.ask({
          method: "POST",
          path: "/graphql",
          body: `{"query":"query($f: GoodFilterInput) { goods(companyId: ${companyId}, filter: $f) { totalCount } }","variables":{"f":${items}}}`,
        }),
        attacker.ask({
          method: "POST",
          path: `/api/companies/${companyId}/coupons`,
          body: `{"config":${items}}`,
        }),
      ]);
    },
    isFine: REFUSED,
  },
  {
    name: "1,000 dates with in and nin",
    run: (attacker, { companyId }) =>
      atOnce(AT_ONCE, (index) =>
        attacker.graphql(
          "query($id: Int!, $filter: GoodFilterInput) { goods(companyId: $id, filter: $filter) { totalCount } }",
          {
            id: companyId,
            filter: { createdAt: index % 2 === 0 ? { in: dates(1_000) } : { nin: dates(1_000) } },
          },
        ),
      ),
    isFine: REFUSED,
  },
  {
    name: "200 dates with in and nin",
    run: (attacker, { companyId }) =>
      atOnce(AT_ONCE, () =>
        attacker.graphql(
          "query($id: Int!, $filter: GoodFilterInput) { goods(companyId: $id, filter: $filter) { totalCount } }",
          { id: companyId, filter: { createdAt: { in: dates(100), nin: dates(100) } } },
        ),
      ),
    isFine: ANSWERED,
  },
  {
    name: "doubling fragments",
    run: (attacker) => atOnce(AT_ONCE, (index) => attacker.graphql(doubling(20 + index * 15))),
    isFine: REFUSED,
  },
  {
    name: "500 documents of 30 KB",
    run: async (attacker, { companyId }) => {
      const answers: Answer[] = [];
      for (let index = 0; index < DOCUMENTS; index += 1) {
        const comment = `#${String(index).padEnd(DOCUMENT_BYTES - 3_000, "x")}`;
        const fields = times(120, (field) => `name # ${index} ${field}`).join("\n");
        answers.push(
          await attacker.graphql(
            `${comment}\n{ goods(companyId: ${companyId}, first: 1) { nodes { ${fields}\n } } }`,
          ),
        );
      }
      return answers;
    },
    isFine: ({ status }) => status === 200,
  },
  {
    name: "24 keyed requests at once",
    run: async (attacker, { companyId }) => {
      const answers: Answer[][] = [];
      for (let round = 0; round < 5; round += 1)
        answers.push(
          await atOnce(KEYED, (index) =>
            attacker.ask({
              method: "POST",
              path: "/graphql",
              headers: { "idempotency-key": `calm-${round}-${index}` },
              body: {
                query: `mutation { createCity(companyId: ${companyId}, input: { name: "City ${index}", countryIso: "NL" }) { id } }`,
              },
            }),
          ),
        );
      return answers.flat();
    },
    isFine: ANSWERED_OR_PUT_OFF,
  },
  {
    name: "24 exports at once",
    run: (attacker, { companyId, couponId }) =>
      atOnce(KEYED, () =>
        attacker.ask({ path: `/api/companies/${companyId}/coupons/${couponId}/codes?format=csv` }),
      ),
    isFine: ANSWERED_OR_PUT_OFF,
  },
  {
    name: "__proto__",
    run: (attacker, { companyId }) =>
      Promise.all([
        attacker.graphql(
          `query($${PROTO}: Int) { goods(companyId: ${companyId}, first: $${PROTO}) { totalCount } }`,
        ),
        attacker.graphql(`{ ${PROTO}: goods(companyId: ${companyId}) { totalCount } }`),
        attacker.ask({ path: `/api/companies/${companyId}/goods?filter[__proto__][eq]=1` }),
        attacker.ask({ path: `/api/companies/${companyId}/goods?filter[%5f%5fproto__][eq]=1` }),
      ]),
    isFine: REFUSED,
  },
  {
    name: "100 sockets that drip",
    run: async (attacker, { companyId }) => {
      const { hostname, port } = new URL(attacker.url);
      const sockets = times(SOCKETS, () => connect(Number(port), hostname).on("error", () => undefined));
      for (const socket of sockets)
        socket.write(
          `POST /api/companies/${companyId}/coupons HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer ${attacker.token}\r\nContent-Length: 1000\r\n\r\n`,
        );
      for (let drip = 0; drip < DRIPS; drip += 1) {
        for (const socket of sockets) if (socket.writable) socket.write("x");
        await wait(DRIP_MS);
      }
      const meanwhile = await attacker.ask({ path: `/api/companies/${companyId}/goods?per_page=1` });
      for (const socket of sockets) socket.destroy();
      return [meanwhile];
    },
    isFine: ({ status }) => status === 200,
  },
];

/**
 * Returns whether the answer to the costliest request is as it should be. Reading may turn out to cost more than was charged
 * before; items of input arrays have the right types, but not always allowed values.
 */
export function isLegalFine(group: Pair["group"], answer: Answer): boolean {
  if (group === "input arrays") return ANSWERED(answer);
  return answer.status === 200 || (group !== "filters" && answer.rules[0] === "cost");
}

/** Says whether the answer to the first request beyond the limits is as it should be. */
export const isIllegalFine = REFUSED;
