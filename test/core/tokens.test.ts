import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT, type JWTHeaderParameters, type JWTPayload } from "jose";
import {
  createTokenKeys,
  IdentityProviderError,
  InvalidTokenError,
  issueAccessToken,
  verifyAccessToken,
  type Principal,
} from "../../src/core/access/tokens.js";

const SECRET = "an-hs256-secret-of-some-40-characters-xx";
const ISSUER = "https://id.example";
const AUDIENCE = "commerce-gateway";
const PROVIDER = { jwtIssuer: ISSUER, jwtAudience: AUDIENCE };
const NOW = new Date("2026-03-01T12:00:00Z");
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const ADMIN: Principal = { kind: "admin", id: 7, companyId: 3 };
const CLAIMS = { sub: "admin:7", company_id: 3 };

describe("access tokens of the service's own", () => {
  const keys = createTokenKeys({ secret: SECRET });

  it.each<Principal>([ADMIN, { kind: "client", id: 9, companyId: 3 }, { kind: "platform" }])(
    "speak for %j",
    async (principal) => {
      const token = await issueAccessToken(keys, principal, NOW);

      expect(await verifyAccessToken(keys, token, NOW)).toEqual(principal);
    },
  );

  it("live for fifteen minutes", async () => {
    const token = await issueAccessToken(keys, ADMIN, NOW);

    expect(await verifyAccessToken(keys, token, minutesLater(14.9))).toEqual(ADMIN);
    await expect(verifyAccessToken(keys, token, minutesLater(15))).rejects.toThrow(InvalidTokenError);
  });

  it.each<[string, JWTPayload]>([
    ["another kind of subject", { sub: "robot:1", company_id: 3 }],
    ["no subject", { company_id: 3 }],
    ["an id that is no number", { sub: "admin:1x", company_id: 3 }],
    ["no company", { sub: "admin:7" }],
    ["a company that is text", { sub: "admin:7", company_id: "3" }],
    ["an id beyond 32 bits", { sub: "admin:2147483648", company_id: 3 }],
    ["a company beyond 32 bits", { sub: "client:7", company_id: 2_147_483_648 }],
    ["a list of subjects", { sub: ["admin:7"] as unknown as string, company_id: 3 }],
  ])("are refused with %s", async (_name, claims) => {
    await expect(verifyAccessToken(keys, await sign(claims, SECRET), NOW)).rejects.toThrow(InvalidTokenError);
  });

  it("are refused with another secret, without an expiry, unsigned or garbled", async () => {
    const endless = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: "HS256" })
      .setIssuedAt(NOW)
      .sign(new TextEncoder().encode(SECRET));
    const unsigned = `${base64({ alg: "none" })}.${base64({ ...CLAIMS, exp: 9_999_999_999 })}.`;

    for (const token of [await sign(CLAIMS, `${SECRET}!`), endless, unsigned, "garbage", ""]) {
      await expect(verifyAccessToken(keys, token, NOW)).rejects.toThrow(InvalidTokenError);
    }
  });

  it("are neither issued nor accepted without a secret", async () => {
    const external = createTokenKeys({ secret: null, jwksUrl: "http://127.0.0.1:1/", ...PROVIDER });

    await expect(issueAccessToken(external, ADMIN, NOW)).rejects.toThrow("JWT_SECRET");
    await expect(verifyAccessToken(external, await sign(CLAIMS, SECRET), NOW)).rejects.toThrow(
      InvalidTokenError,
    );
  });
});

