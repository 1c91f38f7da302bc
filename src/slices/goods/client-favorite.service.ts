import type { Row } from "../../core/db/db.js";
import { notFound } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { makeRoom, type OrderedRows } from "../../core/lists/make-room.sql.js";
import { type ListLink, listPage } from "../../core/lists/list-page.js";
import { RowsOf } from "../../core/lists/rows-of.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getClient } from "../clients/client.service.js";
import { lockClient } from "../clients/client.sql.js";
import { appendFavorites, upsertFavorite } from "./client-favorite.sql.js";
import type { FavoriteInput } from "./good.inputs.js";
import { type Good, goodList } from "./good.model.js";
import { getGood, goodsInOrder } from "./good.service.js";

type ClientFavoriteRow = Row<"ClientFavorite">;
type GoodRow = Row<"Good">;

const FAVORITES: OrderedRows = { model: "ClientFavorite", owner: "client_id", row: "good_id" };

/** A page of the client's favourite goods, in the client's own order unless `orderBy` is given. */
export async function listFavorites(
  scope: CompanyScope,
  clientId: number,
  args: ListArguments,
): Promise<Connection<Good>> {
  const { db, companyId, selected } = scope;
  await getClient(scope, clientId);
  const link: ListLink = {
    delegate: db.clientFavorite,
    rows: new RowsOf("ClientFavorite", "goodId", { companyId, clientId }),
    order: [
      { field: "inOrder", direction: "asc" },
      { field: "goodId", direction: "asc" },
    ],
    kinds: ["int", "int"],
  };
  const source = { delegate: db.good, where: { companyId }, select: selected("Good"), link };
  return listPage(goodList, source, args);
}

/**
 * Adds goods behind the other favourites; goods that are favourites already keep their place.
 *
 * @returns the given goods.
 */
export function addFavorites(
  scope: CompanyScope,
  clientId: number,
  goodIds: readonly number[],
): Promise<GoodRow[]> {
  return scope.transaction(async (inside) => {
    if (!(await lockClient(inside, clientId))) throw notFound("Client");
    await appendFavorites(inside, clientId, goodIds);
    return goodsInOrder(inside, goodIds);
  });
}

/**
 * Marks a good as favourite, or moves it to another place. A good that has the place makes room (see `makeRoom`), so
 * that no two goods share it.
 */
export function setFavorite(
  scope: CompanyScope,
  clientId: number,
  goodId: number,
  { inOrder }: FavoriteInput,
): Promise<ClientFavoriteRow> {
  return scope.transaction(async (inside) => {
    if (!(await lockClient(inside, clientId))) throw notFound("Client");
    await getGood(inside, goodId);
    if (typeof inOrder === "number") {
      await makeRoom(inside, FAVORITES, { ownerId: clientId, rowId: goodId, inOrder });
      await upsertFavorite(inside, { clientId, goodId, inOrder });
    } else {
      await appendFavorites(inside, clientId, [goodId]);
    }
    return getFavorite(inside, clientId, goodId);
  });
}

/** Removes a favourite. @returns the good. @throws DomainError NOT_FOUND, also when the good is no favourite. */
export async function removeFavorite(
  scope: CompanyScope,
  clientId: number,
  goodId: number,
): Promise<ClientFavoriteRow> {
  const { db, companyId } = scope;
  const favorite = await getFavorite(scope, clientId, goodId);
  const { count } = await db.clientFavorite.deleteMany({ where: { companyId, clientId, goodId } });
  if (count === 0) throw notFound("Favorite");
  return favorite;
}

async function getFavorite(
  { db, companyId }: CompanyScope,
  clientId: number,
  goodId: number,
): Promise<ClientFavoriteRow> {
  const alive = { client: { deletedAt: null }, good: { deletedAt: null } };
  const favorite = await db.clientFavorite.findFirst({ where: { companyId, clientId, goodId, ...alive } });
  if (favorite === null) throw notFound("Favorite");
  return favorite;
}
