import "./chat-rooms.permissions.js";
import { chatRoomCrud } from "./chat-room.resource.js";

/** Resolvers of chat rooms. */
export const chatRoomsResolvers = [...chatRoomCrud] as const;
