import "./carts.permissions.js";
import { CartItemResolver } from "./cart-item.resolver.js";
import { cartCrud } from "./cart.resource.js";

/** Resolvers of carts. */
export const cartsResolvers = [...cartCrud, CartItemResolver] as const;
