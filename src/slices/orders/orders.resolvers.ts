import { orderCrud } from "./order.resource.js";

/** Resolvers of orders. */
export const ordersResolvers = [...orderCrud] as const;
