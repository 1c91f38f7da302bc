import { createHash } from "node:crypto";
import { parse, print, type DocumentNode } from "graphql";
import { Documents } from "../../src/engine/execution/documents.js";
import { FairTurns, Turn } from "../../src/engine/limits/fair-turns.js";
import type { RequestTrace } from "../../src/engine/request/request-trace.js";
import type { Request } from "../../src/engine/request/request.js";
import { Admissions } from "../../src/engine/request/admissions.js";
import { createSchema } from "../../src/schema.js";
import type { Runtime } from "../../src/core/operations/operation-context.js";
import { companyFacts } from "../support/company-row.js";

const finished = createSchema();
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the room of documents", () => {
  it("prepares a text once, and gives it by its hash too", () => {
    const documents = new Documents(finished);
    const text = "query A { company(companyId: 1) { id } } query B { company(companyId: 2) { name } }";

    const prepared = documents.ofText(text);

    expect(documents.ofText(text)).toBe(prepared);
    expect(documents.ofHash(hashOf(text))).toBe(prepared.document);
    expect(prepared.operation("B")?.kind).toBe("query");
    expect(prepared.operation(null)).toBeNull();
    expect(prepared.operation("C")).toBeNull();
  });

  it("keeps no document of a text that does not fit the schema or is no GraphQL", () => {
    const documents = new Documents(finished);

    for (const text of ["{ nothing }", "{ company(", `{ ${"__typename ".repeat(4_001)} }`]) {
      const prepared = documents.ofText(text);
      expect([prepared.document, prepared.operation(null)]).toEqual([null, null]);
      expect(documents.ofHash(hashOf(text))).toBeUndefined();
    }
    expect(documents.size).toBe(0);
  });

  it("takes an earlier name of an input type in variables, and nowhere else", () => {
    const documents = new Documents(finished);
    const text = (type: string) =>
      `mutation ($c: Int!, $input: ${type}) { createGood(companyId: $c, input: $input) { id } }`;
    const prepared = documents.ofText(text("GoodInput!"));

    expect(print(prepared.document as DocumentNode)).toBe(print(parse(text("CreateGoodInput!"))));
    expect(documents.ofHash(hashOf(text("GoodInput!")))).toBe(prepared.document);
    expect(documents.ofText(text("CouponInput!")).document).toBeNull();
    expect(documents.ofText("{ good(companyId: 1, id: 1) { ... on GoodInput { id } } }").document).toBeNull();
    expect(finished.schema.getType("CreateGoodInput")?.description).toBe(
      "A product or a service. Documents may call it `GoodInput`, since 2026-11-26 until 2027-05-26.",
    );
  });

  it("prepares a long text a slice at a time, as one that is prepared at once", async () => {
    const goods = (field: string) => Array(60).fill(`good(companyId: 1, id: 2) { id ${field} }`).join(" ");
    const fragment = "fragment F on Good { id ...F }";
    const texts = {
      "fits the schema": `{ ${goods("name")} }`,
      "has faults of several rules": `query ($a: Int, $b: Nothing) { ${goods("wrong")} } ${fragment}`,
      "cannot be merged": `{ ${goods("name")} good(companyId: 1, id: 3) { id } }`,
      "is too deep": `{ ${goods("name")} __schema { types { fields { type { fields { type { fields { name } } } } } } } }`,
      "is no GraphQL": `{ ${goods("name")}`,
    };
    for (const [what, text] of Object.entries(texts)) {
      const [atOnce, inSlices] = [new Documents(finished), new Documents(finished)];
      const preparing = inSlices.ofTextFor(text, null);
      expect([what, preparing instanceof Promise]).toEqual([what, true]);

      const [one, other] = [atOnce.ofText(text), await preparing];

      expect([what, other.excesses]).toEqual([what, one.excesses]);
      expect([what, other.document === null]).toEqual([what, one.document === null]);
      expect(inSlices.faultOf(text)).toBe(atOnce.faultOf(text));
      expect(inSlices.ofTextFor(text, null)).toBe(other);
    }
  });

  it("prepares no text for somebody who has gone", async () => {
    const documents = new Documents(finished);
    const text = `{ ${Array(60).fill("good(companyId: 1, id: 2) { id }").join(" ")} }`;
    const gone = { isGone: true, loopMs: 0, used: 0 };

    await expect(documents.ofTextFor(text, gone)).rejects.toMatchObject({ code: "UNAVAILABLE" });

    expect(documents.size).toBe(0);
  });

  it("lets introspection in only where it is on", () => {
    const text = "{ __schema { queryType { name } } }";

    expect(new Documents(finished).ofText(text).document).not.toBeNull();
    expect(new Documents(finished, { introspection: false }).ofText(text).document).toBeNull();
  });

  it("lets go what was not asked for longest, when it is full", () => {
    const documents = new Documents(finished);
    const fields = "id name createdAt updatedAt ".repeat(60);
    const text = (index: number) => `query Q${index} { company(companyId: 1) { ${fields} } }`;

    for (let index = 0; index < 400; index += 1) documents.ofText(text(index));

    expect(documents.size).toBeGreaterThan(20);
    expect(documents.size).toBeLessThan(400);
    expect(documents.ofHash(hashOf(text(0)))).toBeUndefined();
    expect(documents.ofHash(hashOf(text(399)))).toBeDefined();
  });

  it("has room for fewer documents when they are compiled, which the second run of each does", async () => {
    const kept = async (runs: number): Promise<number> => {
      const documents = new Documents(finished);
      const turns = new FairTurns({ most: 1, mostOfOne: 1 });
      const turn = new Turn(turns, turns.owner("somebody"));
      const request = { runtime: { reader: () => ({}) }, turn } as unknown as Request;
      const type = (depth: number): string =>
        depth === 0 ? "kind name" : `kind name ofType { ${type(depth - 1)} }`;
      const fields = `name fields { name description type { ${type(8)} } } inputFields { name type { ${type(8)} } }`;
      for (let index = 0; index < 150; index += 1) {
        const types = Array.from({ length: 5 }, (_, n) => `t${n}: __type(name: "Nothing") { ${fields} }`);
        const text = `query Q${index} { ${types.join(" ")} }`;
        documents.ofText(text);
        const operation = documents.ofText(text).operation(null);
        for (let run = 0; run < runs; run += 1) {
          const { errors } = (await operation?.run(request, {})) ?? {};
          expect(errors).toBeUndefined();
        }
      }
      return documents.size;
    };

    expect(await kept(1)).toBe(150);
    expect(await kept(2)).toBeLessThan(100);
  });
});

