import { Field, Int, ObjectType } from "type-graphql";
import { defineList } from "../../core/lists/list-definition.js";
import { ResourceRow } from "../../core/resources/resource-row.js";
import { SafeInt } from "../../core/scalars/safe-int.js";

@ObjectType({ description: "A room of the chat server, which keeps the messages (contract §26)." })
export class ChatRoom extends ResourceRow {
  @Field(() => Int, { description: "Its company." })
  declare companyId: number;

  @Field(() => Boolean, { description: "Whether it is open." })
  isEnabled!: boolean;

  @Field(() => Boolean, { description: "Whether it is a talk between two." })
  isDirect!: boolean;

  @Field(() => Boolean, { description: "Whether the chat server lets only those in who were invited." })
  isPrivate!: boolean;

  @Field(() => String, { nullable: true, description: "Name, at most 255 characters." })
  name!: string | null;

  @Field(() => String, { nullable: true, description: "URL of its picture." })
  imageUrl!: string | null;

  @Field(() => SafeInt, { nullable: true, description: "The chat server's id of the newest message." })
  lastMessageId!: bigint | null;

  @Field(() => String, { description: "Name of its channel on the chat server, unique in the company." })
  channel!: string;

  @Field(() => String, { nullable: true, description: "Kind of what it is about, such as `order`." })
  targetType!: string | null;
}

export const chatRoomList = defineList(ChatRoom, "ChatRoom", {
  name: { kind: "text", nullable: true },
  isEnabled: { kind: "boolean", sortable: false },
  isDirect: { kind: "boolean", sortable: false },
  isPrivate: { kind: "boolean", sortable: false },
  channel: { kind: "word", sortable: false },
  targetType: { kind: "word", nullable: true, sortable: false },
  lastMessageId: { kind: "safeInt", nullable: true },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});
