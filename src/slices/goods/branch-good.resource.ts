import {
  AmountField,
  BooleanField,
  IdField,
  InputObject,
  NumberField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { BranchGood, branchGoodList } from "./branch-good.model.js";
import { GoodKeyEnum } from "./good-key.js";
import { branchGoodService, lockGoodsOfBranches, upsertBranchGood } from "./branch-good.service.js";
import { upsertResolver } from "../../core/operations/upsert-operation.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

const PriceField = () =>
  AmountField({ description: "Price at this branch, in hundredths; null: the good's own.", nullable: true });

const StockField = () =>
  NumberField({
    description: "How much is left, to three decimals; null: not counted.",
    nullable: true,
    min: 0,
    max: 99_999_999_999,
    decimals: 3,
  });

@InputObject({ description: "A good as one branch sells it; a branch has each good once." })
class CreateBranchGoodInput {
  @IdField("Branch", { description: "The branch." })
  branchId!: number;

  @IdField("Good", { description: "The good: one of the branch's shop, or of the whole company." })
  goodId!: number;

  @PriceField()
  priceE2?: number | null;

  @StockField()
  stock?: number | null;

  @BooleanField({
    description: "Whether the branch does not sell it at present, false when absent.",
    optional: true,
  })
  disabled?: boolean;
}

@InputObject({ description: "A good of a branch as it should be; what is absent stays as it is." })
export class UpsertBranchGoodInput {
  @IdField("Branch", { description: "The branch." })
  branchId!: number;

  @IdField("Good", { description: "The good, by its id.", optional: true })
  goodId?: number;

  @TextField({ description: "The sku of the good of the branch's shop.", optional: true, min: 1, max: 16 })
  sku?: string;

  @TextField({ description: "The external id of the good.", optional: true, min: 1, max: 64 })
  externalId?: string;

  @PriceField()
  priceE2?: number | null;

  @StockField()
  stock?: number | null;

  @BooleanField({ description: "Whether the branch does not sell it at present.", optional: true })
  disabled?: boolean;
}

export const branchGoodUpsert = upsertResolver(
  {
    name: "upsertBranchGoods",
    description:
      "Sets prices, stock and states of goods at branches, a value for each row; a good that the branch does not have is put on sale there. " +
      "NOT_FOUND for a row whose good is none.",
    type: BranchGood,
    field: "branchGood",
    by: GoodKeyEnum,
    input: UpsertBranchGoodInput,
    lock: lockGoodsOfBranches,
    each: upsertBranchGood,
  },
  { permission: "can_edit_goods" },
);

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