describe("the admissions of a request", () => {
  const operation = {
    access: { kind: "permission", permission: "access_goods" },
    hasCompany: true,
    companyIsOptional: false,
    idArguments: [],
  } as const;
  const company = companyFacts(7);
  const entered: number[] = [];
  let asked = 0;
  const runtime = {
    roles: {
      grantOf: () => {
        asked += 1;
        return Promise.resolve({ all: false, roles: new Set(["access_goods"]) });
      },
      clientExists: () => Promise.resolve(false),
      forgetCompany: () => undefined,
    },
    companies: { find: () => Promise.resolve(company), forget: () => undefined },
  } as unknown as Runtime;

  it("decide once for an operation and a company, until something may have changed", async () => {
    const trace = { enterCompany: (id: number) => entered.push(id) } as unknown as RequestTrace;
    const admissions = new Admissions(
      { kind: "admin", id: 1, companyId: 7 },
      { runtime, trace, at: new Date() },
    );

    await expect(admissions.admit(operation, { companyId: 7 })).resolves.toBe(company);
    await expect(admissions.admit(operation, { companyId: 7 })).resolves.toBe(company);
    expect([asked, entered]).toEqual([1, [7]]);

    await expect(admissions.admit(operation, { companyId: 8 })).rejects.toMatchObject({ code: "FORBIDDEN" });
    admissions.forget();
    await admissions.admit(operation, { companyId: 7 });
    expect(asked).toBe(3);
  });
});
