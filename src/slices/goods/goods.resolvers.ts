import { ClientFavoriteResolver } from "./client-favorite.resolver.js";
import { GoodResolver } from "./good.resolver.js";
import { GoodLinksResolver } from "./good-links.resolver.js";
import { GoodListResolver } from "./good-list.resolver.js";

/** The resolvers of goods, their links and favourites. */
export const goodResolvers: readonly (new () => object)[] = [
  GoodResolver,
  GoodListResolver,
  GoodLinksResolver,
  ClientFavoriteResolver,
];
