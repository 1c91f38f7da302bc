import "./goods.permissions.js";
import { GoodResolver, goodCrud, goodUpsert } from "./good.resolver.js";
import { GoodListResolver } from "./good-list.resolver.js";
import { GoodSearchResolver } from "./search/good-search.resolver.js";
import { SearchSynonymResolver } from "./search/search-synonym.resolver.js";
import { RepricingResolver } from "./repricing/repricing.resolver.js";
import { GoodLinksResolver } from "./good-links.resolver.js";
import { GoodPictureResolver } from "./good-picture.resolver.js";
import { ClientFavoriteResolver } from "./client-favorite.resolver.js";
import { branchGoodCrud, branchGoodUpsert } from "./branch-good.resource.js";
import { categoryCrud } from "./category.resource.js";
import { goodTagCrud } from "./good-tag.resource.js";
import { goodTypeCrud } from "./good-type.resource.js";
import { materialCrud } from "./material.resource.js";

/** Resolvers of goods, their links, types, tags, materials and categories, and of favourites. */
export const goodsResolvers = [
  ...goodCrud,
  goodUpsert,
  GoodResolver,
  GoodListResolver,
  GoodSearchResolver,
  SearchSynonymResolver,
  RepricingResolver,
  GoodLinksResolver,
  GoodPictureResolver,
  ClientFavoriteResolver,
  ...branchGoodCrud,
  branchGoodUpsert,
  ...categoryCrud,
  ...goodTagCrud,
  ...goodTypeCrud,
  ...materialCrud,
] as const;
