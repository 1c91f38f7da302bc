import type { Principal } from "./tokens.js";

/** Who asks: a signed-in principal, nobody, or somebody whose token is expired or forged. */
export type Caller = Principal | { readonly kind: "anonymous" } | { readonly kind: "invalid" };
