import { batched } from "../../core/relations/batched.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

type Actor = "admin" | "client" | "apiKey";

interface Names {
  findMany(query: object): Promise<{ id: number; name: string }[]>;
}

/** Reads names of those who act, of deleted ones too. */
const namesOf = (actor: Actor) =>
  batched<string>(async ({ db, companyId }, ids) => {
    const delegate = db[actor] as unknown as Names;
    const rows = await delegate.findMany({
      where: { companyId, id: { in: [...ids] } },
      select: { id: true, name: true },
    });
    return new Map(rows.map(({ id, name }) => [id, name]));
  });

const nameOfAdmin = namesOf("admin");
const nameOfClient = namesOf("client");
const nameOfKey = namesOf("apiKey");

/** Ids of who has acted, of which at most one is there. */
interface ActorIds {
  readonly adminId: number | null;
  readonly clientId: number | null;
  readonly apiKeyId: number | null;
}

/** The name of who has acted; `null` for the platform and for somebody without a token. */
export async function nameOfActor(
  scope: CompanyScope,
  { adminId, clientId, apiKeyId }: ActorIds,
): Promise<string | null> {
  if (adminId !== null) return nameOfAdmin(scope, adminId);
  if (clientId !== null) return nameOfClient(scope, clientId);
  return apiKeyId === null ? null : nameOfKey(scope, apiKeyId);
}
