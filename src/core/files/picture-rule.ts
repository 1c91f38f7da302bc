/** The formats in which pictures may arrive. */
export type PictureType = "jpeg" | "png" | "bmp";

/** What an uploaded picture has to be; all of it is read from its bytes. */
export interface PictureRule {
  readonly types: readonly PictureType[];
  readonly maxKiB: number;
  readonly minWidth?: number;
  readonly minHeight?: number;
  /** Width to height, such as `[1, 1]`. */
  readonly ratio?: readonly [number, number];
}

/** The rule in words, for the description of its field. */
export function describePicture({ types, maxKiB, minWidth, minHeight, ratio }: PictureRule): string {
  const last = types.at(-1) as string;
  const formats = types.length === 1 ? last : `${types.slice(0, -1).join(", ")} or ${last}`;
  return [
    formats,
    `at most ${maxKiB} KiB`,
    ...(minWidth === undefined ? [] : [`at least ${minWidth} pixels wide`]),
    ...(minHeight === undefined ? [] : [`at least ${minHeight} pixels high`]),
    ...(ratio === undefined ? [] : [`aspect ratio ${ratio.join("/")}`]),
  ].join(", ");
}
