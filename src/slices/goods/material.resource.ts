import { InputObject, partialInput, TextField } from "../../core/inputs/input-fields.js";
import { Material, materialList } from "./material.model.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A material." })
class CreateMaterialInput {
  @NameField()
  name!: string;

  @TextField({ description: "Unit of its quantities.", nullable: true, max: 16 })
  unit?: string | null;
}

export const materialCrud = resourceResolvers({
  model: "Material",
  type: Material,
  list: materialList,
  plural: "materials",
  area: "goods",
  create: CreateMaterialInput,
  update: partialInput(CreateMaterialInput, "UpdateMaterialInput", { description: "Changes of a material." }),
});
