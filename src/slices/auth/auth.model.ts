import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { Admin } from "../admins/admin.model.js";
import { Client } from "../clients/client.model.js";
import { ToOne } from "../../core/relations/relations.js";

@ObjectType({ description: "What a caller signs its requests with." })
export class AuthTokens {
  @Field(() => String, { description: "JWT for the header `Authorization: Bearer`." })
  accessToken!: string;

  @Field(() => String, {
    description:
      "Gets a new pair from `refreshToken`, once, within 30 days. Sent again within ten seconds, before the new " +
      "one is used, it gets the same one again, since an answer may be lost. Later that ends the login: whoever " +
      "came second or first has stolen it.",
  })
  refreshToken!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "Shows at the admin's next login that it signed in here before; keep the latest one, after a logout too. Good " +
      "for 180 days, until the password changes; it signs nobody in. Null for a client.",
  })
  deviceToken!: string | null;

  @Field(() => String, { description: "Always `Bearer`." })
  tokenType!: string;

  @Field(() => Int, { description: "Seconds for which the access token is valid." })
  expiresIn!: number;
}

export const PrincipalKindEnum = defineEnum("PrincipalKind", ["admin", "client", "platform", "key"], {
  description:
    "Who a token speaks for: an admin or a client of a company, or the platform; or a key for machines.",
  values: {
    admin: "Somebody who works for the company.",
    client: "A customer of the company.",
    platform: "Whoever runs the service; of no company.",
    key: "A key for machines of the company.",
  },
});

@ObjectType({ description: "Who the token of the request speaks for." })
export class Me {
  @Field(() => PrincipalKindEnum, { description: "Admin, client or platform." })
  kind!: keyof typeof PrincipalKindEnum;

  @Field(() => Int, { nullable: true, description: "Id of the admin, client or key; null for the platform." })
  id!: number | null;

  @Field(() => Int, { nullable: true, description: "Id of the company; null for the platform." })
  companyId!: number | null;

  @Field(() => [String], {
    description: "Permissions held, in alphabetical order; what a client may do needs none.",
  })
  permissions!: string[];

  adminId!: number | null;

  @ToOne(() => Admin, { model: "Admin", via: "adminId", description: "The admin, when it is one." })
  admin!: Admin | null;

  clientId!: number | null;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "The client, when it is one." })
  client!: Client | null;
}
