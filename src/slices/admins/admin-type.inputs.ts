import {
  AmountField,
  patternSchema,
  BooleanField,
  InputField,
  InputObject,
  IdsField,
  IntField,
  ObjectField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";

/** JSON Schema of a list of roles; each begins with `access_` or `can_` (contract §10.2). */
const ROLE = patternSchema({
  source: "^(access_|can_).",
  words: "a role, which begins with access_ or can_",
});
export const ROLES: JsonSchema = { items: { text: "line", ...ROLE, maxLength: 64 } };

/** No two entries of a list have the same key. */
const KEYED: JsonSchema = { uniqueBy: "key" };

@InputObject({ description: "How an entry of the interface shows." })
export class AdminTypeContentValueInput {
  @BooleanField({ description: "Whether it is visible." })
  isVisible!: boolean;
}

@InputObject({ description: "An entry within an entry of the interface." })
export class AdminTypeNestedContentInput {
  @TextField({ description: "Key.", min: 1, max: 32 })
  key!: string;

  @ObjectField(() => AdminTypeContentValueInput, { description: "How it shows." })
  value!: AdminTypeContentValueInput;
}

@InputObject({ description: "An entry of the interface." })
export class AdminTypeContentInput extends AdminTypeNestedContentInput {
  @TextField({ description: "Key of the entry to open first.", nullable: true, max: 32 })
  defaultKey?: string | null;

  @InputField(
    () => [AdminTypeNestedContentInput],
    { description: "Entries within it, each with a key of its own; null: none.", nullable: true },
    KEYED,
  )
  content?: AdminTypeNestedContentInput[] | null;
}

@InputObject({ description: "An admin type." })
export class CreateAdminTypeInput {
  @TextField({ description: "Name.", min: 1, max: 32 })
  name!: string;

  @TextField({ description: "Key of the entry to open first.", min: 1, max: 32 })
  defaultKey!: string;

  @IntField({ description: "The company's own code for it.", nullable: true })
  code?: number | null;

  @AmountField({
    description:
      "The largest amount that its admins post at once, in hundredths of any currency; null for any. At most that of the caller.",
    nullable: true,
  })
  mostPostedE2?: number | null;

  @BooleanField({
    description:
      "Whether its admins may do nothing after a login but what is open, and enrol a second factor, until they have one. Only a full " +
      "administrator takes that back.",
    optional: true,
  })
  requiresSecondFactor?: boolean;

  @IdsField("BranchGroup", {
    description:
      "The shops that its admins reach, with all their branches: rows of others are as if they did not exist, and rows of the whole " +
      "company are read, not written. Empty, as `branchIds` is: all. Only shops that the caller reaches.",
    optional: true,
  })
  branchGroupIds?: number[];

  @IdsField("Branch", {
    description: "Branches that its admins reach besides; rows of their shops are read, not written.",
    optional: true,
  })
  branchIds?: number[];

  @IdsField("AdminType", {
    description:
      "Admin types that its admins may give to others, and take from them, although these types hold more; who holds them may be suspended " +
      "and deleted, too. It needs `can_edit_admins`. Who may hire for a type could sign in as a hire of their own: list what its " +
      "admins are trusted with. Only types that the caller may assign, as full administrators may all.",
    optional: true,
  })
  assignableTypeIds?: number[];

  @InputField(
    () => [AdminTypeContentInput],
    { description: "Entries of the interface, each with a key of its own.", optional: true },
    KEYED,
  )
  content?: AdminTypeContentInput[];

  @InputField(
    () => [String],
    {
      description: "Its permissions, such as `can_edit_coupons`; only ones that the caller has.",
      optional: true,
    },
    ROLES,
  )
  roles?: string[];
}

export const UpdateAdminTypeInput = partialInput(CreateAdminTypeInput, "UpdateAdminTypeInput", {
  description: "Changes of an admin type; content and roles are replaced as a whole.",
});
export type UpdateAdminTypeInput = InstanceType<typeof UpdateAdminTypeInput>;
