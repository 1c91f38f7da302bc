import "./balance.permissions.js";
import { BalanceHolderResolver, BalanceMovementResolver } from "./balance.resolver.js";

/** Resolvers of balances. */
export const balanceResolvers = [BalanceMovementResolver, BalanceHolderResolver] as const;