describe("tokens of an external identity provider", () => {
  let provider: Server;
  let privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  let publicJwk: object;
  let url: string;

  beforeAll(async () => {
    const pair = await generateKeyPair("RS256", { extractable: true });
    privateKey = pair.privateKey;
    publicJwk = { ...(await exportJWK(pair.publicKey)), kid: "one", alg: "RS256" };
    provider = createServer((_request, response) => response.end(JSON.stringify({ keys: [publicJwk] })));
    await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;
  });

  afterAll(() => new Promise((resolve) => provider.close(resolve)));

  it("speak for the same principals, beside the service's own", async () => {
    const keys = createTokenKeys({ secret: SECRET, jwksUrl: url, ...PROVIDER });

    expect(await verifyAccessToken(keys, await signExternally(), NOW)).toEqual(ADMIN);
    expect(await verifyAccessToken(keys, await issueAccessToken(keys, ADMIN, NOW), NOW)).toEqual(ADMIN);
  });

  it("are refused from another issuer, and where no provider is configured", async () => {
    const keys = createTokenKeys({ secret: SECRET, jwksUrl: url, ...PROVIDER });
    const token = await signExternally({ iss: "https://evil.example" });

    await expect(verifyAccessToken(keys, token, NOW)).rejects.toThrow(InvalidTokenError);
    const own = createTokenKeys({ secret: SECRET });
    await expect(verifyAccessToken(own, await signExternally(), NOW)).rejects.toThrow(InvalidTokenError);
  });

  it.each<[string, JWTPayload, Partial<JWTHeaderParameters>]>([
    ["another service's", { aud: "another-service" }, {}],
    ["for no service", { aud: undefined }, {}],
    ["of no type", {}, { typ: undefined }],
    ["of another type", {}, { typ: "logout+jwt" }],
    ["to tell an app who signed in", { nonce: "n" }, {}],
    ["to tell an app of an access token", { at_hash: "h" }, {}],
    ["for an app, as Cognito marks it", { token_use: "id" }, {}],
    ["for an app, as Keycloak marks it", { typ: "ID" }, {}],
    ["to refresh others", { typ: "Refresh" }, {}],
    ["the platform's", { sub: "platform" }, {}],
    ["of an id beyond 32 bits", { sub: "client:4294967297" }, {}],
    ["of a company beyond 32 bits", { company_id: 4_294_967_297 }, {}],
  ])("are refused when they are %s", async (_what, claims, header) => {
    const keys = createTokenKeys({ secret: SECRET, jwksUrl: url, ...PROVIDER });

    const token = await signExternally(claims, header);

    await expect(verifyAccessToken(keys, token, NOW)).rejects.toThrow(InvalidTokenError);
  });

  it.each(["JWT", "at+jwt", "application/at+jwt", "AT+JWT"])("may have the type %s", async (typ) => {
    const keys = createTokenKeys({ secret: SECRET, jwksUrl: url, ...PROVIDER });

    const token = await signExternally({ aud: ["account", AUDIENCE] }, { typ });

    expect(await verifyAccessToken(keys, token, NOW)).toEqual(ADMIN);
  });

  it("cannot be forged with the provider's public key as an HS256 secret", async () => {
    const keys = createTokenKeys({ secret: null, jwksUrl: url, ...PROVIDER });
    const forged = await sign({ ...CLAIMS, iss: ISSUER, aud: AUDIENCE }, JSON.stringify(publicJwk));

    await expect(verifyAccessToken(keys, forged, NOW)).rejects.toThrow(InvalidTokenError);
  });

  it("get no verdict while the provider is away", async () => {
    const keys = createTokenKeys({ secret: SECRET, jwksUrl: "http://127.0.0.1:1/", ...PROVIDER });

    await expect(verifyAccessToken(keys, await signExternally(), NOW)).rejects.toThrow(IdentityProviderError);
  });

  function signExternally(claims: JWTPayload = {}, header: object = {}): Promise<string> {
    return new SignJWT({ ...CLAIMS, iss: ISSUER, aud: AUDIENCE, ...claims })
      .setProtectedHeader({ alg: "RS256", kid: "one", typ: "at+jwt", ...header })
      .setIssuedAt(NOW)
      .setExpirationTime(minutesLater(5))
      .sign(privateKey);
  }
});

function sign(claims: JWTPayload, secret: string): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt(NOW)
    .setExpirationTime(minutesLater(5))
    .sign(new TextEncoder().encode(secret));
}

function base64(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
