import {
  AmountField,
  BooleanField,
  DecimalField,
  IdField,
  InputObject,
  IntField,
  partialInput,
} from "../../core/inputs/input-fields.js";

@InputObject({ description: "A fleet association." })
export class CreateFleetAssociationInput {
  @IdField("Fleet", { description: "The fleet." })
  fleetId!: number;

  @IdField("Service", { description: "The service that the fleet performs." })
  serviceId!: number;

  @IdField("ServiceCharge", { description: "The charge that goes with it, one of the service." })
  serviceChargeId!: number;

  @IntField({
    description: "Place among the associations, the lowest first; 0 unless given.",
    optional: true,
    min: 0,
    max: 1_000_000,
  })
  inOrder?: number;

  @AmountField({ description: "Flat part of the fee, in hundredths; 0 unless given.", optional: true })
  feeFlatE2?: number;

  @DecimalField({
    description: "Part of the fee that is a fraction of the price: 0.05 is 5 percent; 0 unless given.",
    optional: true,
    min: 0,
    max: 1,
    decimals: 2,
  })
  feePrc?: number;

  @BooleanField({ description: "Whether admins alone manage it. Null: not given.", nullable: true })
  isAdminManaged?: boolean | null;

  @BooleanField({
    description: "Whether the fleet receives payments for branches. Null: not given.",
    nullable: true,
  })
  isPaymentReceivedForBranches?: boolean | null;
}

export const UpdateFleetAssociationInput = partialInput(
  CreateFleetAssociationInput,
  "UpdateFleetAssociationInput",
  {
    description: "Changes of a fleet association; the fleet stays.",
    omit: ["fleetId"],
    required: ["serviceId", "serviceChargeId"],
  },
);
export type UpdateFleetAssociationInput = InstanceType<typeof UpdateFleetAssociationInput>;
