import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { defineList } from "../../core/lists/list-definition.js";
import { FromMask } from "../../core/masks/mask-fields.js";
import { ToOne } from "../../core/relations/relations.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { ServiceCharge } from "../services/service-charge.model.js";
import { Service } from "../services/service.model.js";
import { Branch } from "../shops/branch.model.js";
import { FLEET_ASSOCIATION_OPTIONS } from "./fleet-association.masks.js";
import { Fleet } from "./fleet.model.js";

const { isAdminManaged, isPaymentReceivedForBranches } = FLEET_ASSOCIATION_OPTIONS;

export const FeeTargetEnum = defineEnum("FleetFeeTarget", ["company", "branch"], {
  description: "Who pays the fee of a fleet association: whoever the association belongs to.",
  values: { company: "The company.", branch: "The branch." },
});

@ObjectType({
  description:
    "A fleet that performs a service for a branch or for the whole company, and its fee (contract §24).",
})
export class FleetAssociation extends ResourceRow {
  @Field(() => Int, { description: "Its company." })
  declare companyId: number;

  @Field(() => Boolean, { description: "Whether it is in use." })
  isEnabled!: boolean;

  @Field(() => Int, { description: "Place among the associations, the lowest first." })
  inOrder!: number;

  @Field(() => SafeInt, { description: "Flat part of the fee, in hundredths." })
  feeFlatE2!: bigint;

  @Field(() => Int, { nullable: true, description: "The branch that it belongs to; null: the company." })
  branchId!: number | null;

  @Field(() => Int, { description: "The fleet." })
  fleetId!: number;

  @Field(() => Int, { description: "The service that the fleet performs." })
  serviceId!: number;

  @Field(() => Int, { nullable: true, description: "The charge of the service that goes with it." })
  serviceChargeId!: number | null;

  @Field(() => Int, { description: "The type of its service." })
  serviceType!: number;

  @Field(() => Int, { description: "Bit mask, from which the flags beside it are read." })
  options!: number;

  @FromMask("options", isAdminManaged, "Whether admins alone manage it")
  isAdminManaged!: boolean;

  @FromMask("options", isPaymentReceivedForBranches, "Whether the fleet receives payments for branches")
  isPaymentReceivedForBranches!: boolean;

  @ToOne(() => Branch, {
    model: "Branch",
    via: "branchId",
    description: "The branch that it belongs to; null: the company.",
  })
  branch!: Branch | null;

  @ToOne(() => Fleet, { model: "Fleet", via: "fleetId", required: true, description: "The fleet." })
  fleet!: Fleet;

  @ToOne(() => Service, {
    model: "Service",
    via: "serviceId",
    required: true,
    description: "The service that the fleet performs.",
  })
  service!: Service;

  @ToOne(() => ServiceCharge, {
    model: "ServiceCharge",
    via: "serviceChargeId",
    description: "The charge of the service that goes with it.",
  })
  serviceCharge!: ServiceCharge | null;
}

export const fleetAssociationList = defineList(
  FleetAssociation,
  "FleetAssociation",
  {
    isEnabled: { kind: "boolean", sortable: false },
    inOrder: { kind: "int" },
    feeFlatE2: { kind: "safeInt" },
    branchId: { kind: "int", nullable: true, sortable: false },
    fleetId: { kind: "int", sortable: false },
    serviceId: { kind: "int", sortable: false },
    serviceChargeId: { kind: "int", nullable: true, sortable: false },
    serviceType: { kind: "int", sortable: false },
    createdAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime" },
  },
  { defaultOrder: [{ field: "inOrder", direction: "asc" }] },
);
