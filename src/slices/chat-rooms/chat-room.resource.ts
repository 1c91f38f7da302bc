import {
  BooleanField,
  InputField,
  InputObject,
  partialInput,
  TextField,
  UrlField,
} from "../../core/inputs/input-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { ChatRoom, chatRoomList } from "./chat-room.model.js";
import { chatRoomService } from "./chat-room.service.js";

@InputObject({ description: "A chat room." })
class CreateChatRoomInput {
  @TextField({ description: "Name.", nullable: true, max: 255 })
  name?: string | null;

  @UrlField({ description: "URL of its picture.", nullable: true, max: 2048 })
  imageUrl?: string | null;

  @BooleanField({ description: "Whether it is open; true unless given.", optional: true })
  isEnabled?: boolean;

  @BooleanField({ description: "Whether it is a talk between two; false unless given.", optional: true })
  isDirect?: boolean;

  @BooleanField({
    description: "Whether the chat server lets only those in who were invited; false unless given.",
    optional: true,
  })
  isPrivate?: boolean;

  @InputField(
    () => SafeInt,
    { description: "The chat server's id of the newest message.", nullable: true },
    { minimum: 1 },
  )
  lastMessageId?: number | null;

  @TextField({
    description:
      "Name of its channel on the chat server, unique in the company; one that nobody can guess unless given.",
    optional: true,
    min: 1,
    max: 255,
  })
  channel?: string;

  @TextField({ description: "Kind of what it is about, such as `order`.", nullable: true, min: 1, max: 64 })
  targetType?: string | null;
}

export const chatRoomCrud = resourceResolvers({
  model: "ChatRoom",
  type: ChatRoom,
  list: chatRoomList,
  plural: "chatRooms",
  area: "chat_rooms",
  create: CreateChatRoomInput,
  update: partialInput(CreateChatRoomInput, "UpdateChatRoomInput", {
    description: "Changes of a chat room.",
  }),
  service: chatRoomService,
});
