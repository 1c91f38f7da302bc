import {
  AmountField,
  BooleanField,
  IdField,
  InputObject,
  NumberField,
  partialInput,
} from "../../core/inputs/input-fields.js";
import { BranchGood, branchGoodList } from "./branch-good.model.js";
import { branchGoodService } from "./branch-good.service.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A good as one branch sells it; a branch has each good once." })
class CreateBranchGoodInput {
  @IdField("Branch", { description: "The branch." })
  branchId!: number;

  @IdField("Good", { description: "The good: one of the branch's shop, or of the whole company." })
  goodId!: number;

  @AmountField({
    description: "Price at this branch, in hundredths; null: the good's own.",
    nullable: true,
  })
  priceE2?: number | null;

  @NumberField({
    description: "How much is left, to three decimals; null: not counted.",
    nullable: true,
    min: 0,
    max: 99_999_999_999,
    decimals: 3,
  })
  stock?: number | null;

  @BooleanField({
    description: "Whether the branch does not sell it at present, false when absent.",
    optional: true,
  })
  disabled?: boolean;
}

export const branchGoodCrud = resourceResolvers({
  model: "BranchGood",
  type: BranchGood,
  list: branchGoodList,
  plural: "branchGoods",
  area: "goods",
  create: CreateBranchGoodInput,
  update: partialInput(CreateBranchGoodInput, "UpdateBranchGoodInput", {
    description: "Changes of a branch good.",
    omit: ["branchId", "goodId"],
  }),
  service: branchGoodService,
});
