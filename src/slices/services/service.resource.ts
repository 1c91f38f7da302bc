import { BooleanField, InputObject, IntField, partialInput } from "../../core/inputs/input-fields.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { Service, serviceList } from "./service.model.js";

@InputObject({ description: "A service." })
class CreateServiceInput {
  @NameField()
  name!: string;

  @IntField({
    description: "The company's own number for the kind of service, 0 when absent.",
    optional: true,
    min: 0,
  })
  type?: number;

  @BooleanField({ description: "Whether it is offered at present, true when absent.", optional: true })
  enabled?: boolean;
}

export const serviceCrud = resourceResolvers({
  model: "Service",
  type: Service,
  list: serviceList,
  plural: "services",
  area: "fleet",
  create: CreateServiceInput,
  update: partialInput(CreateServiceInput, "UpdateServiceInput", { description: "Changes of a service." }),
});
