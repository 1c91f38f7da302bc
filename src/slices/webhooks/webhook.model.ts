import { Field, Int, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { ChangeActionEnum } from "../audit/change.model.js";
import { PrincipalKindEnum } from "../auth/auth.model.js";

@ObjectType({ description: "An address that is sent the changes of the company, one message for each." })
export class Webhook extends ResourceRow {
  @Field(() => String, { description: "The address to which messages are sent by POST." })
  url!: string;

  @Field(() => [String], {
    description:
      "The types of the rows whose changes are sent, such as `Good`; empty: all that its author may read.",
  })
  types!: string[];

  @Field(() => [ChangeActionEnum], { description: "The actions that are sent; empty: all." })
  actions!: string[];

  @Field(() => String, {
    nullable: true,
    description:
      "The query of `$companyId` and `$id` whose `data` is sent as `data.result`; null: messages name the row alone.",
  })
  query!: string | null;

  @Field(() => Boolean, { description: "Whether messages are sent. Changes wait for one that is not." })
  isEnabled!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "Why the service has disabled it; null when it has not. Whoever enables it again clears it.",
  })
  disabledReason!: string | null;

  @Field(() => PrincipalKindEnum, {
    description:
      "The kind of its author: who has said last which address is sent what. Messages have what the author may read.",
  })
  authorKind!: string;

  @Field(() => Int, { nullable: true, description: "Id of the author; null for the platform." })
  authorId!: number | null;

  @Field(() => DateTime, {
    nullable: true,
    description: "When it last got a new secret by `rotateWebhookSecret`; null when it never did.",
  })
  rotatedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The secret that signs its messages, such as `whsec_…`. Shown only in the answers of `createWebhook` and " +
      "`rotateWebhookSecret`.",
  })
  secret?: string | null;
}

export const webhookList = defineList(Webhook, "Webhook", { createdAt: { kind: "dateTime" } });
