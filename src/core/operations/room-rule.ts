import { Extensions } from "type-graphql";
import type { CompanyScope } from "../scope/company-scope.js";

/** The extension of a mutation with files whose uploads are judged before their bodies are read. */
export const ROOM_RULE = "roomRule";

/** @throws DomainError when the company has no room for what the mutation adds. */
export type RoomRule = (scope: CompanyScope) => Promise<void>;

/**
 * Refuses the uploads of REST for which the company has no room before anything of their bodies is read and kept. The service
 * asks again in the transaction that adds: the room may be gone by then.
 */
export const NeedsRoom = (rule: RoomRule): MethodDecorator => Extensions({ [ROOM_RULE]: rule });
