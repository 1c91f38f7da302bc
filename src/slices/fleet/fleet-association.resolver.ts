import { Args, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { listPage } from "../../core/lists/list-page.js";
import { Audited } from "../../core/operations/audited.js";
import { bulkResolver } from "../../core/operations/bulk-operation.js";
import {
  Company,
  CompanyOfRow,
  EntityId,
  Input,
  RowsOfCompanies,
} from "../../core/operations/operation-arguments.js";
import type { ListedRows } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import { CreateFleetAssociationInput, UpdateFleetAssociationInput } from "./fleet-association.inputs.js";
import { FeeTargetEnum, FleetAssociation, fleetAssociationList } from "./fleet-association.model.js";
import * as associationService from "./fleet-association.service.js";
import { chargeIsOfService } from "./service-charge.rule.js";

type FleetAssociationRow = Row<"FleetAssociation">;

const { Args: FleetAssociationsArgs, Connection: FleetAssociationConnection } = fleetAssociationList;
type FleetAssociationsArgs = InstanceType<typeof FleetAssociationsArgs>;

const NEW_ASSOCIATION = { description: "The association.", stored: chargeIsOfService };

const { fleetAssociationService } = associationService;

@Resolver(() => FleetAssociation)
export class FleetAssociationResolver {
  @RequirePermission("access_fleet")
  @Query(() => FleetAssociationConnection, {
    description: "Fleet associations, those of branches too, in their order unless ordered.",
  })
  fleetAssociations(
    @RowsOfCompanies("FleetAssociation") source: ListedRows,
    @Args(() => FleetAssociationsArgs) args: FleetAssociationsArgs,
  ) {
    return listPage(fleetAssociationList, source, args);
  }

  @RequirePermission("access_fleet")
  @Query(() => FleetAssociationConnection, {
    description: "The fleet associations of a branch, in their order unless ordered.",
  })
  branchFleetAssociations(
    @CompanyOfRow() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Args(() => FleetAssociationsArgs) args: FleetAssociationsArgs,
  ) {
    return associationService.listOfBranch(company, branchId, args);
  }

  @RequirePermission("access_fleet")
  @Query(() => FleetAssociation, { description: "One fleet association. NOT_FOUND when there is none." })
  fleetAssociation(@CompanyOfRow() company: CompanyScope, @EntityId("id", "FleetAssociation") id: number) {
    return fleetAssociationService.get(company, id);
  }

  @RequirePermission("can_edit_fleet")
  @Audited()
  @Mutation(() => FleetAssociation, {
    description:
      "Creates a fleet association of the company. VALIDATION_FAILED with rule `mismatch` for a charge of another service.",
  })
  createFleetAssociation(
    @Company() company: CompanyScope,
    @Input(() => CreateFleetAssociationInput, NEW_ASSOCIATION) input: CreateFleetAssociationInput,
  ) {
    return fleetAssociationService.create(company, input);
  }

  @RequirePermission("can_edit_fleet")
  @Audited()
  @Mutation(() => FleetAssociation, {
    description:
      "Creates a fleet association of a branch. VALIDATION_FAILED with rule `mismatch` for a charge of another service.",
  })
  createBranchFleetAssociation(
    @CompanyOfRow() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => CreateFleetAssociationInput, NEW_ASSOCIATION) input: CreateFleetAssociationInput,
  ) {
    return associationService.createOfBranch(company, branchId, input);
  }

  @RequirePermission("can_edit_fleet")
  @Audited()
  @Mutation(() => FleetAssociation, {
    description:
      "Changes a fleet association; what is absent stays as it is. VALIDATION_FAILED with rule `mismatch` for a charge of " +
      "another service.",
  })
  updateFleetAssociation(
    @CompanyOfRow() company: CompanyScope,
    @EntityId("id", "FleetAssociation") id: number,
    @Input(() => UpdateFleetAssociationInput, { description: "The changes.", stored: chargeIsOfService })
    input: UpdateFleetAssociationInput,
  ) {
    return fleetAssociationService.update(company, id, input);
  }

  @RequirePermission("can_edit_fleet")
  @Audited()
  @Mutation(() => FleetAssociation, { description: "Deletes a fleet association; answers what it was." })
  deleteFleetAssociation(
    @CompanyOfRow() company: CompanyScope,
    @EntityId("id", "FleetAssociation") id: number,
  ) {
    return fleetAssociationService.remove(company, id);
  }

  @RequirePermission("can_edit_fleet")
  @Audited()
  @Mutation(() => FleetAssociation, {
    description: "Puts a fleet association to use; one that is in use stays as it is.",
  })
  setFleetAssociationEnabled(
    @CompanyOfRow() company: CompanyScope,
    @EntityId("fleetAssociationId", "FleetAssociation") fleetAssociationId: number,
  ) {
    return associationService.setEnabled(company, fleetAssociationId, true);
  }

  @RequirePermission("can_edit_fleet")
  @Audited()
  @Mutation(() => FleetAssociation, {
    description: "Puts a fleet association out of use; one that is out of use stays as it is.",
  })
  setFleetAssociationDisabled(
    @CompanyOfRow() company: CompanyScope,
    @EntityId("fleetAssociationId", "FleetAssociation") fleetAssociationId: number,
  ) {
    return associationService.setEnabled(company, fleetAssociationId, false);
  }

  @FieldResolver(() => String, {
    description: "Part of the fee that is a fraction of the price, with two decimals: `0.05` is 5 percent.",
  })
  feePrc(@Root() { feePrc }: FleetAssociationRow): string {
    return feePrc.toFixed(2);
  }

  @FieldResolver(() => FeeTargetEnum, { description: "Who pays the fee: whoever it belongs to." })
  feeTarget(@Root() { branchId }: FleetAssociationRow): keyof typeof FeeTargetEnum {
    return branchId === null ? "company" : "branch";
  }
}

/** Deletes many associations of one company. */
export const fleetAssociationDeletion = bulkResolver(
  {
    name: "deleteFleetAssociations",
    type: FleetAssociation,
    description: "Deletes fleet associations, each as `deleteFleetAssociation` does.",
    each: (scope, id) => fleetAssociationService.remove(scope, id),
  },
  { permission: "can_edit_fleet" },
);
