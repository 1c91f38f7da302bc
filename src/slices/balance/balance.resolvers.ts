import "./balance.permissions.js";
import { BalanceHolderResolver, BalanceMovementResolver } from "./balance.resolver.js";
import { BooksResolver } from "./books.resolver.js";
import { ClientBooksResolver, StatementsResolver } from "./statements.resolver.js";

/** Resolvers of balances and of the books that they make. */
export const balanceResolvers = [
  BalanceMovementResolver,
  BalanceHolderResolver,
  BooksResolver,
  StatementsResolver,
  ClientBooksResolver,
] as const;
