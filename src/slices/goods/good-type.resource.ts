import { InputObject, partialInput } from "../../core/inputs/input-fields.js";
import { GoodType, goodTypeList } from "./good-type.model.js";
import { goodTypeService } from "./good-type.service.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A good type." })
class CreateGoodTypeInput {
  @NameField()
  name!: string;
}

export const goodTypeCrud = resourceResolvers({
  model: "GoodType",
  type: GoodType,
  list: goodTypeList,
  plural: "goodTypes",
  area: "goods",
  create: CreateGoodTypeInput,
  update: partialInput(CreateGoodTypeInput, "UpdateGoodTypeInput", {
    description: "Changes of a good type.",
  }),
  service: goodTypeService,
});
