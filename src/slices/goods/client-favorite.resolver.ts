import { Args, Int, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { ChangesRow } from "../../core/operations/changed-row.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { ClientFavorite } from "./client-favorite.model.js";
import * as favoriteService from "./client-favorite.service.js";
import { FavoriteInput } from "./good.inputs.js";
import { Good, goodList } from "./good.model.js";
import { GOOD_IDS, goodOf } from "./good-links.resolver.js";

const { Args: GoodsArgs, Connection: GoodConnection } = goodList;
type GoodsArgs = InstanceType<typeof GoodsArgs>;

@Resolver(() => ClientFavorite)
export class ClientFavoriteResolver {
  @RequirePermission("access_goods", { orClient: "clientId" })
  @Query(() => GoodConnection, {
    description: "A client's favourite goods, in its own order unless ordered.",
  })
  favorites(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Args(() => GoodsArgs) args: GoodsArgs,
  ) {
    return favoriteService.listFavorites(company, clientId, args);
  }

  @RequirePermission("can_edit_goods", { orClient: "clientId" })
  @Audited()
  @Mutation(() => [Good], {
    description:
      "Adds goods behind a client's favourites; those that are there keep their place. Answers the goods given.",
  })
  addFavorites(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Input(() => [Int], { description: "Ids of goods.", schema: GOOD_IDS }) input: number[],
  ) {
    return favoriteService.addFavorites(company, clientId, input);
  }

  @RequirePermission("can_edit_goods", { orClient: "clientId" })
  @Audited()
  @ChangesRow("Good", goodOf)
  @Mutation(() => ClientFavorite, {
    description: "Marks a good as a client's favourite, or moves it to another place.",
  })
  setFavorite(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @EntityId("goodId", "Good") goodId: number,
    @Input(() => FavoriteInput, { nullable: true, description: "Its place." })
    input: FavoriteInput | null | undefined,
  ) {
    return favoriteService.setFavorite(company, clientId, goodId, input ?? {});
  }

  @RequirePermission("can_edit_goods", { orClient: "clientId" })
  @Audited()
  @ChangesRow("Good", goodOf)
  @Mutation(() => ClientFavorite, {
    description: "Takes a good off a client's favourites; answers what it was.",
  })
  removeFavorite(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @EntityId("goodId", "Good") goodId: number,
  ) {
    return favoriteService.removeFavorite(company, clientId, goodId);
  }
}
