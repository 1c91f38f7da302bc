/** The place of a boolean or a small number in an integer mask. */
export interface MaskField {
  /** The bits of the field where they stand in the mask: `0x100`, `0xf00000`. */
  readonly bits: number;
  /** For a number, how many bits stand below its lowest bit; absent for a boolean. */
  readonly shift?: number;
}

export type MaskLayout = Readonly<Record<string, MaskField>>;

/** Reads a boolean or, with `shift`, a number from a mask. */
export function readMask(mask: number, field: MaskField): boolean | number {
  return field.shift === undefined ? (mask & field.bits) !== 0 : (mask & field.bits) >>> field.shift;
}

/**
 * The mask after an input: each flag or number that is sent and not null sets its own bits in the mask
 * that is sent, else in the stored one (contract §2.4).
 */
export function writeMask(
  layout: MaskLayout,
  input: Readonly<Record<string, unknown>>,
  sent: number | null | undefined,
  stored: number,
): number {
  let mask = sent ?? stored;
  for (const [name, { bits, shift }] of Object.entries(layout)) {
    const value = input[name];
    if (typeof value === "boolean") mask = (mask & ~bits) | (value ? bits : 0);
    if (typeof value === "number") mask = (mask & ~bits) | ((value << (shift ?? 0)) & bits);
  }
  return mask;
}
