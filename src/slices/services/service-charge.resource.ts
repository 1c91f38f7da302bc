import { BooleanField, IdField, InputObject, partialInput } from "../../core/inputs/input-fields.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { serviceChargeService } from "./service-charge.service.js";
import { ServiceCharge, serviceChargeList } from "./service-charge.model.js";

@InputObject({ description: "A service charge." })
class CreateServiceChargeInput {
  @NameField()
  name!: string;

  @IdField("Service", { description: "The service it is for." })
  serviceId!: number;

  @BooleanField({ description: "Whether it is charged at present, true when absent.", optional: true })
  enabled?: boolean;
}

export const serviceChargeCrud = resourceResolvers({
  model: "ServiceCharge",
  type: ServiceCharge,
  list: serviceChargeList,
  plural: "serviceCharges",
  area: "fleet",
  create: CreateServiceChargeInput,
  update: partialInput(CreateServiceChargeInput, "UpdateServiceChargeInput", {
    description: "Changes of a service charge.",
  }),
  service: serviceChargeService,
  descriptions: {
    update:
      "Changes a service charge; what is absent stays as it is. CONFLICT for another service while fleet associations " +
      "have the charge.",
  },
});
