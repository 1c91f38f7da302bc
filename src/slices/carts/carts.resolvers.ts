import { cartCrud } from "./cart.resource.js";

/** Resolvers of carts. */
export const cartsResolvers = [...cartCrud] as const;
