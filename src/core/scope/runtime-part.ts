import type { Db } from "../db/db.js";
import type { RoleDirectoryView } from "../access/role-directory.js";

/** What a part is made of. */
export interface PartOptions {
  /** The primary, without a company. */
  readonly writer: Db;
  /** Reports to the operator a fault that no request is refused for. */
  warn(error: unknown, message: string): void;
}

/**
 * A part of the runtime that a slice adds: something that all requests of the process share, such as counts. A scope finds it by
 * its definition, so nobody has to list it. `Seen` is what requests see of it.
 */
export interface RuntimePart<Seen extends object, Part extends Seen = Seen> {
  /** Makes the part. It is called once in a process, when the part is asked for first. */
  create(options: PartOptions): Part;
  /** Returns the part for a request that holds a connection for its transaction. */
  within(part: Part): Seen;
}

/** What a scope knows of the process. */
export interface ScopeRuntime {
  readonly roles: RoleDirectoryView;
  part<Seen extends object, Part extends Seen>(definition: RuntimePart<Seen, Part>): Seen;
}
