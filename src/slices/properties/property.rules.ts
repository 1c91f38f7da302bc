import type { FieldError } from "../../core/errors/domain-error.js";
import { readMask } from "../../core/masks/masks.js";
import type { PropertyOptionInput } from "./property.inputs.js";
import { PROPERTY_TYPE } from "./property.masks.js";

/**
 * The wrong fields in the choices of a property: an id that is no choice of the property; the name that a new choice
 * lacks; its price, when the property is one of choices.
 *
 * @param type the mask `type` that the property will have.
 * @param ownIds ids of the choices that the property has.
 */
export function wrongChoices(
  choices: readonly PropertyOptionInput[],
  type: number,
  ownIds: ReadonlySet<number>,
): FieldError[] {
  const isOfOptions = readMask(type, PROPERTY_TYPE.isTypeOptions) === true;
  const needed = isOfOptions ? (["name", "priceE2"] as const) : (["name"] as const);
  return choices.flatMap((choice, index) => {
    const path = `propertyOptions[${index}]`;
    if (choice.id == null) {
      return needed
        .filter((key) => choice[key] === undefined)
        .map((key) => ({ field: `${path}.${key}`, rule: "required", message: "is required" }));
    }
    if (ownIds.has(choice.id)) return [];
    return [{ field: `${path}.id`, rule: "exists", message: `${choice.id} is no choice of this property` }];
  });
}
