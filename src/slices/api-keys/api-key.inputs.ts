import {
  DateTimeField,
  InputField,
  InputObject,
  partialInput,
  patternSchema,
} from "../../core/inputs/input-fields.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { NameField } from "../../core/resources/resource-fields.js";

const ROLES: JsonSchema = {
  minItems: 1,
  items: {
    text: "line",
    ...patternSchema({ source: "^(access_|can_).", words: "a role, which begins with access_ or can_" }),
    maxLength: 64,
  },
};
const NETWORKS: JsonSchema = { maxItems: 50, items: { text: "line", maxLength: 64, format: "network" } };

@InputObject({ description: "A key for machines." })
export class CreateApiKeyInput {
  @NameField()
  name!: string;

  @InputField(
    () => [String],
    {
      description: "Its permissions, at least one, such as `can_edit_goods`; only ones that the caller has.",
    },
    ROLES,
  )
  roles!: string[];

  @DateTimeField({
    description: "When it expires; null or absent for never.",
    nullable: true,
    laterThan: ["now"],
  })
  expiresAt?: string | null;

  @InputField(
    () => [String],
    {
      description:
        "Networks in CIDR that it may be used from, such as `192.0.2.0/24` or `2001:db8::/32`, at most 50; any when absent.",
      optional: true,
    },
    NETWORKS,
  )
  networks?: string[];
}

export const UpdateApiKeyInput = partialInput(CreateApiKeyInput, "UpdateApiKeyInput", {
  description: "Changes of a key; roles and networks are replaced as a whole.",
});
export type UpdateApiKeyInput = InstanceType<typeof UpdateApiKeyInput>;
