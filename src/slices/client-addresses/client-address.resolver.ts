import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { ClientOnly } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CreateClientAddressInput, UpdateClientAddressInput } from "./client-address.inputs.js";
import { ClientAddress, clientAddressList, type ClientAddressRow } from "./client-address.model.js";
import { changedAddressIsWhole, newAddressIsWhole } from "./client-address.rule.js";
import { addressOf } from "./client-address.rules.js";
import * as addressService from "./client-address.service.js";
import { GeofenceCheck } from "./geofence-check.model.js";

const { Args: AddressesArgs, Connection: AddressConnection } = clientAddressList;
type AddressesArgs = InstanceType<typeof AddressesArgs>;

@Resolver(() => ClientAddress)
export class ClientAddressResolver {
  @ClientOnly({ itself: "clientId" })
  @Query(() => AddressConnection, { description: "The client's own addresses, newest first unless ordered." })
  clientAddresses(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") _clientId: number,
    @Args(() => AddressesArgs) args: AddressesArgs,
  ) {
    return addressService.listClientAddresses(company, args);
  }

  @ClientOnly()
  @Query(() => AddressConnection, {
    description:
      "Those of the calling client's addresses that have no coordinates or lie outside of every geofence, newest first " +
      "unless ordered. Where the company has no enabled geofence, none lies outside.",
  })
  missingClientAddresses(@Company() company: CompanyScope, @Args(() => AddressesArgs) args: AddressesArgs) {
    return addressService.listMissingClientAddresses(company, args);
  }

  @ClientOnly()
  @Query(() => ClientAddress, { description: "One of the calling client's addresses." })
  clientAddress(@Company() company: CompanyScope, @EntityId("id", "ClientAddress") id: number) {
    return addressService.getClientAddress(company, id);
  }

  @ClientOnly({ itself: "clientId" })
  @Audited()
  @Mutation(() => ClientAddress, {
    description:
      "Adds an address of the client itself, at most 200; INVALID_STATE beyond. The first one is selected.",
  })
  createClientAddress(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Input(() => CreateClientAddressInput, { description: "The address.", stored: newAddressIsWhole })
    input: CreateClientAddressInput,
  ) {
    return addressService.createClientAddress(company, clientId, input);
  }

  @ClientOnly()
  @Audited()
  @Mutation(() => ClientAddress, {
    description:
      "Changes one of the calling client's addresses; what is absent stays as it is. Together with what is stored it has " +
      "to be what the type needs.",
  })
  updateClientAddress(
    @Company() company: CompanyScope,
    @EntityId("id", "ClientAddress") id: number,
    @Input(() => UpdateClientAddressInput, { description: "The changes.", stored: changedAddressIsWhole })
    input: UpdateClientAddressInput,
  ) {
    return addressService.updateClientAddress(company, id, input);
  }

  @ClientOnly()
  @Audited()
  @Mutation(() => ClientAddress, {
    description:
      "Deletes one of the calling client's addresses for good; answers what it was. When it was selected, none is then.",
  })
  deleteClientAddress(@Company() company: CompanyScope, @EntityId("id", "ClientAddress") id: number) {
    return addressService.deleteClientAddress(company, id);
  }

  @ClientOnly()
  @Audited()
  @Mutation(() => ClientAddress, {
    description: "Selects one of the calling client's addresses, in place of the one that was selected.",
  })
  setSelectedClientAddress(
    @Company() company: CompanyScope,
    @EntityId("clientAddressId", "ClientAddress") clientAddressId: number,
  ) {
    return addressService.setSelectedClientAddress(company, clientAddressId);
  }

  @FieldResolver(() => String, {
    description: "The whole address in one line; put together from its parts when it was not given.",
  })
  address(@Root() row: ClientAddressRow): string {
    return addressOf(row);
  }

  @FieldResolver(() => GeofenceCheck, {
    nullable: true,
    description:
      "Where it lies among the company's enabled geofences now; null without coordinates, and without such geofences.",
  })
  geofenceCheck(
    @Root() row: ClientAddressRow,
    @Ctx() context: OperationContext,
  ): Promise<GeofenceCheck | null> {
    return addressService.checkGeofences(context.companyScope(row.companyId), row);
  }
}
