import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { EmailField, IdField, InputObject, partialInput, TextField } from "../../core/inputs/input-fields.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { ExternalIdField } from "../../core/resources/external-id.js";
import { Client, clientList } from "./client.model.js";
import { clientService, restoreClient } from "./client.service.js";

@InputObject({ description: "A client." })
class CreateClientInput {
  @NameField()
  name!: string;

  @ExternalIdField()
  externalId?: string | null;

  @EmailField({ description: "E-mail address.", nullable: true, max: 254 })
  email?: string | null;

  @TextField({ description: "Phone number.", nullable: true, max: 32 })
  phone?: string | null;

  @IdField("City", { description: "The city it lives in.", nullable: true })
  cityId?: number | null;
}

export const clientCrud = resourceResolvers({
  model: "Client",
  type: Client,
  list: clientList,
  plural: "clients",
  area: "clients",
  create: CreateClientInput,
  update: partialInput(CreateClientInput, "UpdateClientInput", { description: "Changes of a client." }),
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
