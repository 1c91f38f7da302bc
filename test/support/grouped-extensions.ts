import { getMetadataStorage } from "type-graphql";

type Class = abstract new () => unknown;
interface Entry {
  readonly target: Class;
  /** Absent: of the class itself. */
  readonly fieldName?: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}
interface Storage {
  readonly classExtensions: readonly Entry[];
  readonly fieldExtensions: readonly Entry[];
  findExtensions(target: Class, fieldName?: string): Record<string, unknown>;
}

/**
 * Has TypeGraphQL find the extensions of a field by its class. By itself it goes through those of all fields for each
 * field, which takes a third of a second in the contexts that Jest makes, where globals are slow: for each test file.
 */
export function groupExtensions(): void {
  const storages = Object.getPrototypeOf(getMetadataStorage()) as Storage;
  const groups = new WeakMap<readonly Entry[], Map<Class, Entry[]>>();
  storages.findExtensions = function (target, fieldName) {
    const entries = fieldName === undefined ? this.classExtensions : this.fieldExtensions;
    const byClass = groups.get(entries) ?? grouped(entries);
    groups.set(entries, byClass);
    const found: Record<string, unknown> = {};
    for (const owner of lineageOf(target)) {
      for (const entry of byClass.get(owner) ?? [])
        if (entry.fieldName === fieldName) Object.assign(found, entry.extensions);
    }
    return found;
  };
}

function grouped(entries: readonly Entry[]): Map<Class, Entry[]> {
  const byClass = new Map<Class, Entry[]>();
  for (const entry of entries) {
    const group = byClass.get(entry.target);
    if (group === undefined) byClass.set(entry.target, [entry]);
    else group.push(entry);
  }
  return byClass;
}

/** The class after all that it extends: what it says itself counts. */
function lineageOf(target: Class): Class[] {
  const lineage: Class[] = [];
  for (let one: unknown = target; typeof one === "function"; one = Object.getPrototypeOf(one)) {
    lineage.unshift(one as Class);
  }
  return lineage;
}
