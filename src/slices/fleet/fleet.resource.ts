import { BooleanField, InputObject, partialInput } from "../../core/inputs/input-fields.js";
import { Fleet, fleetList } from "./fleet.model.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A fleet." })
class CreateFleetInput {
  @NameField()
  name!: string;

  @BooleanField({ description: "Whether it works at present, true when absent.", optional: true })
  enabled?: boolean;
}

export const fleetCrud = resourceResolvers({
  model: "Fleet",
  type: Fleet,
  list: fleetList,
  plural: "fleets",
  area: "fleet",
  create: CreateFleetInput,
  update: partialInput(CreateFleetInput, "UpdateFleetInput", { description: "Changes of a fleet." }),
});
