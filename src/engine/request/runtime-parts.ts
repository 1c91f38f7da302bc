import type { PartOptions, RuntimePart } from "../../core/scope/runtime-part.js";

/** The parts that slices have added to the runtime of this process. */
export class RuntimeParts {
  private readonly made = new Map<object, object>();

  constructor(private readonly options: PartOptions) {}

  /** Returns the part of a definition, which is made at the first call. */
  find<Part extends object>(definition: Pick<RuntimePart<object, Part>, "create">): Part {
    let part = this.made.get(definition) as Part | undefined;
    if (part === undefined) this.made.set(definition, (part = definition.create(this.options)));
    return part;
  }
}
