import { Extensions, Field, Int } from "type-graphql";
import type { MaskField, MaskLayout } from "./masks.js";

/** A field of an object type that is read from an integer mask of the row. */
export interface MaskSource extends MaskField {
  /** Name of the row's field that holds the mask. */
  readonly mask: string;
}

/**
 * Declares a boolean or a number that is read from the mask in the row's field `mask`; the schema attaches the
 * resolver.
 */
export function FromMask(mask: string, field: MaskField, description: string): PropertyDecorator {
  return (prototype, name) => {
    Field(() => (field.shift === undefined ? Boolean : Int), {
      description: `${description} (${bitsOf(field)} of \`${mask}\`)`,
    })(prototype, name);
    Extensions({ maskSource: { mask, ...field } satisfies MaskSource })(prototype, name);
  };
}

/** Adds a derived field to `target` for every entry of the layout. */
export function addMaskFields(
  target: new () => object,
  mask: string,
  layout: MaskLayout,
  describe: (name: string) => string,
): void {
  for (const [name, field] of Object.entries(layout)) {
    FromMask(mask, field, describe(name))(target.prototype as object, name);
  }
}

function bitsOf({ bits, shift }: MaskField): string {
  return `${shift === undefined ? "bit" : "bits"} 0x${bits.toString(16)}`;
}
