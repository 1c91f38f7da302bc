import {
  BooleanField,
  InputField,
  InputObject,
  LongTextField,
  partialInput,
  UrlField,
} from "../../core/inputs/input-fields.js";
import { ChangeActionEnum } from "../audit/change.model.js";

const MOST_TYPES = 200;

@InputObject({ description: "A webhook." })
export class CreateWebhookInput {
  @UrlField({
    description:
      "The address to which messages are sent: a public one by https. Wrong ones break the rule `address`.",
    max: 2_000,
  })
  url!: string;

  @InputField(
    () => [String],
    {
      description:
        "The types of rows whose changes are sent, at most 200, such as `Good` or `good`; all that its author may read when absent, null " +
        "or empty. FORBIDDEN for one that the caller may not read.",
      nullable: true,
    },
    { maxItems: MOST_TYPES, items: { text: "line", maxLength: 100 } },
  )
  types?: string[] | null;

  @InputField(
    () => [ChangeActionEnum],
    { description: "The actions that are sent; all when absent, null or empty.", nullable: true },
    { maxItems: 4 },
  )
  actions?: string[] | null;

  @LongTextField({
    description:
      "A GraphQL query of no variables but `$companyId` and `$id`, whose `data` is sent as `data.result`. It runs with the " +
      "rights of the author when a message is sent, and costs as much as if the author had asked.",
    nullable: true,
    min: 1,
    max: 8_000,
  })
  query?: string | null;

  @BooleanField({ description: "Whether messages are sent, true when absent.", optional: true })
  isEnabled?: boolean;
}

export const UpdateWebhookInput = partialInput(CreateWebhookInput, "UpdateWebhookInput", {
  description: "Changes of a webhook.",
});
export type UpdateWebhookInput = InstanceType<typeof UpdateWebhookInput>;
