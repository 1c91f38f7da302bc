import type { InjectOptions } from "fastify";
import { addCodes, createCoupon, inState } from "../coupons/coupon-rows.js";
import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway, type RestResult } from "../support/gateway.js";
import { dereference, operationsOf, sharedOpenApi, type Parameter } from "../support/openapi.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const STRICT = { prefer: "handling=strict" };
const ask = (query: string, headers: Record<string, string> = STRICT): Promise<RestResult> =>
  gateway.anonymous.rest("GET", `/companies/${company.id}/properties${query}`, { headers });

describe("handling=strict", () => {
  it("refuses every parameter that the operation does not have, and says which is near", async () => {
    const answer = await ask("?per_pag=5&colour=red&page=0&perPage=1");

    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(answer.headers["preference-applied"]).toBe("handling=strict");
    expect(answer.body.errors).toEqual([
      {
        field: "page",
        rule: "min",
        message: "must be between 1 and 1000000",
      },
      {
        field: "per_pag",
        rule: "unknown",
        message: "is no parameter of this operation; did you mean per_page?",
      },
      {
        field: "colour",
        rule: "unknown",
        message:
          "is no parameter of this operation; allowed: page, per_page, cursor, filter, sort, load, fields",
      },
      {
        field: "perPage",
        rule: "unknown",
        message: "is no parameter of this operation; did you mean per_page?",
      },
    ]);
  });

  it("refuses the parameters of pages on lists without pages, which ignore them otherwise", async () => {
    const coupon = await createCoupon(gateway, company.id, inState("running"));
    await addCodes(gateway, coupon, "ABCDE", "FGHJK");
    const good = await createGood(gateway, company.id);
    const query = "per_page=1&cursor=&sort=id&filter[id]=1";

    for (const [list, rows] of [
      [`coupons/${coupon.id}/codes`, 2],
      [`goods/${good.id}/allowed-providers`, 0],
    ] as const) {
      const get = (headers: Record<string, string>) =>
        company.owner.rest("GET", `/companies/${company.id}/${list}?${query}`, { headers });
      const [lenient, strict] = [await get({}), await get(STRICT)];

      expect([lenient.status, lenient.body.length]).toEqual([200, rows]);
      expect([strict.status, wrongFields(strict.body.errors)]).toEqual([
        400,
        ["cursor:unknown", "filter:unknown", "per_page:unknown", "sort:unknown"],
      ]);
    }
  });

  it("lists at most 50 wrong keys of a body, and how many it lists", async () => {
    const body = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`key_${n}`, 1]));

    const answer = await company.owner.rest("POST", `/companies/${company.id}/properties`, {
      body,
      headers: STRICT,
    });

    expect([answer.status, answer.body.errors.length]).toEqual([422, 50]);
    expect(answer.body.detail).toBe("50 fields are not valid; see errors.");
  });

  it("is named in answers that nothing is wrong with, and in 304", async () => {
    const answer = await ask("?page=1&filter[name]=a&sort=name&fields=id");
    const again = await ask("?page=1&filter[name]=a&sort=name&fields=id", {
      ...STRICT,
      "if-none-match": String(answer.headers["etag"]),
    });

    expect([answer.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [answer, again])
      expect(headers).toMatchObject({
        "preference-applied": "handling=strict",
        vary: "Authorization, Accept, Prefer",
      });
  });

  it("has the fields that `fields` names, in tables too, and refuses a name that is none", async () => {
    const name = "Iced tea";
    const { id } = await createGood(gateway, company.id, { name });
    const path = `/companies/${company.id}/goods?with_deleted=true&filter[id]=${id}&fields=name,id`;
    const get = (more = "") => company.owner.rest("GET", `${path}${more}`, { headers: STRICT });

    const [json, table] = [await get(), await get("&format=csv")];
    const refused = [await get(",nmae"), await get(",nmae&format=csv")];

    expect([json.status, json.body]).toEqual([200, [{ id, name }]]);
    expect([table.status, String(table.body).trimEnd().split("\r\n")]).toEqual([
      200,
      ["name,id", `${name},${id}`],
    ]);
    for (const { status, body } of refused)
      expect([status, wrongFields(body.errors)]).toEqual([400, ["fields:unknown"]]);
  });

  it("holds for operations that change something: nothing is done", async () => {
    const { id } = await createProperty(gateway, company.id, { name: "Old" });
    const path = `/companies/${company.id}/properties/${id}`;

    const renamed = await company.owner.rest("PATCH", `${path}?dry_run=1`, {
      headers: STRICT,
      body: { name: "New" },
    });
    const deleted = await company.owner.rest("DELETE", `${path}?force=1`, { headers: STRICT });

    for (const { status, body } of [renamed, deleted])
      expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(await gateway.db.property.findFirst({ where: { companyId: company.id, id } })).toMatchObject({
      name: "Old",
    });
  });

  it.each([
    ["HANDLING = Strict", true],
    ['respond-async, handling="strict"; x=1', true],
    ['note="a, handling=lenient; b", handling=strict', true],
    ["handling=strict, handling=lenient", true],
    ["handling=lenient, handling=strict", false],
    ['note=", handling=strict', false],
    ["handling", false],
    ["", false],
  ])("is read as RFC 7240 has it: %j is %s", async (prefer, strict) => {
    const answer = await ask("?colour=red", { prefer });

    expect(answer.status).toBe(strict ? 400 : 200);
    expect(answer.headers["preference-applied"]).toBe(strict ? "handling=strict" : undefined);
  });

  it("is not what callers get who do not ask for it", async () => {
    const answer = await ask("?colour=red", {});

    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty("preference-applied");
  });
});

it("knows each parameter that the reference shows", async () => {
  const { document } = sharedOpenApi();
  const refused: string[] = [];

  for (const { method, path, operation } of operationsOf(document)) {
    const shown = operation.parameters
      .map((parameter) => dereference(document, parameter) as Parameter)
      .filter((parameter) => parameter.in === "query");
    const url = path.replace("{companyId}", String(company.id)).replace(/\{\w+\}/gu, "1");
    const query = [...shown.map(({ name }) => name), "unheard_of"].map((name) => `${name}=`).join("&");
    const { body } = await gateway.platform.rest(method as InjectOptions["method"], `${url}?${query}`, {
      headers: STRICT,
    });
    const errors = (body?.errors ?? []) as { field: string; message: string }[];
    refused.push(
      ...errors.filter(({ message }) => message.startsWith("is no parameter")).map(({ field }) => field),
    );
  }

  expect(refused.length).toBeGreaterThan(10);
  expect(refused.filter((name) => name !== "unheard_of")).toEqual([]);
});
