import { generateKeyPairSync } from "node:crypto";
import Fastify from "fastify";
import { decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from "jose";
import { registerJwks } from "../../src/api/http/jwks.js";
import { readEcKeys, type EcKey } from "../../src/core/access/signing-keys.js";
import { createTokenKeys, issueAccessToken, verifyAccessToken } from "../../src/core/access/tokens.js";

const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)] as const;
const ADMIN = { kind: "admin", id: 1, companyId: 2 } as const;

function pem(): { readonly privatePem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

describe("several secrets", () => {
  const keys = createTokenKeys({ secret: NEW, olderSecrets: [OLD] });

  it("check tokens, of which the first signs and is named", async () => {
    const token = await issueAccessToken(keys, ADMIN);
    const older = await issueAccessToken(createTokenKeys({ secret: OLD }), ADMIN);

    expect(decodeProtectedHeader(token).kid).toBe(keys.secrets[0]?.kid);
    expect(await verifyAccessToken(keys, token)).toEqual(ADMIN);
    expect(await verifyAccessToken(keys, older)).toEqual(ADMIN);
    await expect(verifyAccessToken(createTokenKeys({ secret: OLD }), token)).rejects.toThrow("no secret");
  });

  it("take a token that names none, and none under the name of another", async () => {
    const sign = (kid: object) =>
      new SignJWT({ company_id: 2 })
        .setProtectedHeader({ alg: "HS256", ...kid })
        .setSubject("admin:1")
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(new TextEncoder().encode(OLD));

    expect(await verifyAccessToken(keys, await sign({}))).toEqual(ADMIN);
    await expect(verifyAccessToken(keys, await sign({ kid: keys.secrets[0]?.kid ?? "?" }))).rejects.toThrow();
    await expect(verifyAccessToken(keys, await sign({ kid: "another" }))).rejects.toThrow();
  });
});

describe("keys of ES256", () => {
  it("sign, and others check by the published key", async () => {
    const ecKeys = readEcKeys(pem().privatePem) as EcKey[];
    const keys = createTokenKeys({ secret: OLD, ecKeys });
    const app = Fastify();
    registerJwks(app, ecKeys);

    const token = await issueAccessToken(keys, ADMIN);
    const { statusCode, body } = await app.inject({ url: "/.well-known/jwks.json" });

    expect(statusCode).toBe(200);
    const { keys: published } = JSON.parse(body) as { keys: Record<string, string>[] };
    expect(published).toEqual([
      expect.objectContaining({ kty: "EC", crv: "P-256", alg: "ES256", use: "sig", kid: ecKeys[0]?.kid }),
    ]);
    expect(body).not.toContain('"d"');
    const { payload } = await jwtVerify(token, await importJWK(published[0] ?? {}, "ES256"));
    expect(payload.sub).toBe("admin:1");
    expect(await verifyAccessToken(keys, token)).toEqual(ADMIN);
    expect(
      await verifyAccessToken(keys, await issueAccessToken(createTokenKeys({ secret: OLD }), ADMIN)),
    ).toEqual(ADMIN);
    await expect(verifyAccessToken(createTokenKeys({ secret: OLD }), token)).rejects.toThrow();
  });

  it("change one after the other: a public one checks and does not sign", async () => {
    const [first, second] = [pem(), pem()];
    const keysOf = (text: string) =>
      createTokenKeys({ secret: OLD, ecKeys: readEcKeys(text.replaceAll("\n", "\\n")) as EcKey[] });
    const stages = [
      keysOf(first.publicPem),
      keysOf(first.privatePem + second.publicPem),
      keysOf(second.privatePem + first.publicPem),
      keysOf(second.privatePem),
    ];

    const algorithms = [];
    for (const [index, stage] of stages.entries()) {
      const token = await issueAccessToken(stage, ADMIN);
      algorithms.push(decodeProtectedHeader(token).alg);
      for (const other of [stages[index - 1], stages[index + 1]])
        if (other !== undefined) expect(await verifyAccessToken(other, token)).toEqual(ADMIN);
    }
    expect(algorithms).toEqual(["HS256", "ES256", "ES256", "ES256"]);
  });

  it("are of no other kind, and without one there is no path", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-384" });
    const app = Fastify();
    registerJwks(app, []);

    expect(readEcKeys(privateKey.export({ type: "pkcs8", format: "pem" }).toString())).toBeNull();
    expect(readEcKeys("nonsense")).toBeNull();
    expect((await app.inject({ url: "/.well-known/jwks.json" })).statusCode).toBe(404);
  });
});
