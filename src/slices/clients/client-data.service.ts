import type { Client } from "./client.model.js";
import { notFound } from "../../core/errors/domain-error.js";
import type { LinkEnding, Links } from "../../core/links.js";
import { noteInTrail } from "../../core/operations/note-in-trail.sql.js";
import { erasePerson, readPerson } from "../../core/people/person-data.sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { assertSettled } from "../balance/settlement.service.js";
import { getClient } from "./client.service.js";
import { eraseFromTrail, lockAnyClient } from "./client-data.sql.js";

/** Everything that is kept about a client. */
export interface ClientData {
  readonly companyId: number;
  readonly clientId: number;
  /** The moment of it, in ISO 8601 (UTC). */
  readonly takenAt: string;
  /** The rows by their tables. */
  readonly rows: Readonly<Record<string, readonly object[]>>;
}

/** A link to all that is kept about a client, deleted or not. The trail says who asked for it. @throws DomainError NOT_FOUND. */
export async function exportClient(
  scope: CompanyScope,
  clientId: number,
  links: Links,
): Promise<{ url: string }> {
  await getClient(scope, clientId, true);
  await noteInTrail(scope, { action: "export", model: "Client", id: clientId });
  return { url: links.urlOf(pathOf(scope, clientId), scope.at) };
}

/** All that is kept about a client. @throws DomainError NOT_FOUND for a link that is not signed or has ended. */
export async function getClientData(
  scope: CompanyScope,
  clientId: number,
  ending: LinkEnding,
  links: Links,
): Promise<ClientData> {
  const { companyId, at } = scope;
  if (!links.isGood(pathOf(scope, clientId), ending, at)) throw notFound("Link");
  const rows = await readPerson(scope, "client", clientId);
  return { companyId, clientId, takenAt: at.toISOString(), rows };
}

/**
 * Erases for good what is known of a client as a person, and deletes it. Amounts, uses and movements stay under its number. It may be
 * done again.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE while the client has a balance.
 */
export function eraseClient(scope: CompanyScope, clientId: number): Promise<Client> {
  return scope.transaction(async (inside) => {
    if (!(await lockAnyClient(inside, clientId))) throw notFound("Client");
    await assertSettled(inside, "client", clientId);
    await erasePerson(inside, "client", clientId);
    await noteInTrail(inside, { action: "erase", model: "Client", id: clientId });
    await eraseFromTrail(inside, clientId);
    return getClient(inside, clientId, true);
  });
}

const pathOf = ({ companyId }: CompanyScope, clientId: number): string =>
  `/companies/${companyId}/clients/${clientId}/data`;
