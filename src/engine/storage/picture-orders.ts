import type { Picture } from "../../core/files/upload.js";

/** What the process that decodes pictures is asked for. */
export type PictureOrder =
  /** A picture that was sent, written anew in both sizes. */
  | { readonly kind: "make"; readonly path: string }
  /** A smaller size of a stored picture. */
  | { readonly kind: "render"; readonly large: Uint8Array; readonly size: "medium" | "small" }
  /** Says whether a stored picture can be decoded to its end. */
  | { readonly kind: "judge"; readonly large: Uint8Array };

export type PictureResult = Picture | Uint8Array | boolean;

/** What it answers. */
export type PictureAnswer =
  | { readonly kind: "done"; readonly result: PictureResult }
  /** The file is no picture. */
  | { readonly kind: "broken"; readonly message: string }
  /** It takes too long: the process is to be ended, since decoding goes on. */
  | { readonly kind: "slow" };
