import { startGateway, type Gateway } from "../support/gateway.js";

const TOKEN = "the-token-of-operators";
const PATHS = ["/metrics", "/api/openapi.json"];

let open: Gateway;
let closed: Gateway;
beforeAll(async () => {
  open = await startGateway();
  closed = await startGateway({ on: open, environment: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => closed.close());

describe.each(PATHS)("%s", (url) => {
  it("is there for everybody unless there is a token", async () => {
    expect((await open.app.inject({ url })).statusCode).toBe(200);
  });

  it("is shown to who has the operator's token, and kept by no shared cache", async () => {
    const { statusCode, headers } = await closed.app.inject({
      url,
      headers: { authorization: `Bearer ${TOKEN}` },
    });

    expect(statusCode).toBe(200);
    expect(headers["cache-control"]).toMatch(/no-store/u);
  });

  it.each<[string, () => string | undefined]>([
    ["no token", () => undefined],
    ["another token", () => `Bearer ${TOKEN}x`],
    ["a part of it", () => `Bearer ${TOKEN.slice(0, -1)}`],
    ["no Bearer", () => TOKEN],
    ["the platform's", () => `Bearer ${closed.platform.token}`],
  ])("is refused with %s", async (_what, tokenOf) => {
    const authorization = tokenOf();

    const answer = await closed.app.inject({
      url,
      headers: { ...(authorization !== undefined && { authorization }), "if-none-match": "*" },
    });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    expect(answer.json()).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
  });
});
