import {
  IdField,
  InputField,
  InputObject,
  IntField,
  LongTextField,
  NumberField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";

@InputObject({ description: "What is chosen or entered for a property of the good." })
class CartItemExtraInput {
  @IdField("Property", { description: "The property: one that the good offers." })
  propertyId!: number;

  @TextField({ description: "Id or name of an option, a number of the range, or a text.", max: 255 })
  value!: string;
}

@InputObject({ description: "A good for a cart." })
export class CreateCartItemInput {
  @IdField("Good", { description: "The good: one that the cart's branch may sell." })
  goodId!: number;

  @IntField({
    description:
      "How many, within the good's `maxQuantity` and `limitType`; parts of a unit where its `unitConfig` is enabled.",
    min: 1,
  })
  quantity!: number;

  @NumberField({
    description:
      "How much of the branch's stock the row takes, to three decimals; when absent, what quantity and choices take. Less " +
      "than that counts as that.",
    nullable: true,
    min: 0.001,
    max: 99_999_999_999,
    decimals: 3,
  })
  stock?: number | null;

  @IdField("Provider", { description: "Who provides it.", nullable: true })
  providerId?: number | null;

  @LongTextField({ description: "Notes of who buys.", nullable: true, max: 255 })
  notes?: string | null;

  @InputField(
    () => [CartItemExtraInput],
    {
      description:
        "What is chosen of the good's properties; several options of one property are several entries. Where something has " +
        "to be chosen and nothing is, the property's defaults are taken. At most 100.",
      nullable: true,
    },
    { maxItems: 100 },
  )
  extras?: CartItemExtraInput[] | null;
}

export const UpdateCartItemInput = partialInput(CreateCartItemInput, "UpdateCartItemInput", {
  description: "Changes of a row of a cart. What is absent stays as it is; `extras` are replaced as a whole.",
  omit: ["goodId"],
});
export type UpdateCartItemInput = InstanceType<typeof UpdateCartItemInput>;
