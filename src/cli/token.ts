import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken, type Principal } from "../core/access/tokens.js";
import { resolveJwtSecret } from "../process/config/secret.js";
import { createDatabase, type Database } from "../engine/data/client.js";
import { applyMigrations } from "../engine/migrations/migrate.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

const USAGE =
  "Usage: npm run -s token -- --platform | --admin EMAIL [--company ID] | --client ID [--company ID]";

interface TokenOwner {
  id: number;
  companyId: number;
}

/** `npm run -s token` prints an access token, which is valid for 15 minutes, and nothing else. */
await runCommand(async (config, args) => {
  const { platform, admin, client, company } = readArguments(args);
  const keys = createTokenKeys({ secret: await resolveJwtSecret(config) });
  const principal = platform
    ? ({ kind: "platform" } as const)
    : await withDatabase(config, async (url) => {
        await applyMigrations(url);
        const database = await createDatabase({ url, poolSize: 1 });
        try {
          return admin === undefined
            ? await findClient(database, client as number, company)
            : await findAdmin(database, admin, company);
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

async function findAdmin({ writer }: Database, email: string, companyId?: number): Promise<Principal> {
  const admins = await writer.admin.findMany({
    where: { companyId, email: { equals: email, mode: "insensitive" }, deletedAt: null },
    select: { id: true, companyId: true },
  });
  return { kind: "admin", ...theOnly(admins, `admin ${email}`) };
}

async function findClient({ writer }: Database, id: number, companyId?: number): Promise<Principal> {
  const clients = await writer.client.findMany({
    where: { companyId, id, deletedAt: null },
    select: { id: true, companyId: true },
  });
  return { kind: "client", ...theOnly(clients, `client ${id}`) };
}

function theOnly(found: TokenOwner[], who: string): TokenOwner {
  const [first, second] = found;
  if (first === undefined) throw new CommandError(`There is no ${who}.`);
  if (second === undefined) return first;
  const companies = found.map(({ companyId }) => companyId).join(", ");
  throw new CommandError(`There is a ${who} in the companies ${companies}: add --company ID.`);
}
