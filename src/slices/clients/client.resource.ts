import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { upsertResolver } from "../../core/operations/upsert-operation.js";
import { ClientKeyEnum, CreateClientInput, UpdateClientInput, UpsertClientInput } from "./client.inputs.js";
import { Client, clientList } from "./client.model.js";
import { clientService, lockUpserted, restoreClient, upsertClient } from "./client.service.js";

export const clientCrud = resourceResolvers({
  model: "Client",
  type: Client,
  list: clientList,
  plural: "clients",
  area: "clients",
  create: CreateClientInput,
  update: UpdateClientInput,
  bulk: [
    {
      name: "restoreClients",
      description: "Restores deleted clients, each as `restoreClient` does.",
      each: restoreClient,
    },
  ],
  service: clientService,
  descriptions: {
    delete: "Deletes a client, which can be restored. INVALID_STATE while it has a balance, which it names.",
  },
});

export const clientUpsert = upsertResolver(
  {
    name: "upsertClients",
    description:
      "Creates or changes clients, a value for each row. By `id` nothing is created: NOT_FOUND. A wrong field refuses its row alone, as far " +
      "as fewer than 25 are wrong.",
    type: Client,
    field: "client",
    by: ClientKeyEnum,
    input: UpsertClientInput,
    lock: lockUpserted,
    each: upsertClient,
  },
  { permission: "can_edit_clients" },
);

@Resolver(() => Client)
export class RestoreClientResolver {
  @RequirePermission("can_edit_clients")
  @Audited()
  @Mutation(() => Client, {
    description: "Restores a deleted client. INVALID_STATE when it is not deleted, or was erased.",
  })
  restoreClient(@Company() company: CompanyScope, @EntityId("id", "Client") id: number) {
    return restoreClient(company, id);
  }
}
