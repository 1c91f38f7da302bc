import { generateKeyPairSync } from "node:crypto";
import { type EcKey, readEcKeys } from "../../src/core/access/signing-keys.js";
import { createTokenKeys } from "../../src/core/access/tokens.js";
import { createCompany } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { createAccount, login, PASSWORD, refresh } from "./accounts.js";

const [OLD, NEW] = ["o".repeat(32), "n".repeat(32)] as const;
const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ecKeys = readEcKeys(privateKey.export({ type: "pkcs8", format: "pem" }).toString()) as EcKey[];
const publicKeys = ecKeys.map((key) => ({ ...key, privateKey: null }));

/** The steps of a change of secrets, and then to a key of ES256; any two neighbours run side by side. */
const STAGES = [
  createTokenKeys({ secret: OLD }),
  createTokenKeys({ secret: OLD, olderSecrets: [NEW] }),
  createTokenKeys({ secret: NEW, olderSecrets: [OLD] }),
  createTokenKeys({ secret: NEW }),
  createTokenKeys({ secret: NEW, ecKeys: publicKeys }),
  createTokenKeys({ secret: NEW, ecKeys }),
];

describe("a change of keys on two instances", () => {
  let one: Gateway;
  let other: Gateway;

  beforeAll(async () => {
    one = await startGateway({ own: "service" });
    other = await startGateway({ on: one });
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });

  it.each(STAGES.slice(1).map((keys, index) => [index + 1, keys] as const))(
    "refuses nothing at step %d",
    async (step, keys) => {
      const { id: companyId } = await createCompany(one);
      const { email } = await createAccount(one, companyId);
      Object.assign(one.keys, STAGES[step - 1]);
      Object.assign(other.keys, keys);

      for (const [issuer, reader] of [
        [one, other],
        [other, one],
      ] as const) {
        const { body } = await login(issuer, { email, password: PASSWORD });
        const me = await reader.withToken(body.access_token as string).run("{ me { kind } }");
        const traded = await refresh(issuer, body.refresh_token as string);
        const repeated = await refresh(reader, body.refresh_token as string);
        const known = await login(reader, {
          email,
          password: PASSWORD,
          device_token: body.device_token as string,
        });

        expect(errorCodes(me)).toEqual([]);
        expect([traded.status, repeated.status, known.status]).toEqual([200, 200, 200]);
        expect(repeated.body.refresh_token).toBe(traded.body.refresh_token);
      }
    },
  );
});
