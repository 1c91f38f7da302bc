import { Field, Int, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { ToOne } from "../../core/relations/relations.js";
import { NAMED_FIELDS, NamedRow } from "../../core/resources/resource-row.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Admin } from "../admins/admin.model.js";

@ObjectType({
  description:
    "A key by which a machine calls the service for the company: `Authorization: Bearer cgk_…`. It holds those of its roles " +
    "that whoever made it still holds, and is worth nothing while that one is suspended or deleted.",
})
export class ApiKey extends NamedRow {
  @Field(() => String, {
    description: "Its first characters, by which people tell keys apart, such as `cgk_12_Xy3abc`.",
  })
  prefix!: string;

  @Field(() => String, {
    nullable: true,
    description: "The key itself. Only `createApiKey` and `rotateApiKey` answer it, once; null otherwise.",
  })
  key?: string | null;

  @Field(() => [String], { description: "Its permissions, such as `can_edit_goods`." })
  roles!: string[];

  @Field(() => [String], {
    description: "Networks in CIDR that it may be used from, such as `192.0.2.0/24`; none for any.",
  })
  networks!: string[];

  @Field(() => DateTime, { nullable: true, description: "When it expires; null for never." })
  expiresAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "When it was revoked; null while it is not." })
  revokedAt!: Date | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "Until when the key from before the last rotation is good, too; null for not at all.",
  })
  previousEndsAt!: Date | null;

  madeById!: number | null;

  @ToOne(() => Admin, {
    model: "Admin",
    via: "madeById",
    description: "The admin who made it, or the key by which it was made; null for the platform.",
  })
  madeBy!: Admin | null;

  @Field(() => Int, { nullable: true, description: "Id of the key by which it was made." })
  madeByKeyId!: number | null;
}

export const apiKeyList = defineList(ApiKey, "ApiKey", NAMED_FIELDS);
