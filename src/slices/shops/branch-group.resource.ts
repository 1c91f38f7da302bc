import { BooleanField, IdField, InputObject, partialInput } from "../../core/inputs/input-fields.js";
import { BranchGroup, branchGroupList } from "./branch-group.model.js";
import { branchGroupService } from "./branch-group.service.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { ExternalIdField } from "../../core/resources/external-id.js";

@InputObject({ description: "A branch group: a shop." })
class CreateBranchGroupInput {
  @NameField()
  name!: string;

  @ExternalIdField()
  externalId?: string | null;

  @BooleanField({ description: "Whether it is open for business, true when absent.", optional: true })
  enabled?: boolean;

  @IdField("BranchCategory", { description: "The kind of shop.", nullable: true })
  branchCategoryId?: number | null;
}

export const branchGroupCrud = resourceResolvers({
  model: "BranchGroup",
  type: BranchGroup,
  list: branchGroupList,
  plural: "branchGroups",
  area: "company",
  create: CreateBranchGroupInput,
  update: partialInput(CreateBranchGroupInput, "UpdateBranchGroupInput", {
    description: "Changes of a branch group.",
  }),
  service: branchGroupService,
  descriptions: {
    delete:
      "Removes a branch group, with its imports, also those that have not begun, and its links to providers. CONFLICT while other rows refer to it.",
  },
});
