import { randomBytes } from "node:crypto";
import { resourceService } from "../../core/resources/resource-service.js";
import { type ChatRoom, chatRoomList } from "./chat-room.model.js";

/** The bytes of a generated channel, which nobody can guess. */
const CHANNEL_BYTES = 24;

export const chatRoomService = resourceService<ChatRoom>("ChatRoom", chatRoomList, {
  unique: "channel",
  prepare: (_, input, id) => (id === null ? { channel: newChannel(), ...input } : input),
});

function newChannel(): string {
  return randomBytes(CHANNEL_BYTES).toString("base64url");
}
