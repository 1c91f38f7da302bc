import { InputObject, partialInput } from "../../core/inputs/input-fields.js";
import { GoodTag, goodTagList } from "./good-tag.model.js";
import { goodTagService } from "./good-tag.service.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A good tag." })
class CreateGoodTagInput {
  @NameField()
  name!: string;
}

export const goodTagCrud = resourceResolvers({
  model: "GoodTag",
  type: GoodTag,
  list: goodTagList,
  plural: "goodTags",
  area: "goods",
  create: CreateGoodTagInput,
  update: partialInput(CreateGoodTagInput, "UpdateGoodTagInput", { description: "Changes of a good tag." }),
  service: goodTagService,
});
