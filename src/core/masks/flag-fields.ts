import type { ListField } from "../lists/list-definition.js";
import type { MaskLayout } from "./masks.js";

/** The flags of the mask in the field `mask`, as fields that lists are filtered by. */
export function flagFields<Layout extends MaskLayout>(
  mask: string,
  layout: Layout,
): Readonly<Record<keyof Layout, ListField>> {
  return Object.fromEntries(
    Object.entries(layout).map(([name, { bits }]) => [name, { kind: "boolean", derived: { mask, bits } }]),
  ) as unknown as Readonly<Record<keyof Layout, ListField>>;
}
