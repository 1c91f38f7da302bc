import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken, type Principal } from "../core/access/tokens.js";
import { resolveJwtSecret } from "../process/config/secret.js";
import { createDatabase } from "../engine/connections/client.js";
import { prepare, withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";
import { findAdmins, findClients, type TokenOwner } from "./token-owner.sql.js";

const USAGE =
  "Usage: npm run -s token -- --platform | --admin EMAIL [--company ID] | --client ID [--company ID]";

/** `npm run -s token` prints an access token, which is valid for 15 minutes, and nothing else. */
await runCommand(async (config, args) => {
  const { platform, admin, client, company } = readArguments(args);
  const keys = createTokenKeys({ secret: await resolveJwtSecret(config), ecKeys: config.jwtKeys });
  const principal = platform
    ? ({ kind: "platform" } as const)
    : await withDatabase(config, async (access): Promise<Principal> => {
        await prepare(access);
        const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
        try {
          return admin === undefined
            ? {
                kind: "client",
                ...theOnly(await findClients(database.pool, client as number, company), `client ${client}`),
              }
            : {
                kind: "admin",
                ...theOnly(await findAdmins(database.pool, admin, company), `admin ${admin}`),
              };
        } finally {
          await database.close();
        }
      });
  process.stdout.write(`${await issueAccessToken(keys, principal)}\n`);
});

function readArguments(args: string[]) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        platform: { type: "boolean", default: false },
        admin: { type: "string" },
        client: { type: "string" },
        company: { type: "string" },
      },
    });
    const chosen = [values.platform, values.admin !== undefined, values.client !== undefined];
    if (chosen.filter(Boolean).length !== 1) throw new CommandError(USAGE);
    return { ...values, client: readId(values.client), company: readId(values.company) };
  } catch {
    throw new CommandError(USAGE);
  }
}

function readId(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new CommandError(USAGE);
  return Number(text);
}

function theOnly(found: TokenOwner[], who: string): TokenOwner {
  const [first, second] = found;
  if (first === undefined) throw new CommandError(`There is no ${who}.`);
  if (second === undefined) return first;
  const companies = found.map(({ companyId }) => companyId).join(", ");
  throw new CommandError(`There is a ${who} in the companies ${companies}: add --company ID.`);
}
