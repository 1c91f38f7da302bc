import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { createTokenKeys, issueAccessToken, type TokenKeys } from "../../src/core/access/tokens.js";
import { observedApp, type ObservedApp } from "../operations/observed-app.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const ISSUER = "https://id.example";
const AUDIENCE = "commerce-gateway";
const BEYOND_32_BITS = 2 ** 31;

let gateway: Gateway;
let company: TestCompany;
let provider: Server;
let privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
let keys: TokenKeys;
let service: ObservedApp;

beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  const pair = await generateKeyPair("RS256", { extractable: true });
  privateKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256" };
  provider = createServer((_request, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const jwksUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;
  keys = createTokenKeys({ secret: "s".repeat(32), jwksUrl, jwtIssuer: ISSUER, jwtAudience: AUDIENCE });
  service = await observedApp({ ...gateway, keys });
});
afterAll(async () => {
  await service.app.close();
  await new Promise((resolve) => provider.close(resolve));
  await gateway.close();
});

const owner = (): JWTPayload => ({ sub: `admin:${company.ownerId}`, company_id: company.id });

function signed(claims: JWTPayload, typ: string | null = "at+jwt"): Promise<string> {
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "one", ...(typ !== null && { typ }) })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(privateKey);
}

/** Returns what both faces answer to the token: the status of REST, and of the first error of GraphQL. */
async function answersTo(token: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` };
  const rest = await service.app.inject({ url: `/api/companies/${company.id}/settings`, headers });
  const query = "{ me { kind } }";
  const graphql = await service.app.inject({ method: "POST", url: "/graphql", headers, payload: { query } });
  return [rest.statusCode, graphql.json().errors?.[0].extensions.status ?? graphql.statusCode];
}

it("lets in the admin whom an access token for this service names", async () => {
  expect(await answersTo(await signed(owner()))).toEqual([200, 200]);
});

it("lets in an access token without a type that says by token_use what it is", async () => {
  expect(await answersTo(await signed({ ...owner(), token_use: "access" }, null))).toEqual([200, 200]);
});

it.each<[string, () => JWTPayload, string | null]>([
  ["without a type", owner, null],
  ["without a type that is an ID token", () => ({ ...owner(), token_use: "id" }), null],
  [
    "without a type that has an ID token's claims",
    () => ({ ...owner(), token_use: "access", at_hash: "h" }),
    null,
  ],
  ["of another type, whatever its use", () => ({ ...owner(), token_use: "access" }), "logout+jwt"],
  ["for another service", () => ({ ...owner(), aud: "another-service" }), "at+jwt"],
  ["of another issuer", () => ({ ...owner(), iss: "https://evil.example" }), "at+jwt"],
  ["of another type", owner, "logout+jwt"],
  ["that shows an app who signed in", () => ({ ...owner(), nonce: "n" }), "JWT"],
  ["for the platform", () => ({ sub: "platform" }), "at+jwt"],
  ["of an id beyond 32 bits", () => ({ ...owner(), sub: `admin:${BEYOND_32_BITS}` }), "at+jwt"],
  ["of a company beyond 32 bits", () => ({ ...owner(), company_id: BEYOND_32_BITS }), "at+jwt"],
])("refuses a provider's token %s", async (_what, claims, typ) => {
  expect(await answersTo(await signed(claims(), typ))).toEqual([401, 401]);
});

it.each<[string, () => { id: number; companyId: number }]>([
  ["an id", () => ({ id: BEYOND_32_BITS, companyId: company.id })],
  ["a company", () => ({ id: company.ownerId, companyId: BEYOND_32_BITS })],
])("refuses an own token of %s beyond 32 bits", async (_what, named) => {
  for (const kind of ["admin", "client"] as const)
    expect(await answersTo(await issueAccessToken(keys, { kind, ...named() }))).toEqual([401, 401]);
});

it("lets its own tokens alone speak for the platform", async () => {
  expect(await answersTo(await issueAccessToken(keys, { kind: "platform" }))).toEqual([200, 200]);
});
