import type { FieldError } from "../../core/errors/domain-error.js";
import { readMask } from "../../core/masks/masks.js";
import type { PropertyOptionInput } from "./property.inputs.js";
import { PROPERTY_TYPE } from "./property.masks.js";

/** Returns whether a property is one of choices, by its mask `type`. */
export function isOfOptions(type: number): boolean {
  return readMask(type, PROPERTY_TYPE.isTypeOptions) === true;
}

/**
 * The wrong fields in the choices of a property: an id that is no choice of the property; and, when the property is one
 * of choices, a choice without a name and a new one without a price.
 *
 * @param type the mask `type` that the property will have.
 * @param own the choices that the property has, by their ids.
 */
export function wrongChoices(
  choices: readonly PropertyOptionInput[],
  type: number,
  own: ReadonlyMap<number, { readonly name: string }>,
): FieldError[] {
  return choices.flatMap(({ id, name, priceE2 }, index) => {
    const path = `propertyOptions[${index}]`;
    const kept = id == null ? null : own.get(id);
    if (kept === undefined)
      return [{ field: `${path}.id`, rule: "exists", message: `${id} is no choice of this property` }];
    if (!isOfOptions(type)) return [];
    const wrong: FieldError[] = [];
    if (name === "")
      wrong.push({ field: `${path}.name`, rule: "min_length", message: "must have at least 1 characters" });
    else if ((name ?? kept?.name ?? "") === "")
      wrong.push({ field: `${path}.name`, rule: "required", message: "is required" });
    if (kept === null && priceE2 === undefined)
      wrong.push({ field: `${path}.priceE2`, rule: "required", message: "is required" });
    return wrong;
  });
}
