import { createTokenKeys, issueAccessToken, type Principal } from "../core/access/tokens.js";
import { findJwtSecret } from "../process/config/secret.js";
import { createDatabase } from "../engine/connections/client.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, readArgs, readId, runCommand } from "./command.js";
import { findAdmins, findClients, findKeys, type TokenOwner } from "./token-owner.sql.js";

const USAGE =
  "Usage: npm run -s token -- --platform | --admin EMAIL [--company ID] | --client ID [--company ID] | --key NAME [--company ID]";

/** `npm run -s token` prints an access token, which is valid for 15 minutes, and nothing else. */
await runCommand(async (config, args) => {
  const { platform, admin, client, key, company } = readArguments(args);
  const keys = createTokenKeys({ secret: await findJwtSecret(config), ecKeys: config.jwtKeys });
  const principal = platform
    ? ({ kind: "platform" } as const)
    : await withDatabase(config, async (access): Promise<Principal> => {
        const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
        try {
          const { pool } = database;
          if (admin !== undefined)
            return { kind: "admin", ...theOnly(await findAdmins(pool, admin, company), `admin ${admin}`) };
          if (key !== undefined)
            return { kind: "key", ...theOnly(await findKeys(pool, key, company), `key ${key}`) };
          const clients = await findClients(pool, client as number, company);
          return { kind: "client", ...theOnly(clients, `client ${client}`) };
        } finally {
          await database.close();
        }
      });
  process.stdout.write(`${await issueAccessToken(keys, principal)}\n`);
});

function readArguments(args: string[]) {
  const options = {
    platform: { type: "boolean", default: false },
    admin: { type: "string" },
    client: { type: "string" },
    key: { type: "string" },
    company: { type: "string" },
  } as const;
  const { values } = readArgs({ args, options }, USAGE);
  const named = [values.admin, values.client, values.key].map((name) => name !== undefined);
  const chosen = [values.platform, ...named];
  if (chosen.filter(Boolean).length !== 1) throw new CommandError(USAGE);
  const idOf = (name: "client" | "company"): number | undefined =>
    values[name] === undefined ? undefined : readId(`--${name}`, values[name], USAGE);
  return { ...values, client: idOf("client"), company: idOf("company") };
}

function theOnly(found: TokenOwner[], who: string): TokenOwner {
  const [first, second] = found;
  if (first === undefined) throw new CommandError(`There is no ${who}.`);
  if (second === undefined) return first;
  if (found.every(({ companyId }) => companyId === first.companyId))
    throw new CommandError(`There are several of that name: ${who}. Rename all but one.`);
  const companies = found.map(({ companyId }) => companyId).join(", ");
  throw new CommandError(`There is a ${who} in the companies ${companies}: add --company ID.`);
}
