import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Json } from "../../core/scalars/json.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Client } from "./client.model.js";
import { ClientExport } from "./client-data.model.js";
import * as clientDataService from "./client-data.service.js";

const EVEN_DELETED = { includesDeleted: true };

@Resolver(() => Client)
export class ClientDataResolver {
  @RequirePermission("can_edit_clients")
  @Query(() => Json, {
    description:
      "All that is kept about a client, deleted or not: `{companyId, clientId, takenAt, rows}`, the rows by their tables with the names " +
      "and values that the database has, of one moment: its own, such as carts and orders with their items, and what the audit trail and " +
      "messages to webhooks have about any of them, whoever made it. `exportClient` gives `expires` and `signature`; NOT_FOUND when they are " +
      "not of this client, or the end has come.",
  })
  clientData(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client", EVEN_DELETED) clientId: number,
    @Arg("expires", () => String, { description: "The end of the link, as it stands there." })
    expires: string,
    @Arg("signature", () => String, { description: "The signature of the link, as it stands there." })
    signature: string,
    @Ctx() { runtime }: OperationContext,
  ) {
    return clientDataService.getClientData(company, clientId, { expires, signature }, runtime.links);
  }

  @RequirePermission("can_edit_clients")
  @Audited()
  @Mutation(() => ClientExport, {
    description:
      "Gives a link to a JSON file with all that is kept about a client, deleted or not. The audit trail says who asked for it " +
      "(`export`), and has nothing of the file.",
  })
  exportClient(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client", EVEN_DELETED) clientId: number,
    @Ctx() { runtime }: OperationContext,
  ) {
    return clientDataService.exportClient(company, clientId, runtime.links);
  }

  @RequirePermission("can_edit_clients")
  @Audited()
  @Mutation(() => Client, {
    description:
      "Erases for good what is known of a client as a person, and deletes it; it cannot be restored. Its name is empty then; e-mail, phone, external " +
      "id, addresses, notes and choices of its carts and orders are gone, and so are their values in the audit trail, from where it has " +
      "signed in, and what receivers of webhooks answered about it. Amounts, uses and movements stay under its number. It may be done " +
      "again, and takes a client that was deleted. INVALID_STATE while it has a balance, which it names.",
  })
  eraseClient(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client", EVEN_DELETED) clientId: number,
  ) {
    return clientDataService.eraseClient(company, clientId);
  }
}
