import { DomainError, notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { lockClient } from "../clients/client.sql.js";
import type { GeofenceMap } from "../shops/geofence-check.rules.js";
import { geofenceMap } from "../shops/geofence.service.js";
import type { Row } from "../../core/db/db.js";
import type { CreateClientAddressInput, UpdateClientAddressInput } from "./client-address.inputs.js";
import {
  type ClientAddress,
  clientAddressList,
  type ClientAddressRow,
  MOST_ADDRESSES,
} from "./client-address.model.js";
import { addressErrors, columnsOf, withoutShown } from "./client-address.rules.js";
import type { GeofenceCheck } from "./geofence-check.model.js";

type GeofenceRow = Row<"Geofence">;

// The scope reaches the addresses of the calling client alone: `db` adds its id to each condition and each new row.

/** A page of the calling client's addresses. */
export function listClientAddresses(
  scope: CompanyScope,
  args: ListArguments,
): Promise<Connection<ClientAddress>> {
  return listPage(clientAddressList, sourceOf(scope), args);
}

/** A page of those of the calling client's addresses that have no coordinates or lie outside of every geofence. */
export async function listMissingClientAddresses(
  scope: CompanyScope,
  args: ListArguments,
): Promise<Connection<ClientAddress>> {
  const { db, companyId } = scope;
  const select = { id: true, latitudeE6: true, longitudeE6: true };
  const [all, map] = await Promise.all([
    db.clientAddress.findMany({ where: { companyId }, select, take: MOST_ADDRESSES }),
    mapOf(scope),
  ]);
  const missing = all.filter((address) => isMissing(address, map)).map(({ id }) => id);
  const source = sourceOf(scope);
  return listPage(clientAddressList, { ...source, where: { ...source.where, id: { in: missing } } }, args);
}

/** One address of the calling client. @throws DomainError NOT_FOUND. */
export async function getClientAddress(scope: CompanyScope, id: number): Promise<ClientAddressRow> {
  const { db, companyId } = scope;
  const row = await db.clientAddress.findFirst({ where: { companyId, id } });
  if (row === null) throw notFound("ClientAddress");
  return row;
}

/**
 * Adds an address; the first one of the client is selected.
 *
 * @throws DomainError VALIDATION_FAILED; INVALID_STATE when the client has 200 addresses.
 */
export function createClientAddress(
  scope: CompanyScope,
  clientId: number,
  input: CreateClientAddressInput,
): Promise<ClientAddressRow> {
  return changeAddresses(scope, clientId, async ({ db, companyId }) => {
    assertWhole(null, input);
    const count = await db.clientAddress.count({ where: { companyId } });
    if (count >= MOST_ADDRESSES)
      throw new DomainError("INVALID_STATE", `A client has at most ${MOST_ADDRESSES} addresses.`);
    const data = { ...columnsOf(input), companyId, clientId, isSelected: count === 0 };
    return db.clientAddress.create({ data });
  });
}

/**
 * Changes an address, which has to be whole afterwards, too.
 *
 * @throws DomainError NOT_FOUND, VALIDATION_FAILED.
 */
export function updateClientAddress(
  scope: CompanyScope,
  id: number,
  input: UpdateClientAddressInput,
): Promise<ClientAddressRow> {
  return changeAddresses(scope, callerOf(scope), async (inside) => {
    const stored = await getClientAddress(inside, id);
    assertWhole(stored, input);
    return write(inside, id, columnsOf(withoutShown(stored, input)));
  });
}

/**
 * Removes an address. When it was selected none is: nothing may be sent to an address that nobody chose.
 *
 * @returns the address as it was.
 * @throws DomainError NOT_FOUND.
 */
export function deleteClientAddress(scope: CompanyScope, id: number): Promise<ClientAddressRow> {
  return changeAddresses(scope, callerOf(scope), async (inside) => {
    const row = await getClientAddress(inside, id);
    const { db, companyId } = inside;
    await db.clientAddress.deleteMany({ where: { companyId, id } });
    return row;
  });
}

/** Selects an address in place of the one that was selected. @throws DomainError NOT_FOUND. */
export function setSelectedClientAddress(scope: CompanyScope, id: number): Promise<ClientAddressRow> {
  return changeAddresses(scope, callerOf(scope), async (inside) => {
    const row = await getClientAddress(inside, id);
    if (row.isSelected) return row;
    const { db, companyId } = inside;
    await db.clientAddress.updateMany({
      where: { companyId, isSelected: true },
      data: { isSelected: false },
    });
    return write(inside, id, { isSelected: true });
  });
}

/** The geofence that holds an address now, else the nearest one; `null` without coordinates, and in a company without geofences. */
export async function checkGeofences(
  scope: CompanyScope,
  { latitudeE6, longitudeE6 }: Pick<ClientAddressRow, "latitudeE6" | "longitudeE6">,
): Promise<GeofenceCheck | null> {
  if (latitudeE6 === null || longitudeE6 === null) return null;
  const place = (await mapOf(scope)).placeOf([longitudeE6, latitudeE6]);
  if (place === null) return null;
  const { geofence, distanceInMeters } = place;
  return {
    coordinatesE6: [longitudeE6, latitudeE6],
    distanceInMeters,
    isValid: distanceInMeters === 0,
    geofence: geofence as unknown as GeofenceCheck["geofence"],
  };
}

function sourceOf({ db, companyId, selected }: CompanyScope) {
  return { delegate: db.clientAddress, where: { companyId }, select: selected("ClientAddress") };
}

/** Changes of one client's addresses come one after the other, so no two of them are selected. */
function changeAddresses<T>(
  scope: CompanyScope,
  clientId: number,
  change: (inside: CompanyScope) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (inside) => {
    if (!(await lockClient(inside, clientId))) throw notFound("Client");
    return change(inside);
  });
}

async function write(
  { db, companyId }: CompanyScope,
  id: number,
  data: Partial<Omit<ClientAddressRow, "companyId" | "clientId" | "id">>,
): Promise<ClientAddressRow> {
  const [row] = await db.clientAddress.updateManyAndReturn({ where: { companyId, id }, data });
  if (row === undefined) throw notFound("ClientAddress");
  return row;
}

function assertWhole(stored: ClientAddressRow | null, input: object): void {
  const errors = addressErrors(stored, input as Record<string, unknown>);
  if (errors.length > 0) throw validationFailed(errors);
}

/** The id of the calling client: the operations let in nobody else. */
function callerOf({ caller }: CompanyScope): number {
  if (caller.kind !== "client") throw new Error("addresses are private to clients");
  return caller.id;
}

type Point = Pick<ClientAddressRow, "latitudeE6" | "longitudeE6">;

function isMissing({ latitudeE6, longitudeE6 }: Point, map: GeofenceMap<GeofenceRow>): boolean {
  if (latitudeE6 === null || longitudeE6 === null) return true;
  const place = map.placeOf([longitudeE6, latitudeE6]);
  return place !== null && place.distanceInMeters > 0;
}

const maps = new WeakMap<CompanyScope, Promise<GeofenceMap<GeofenceRow>>>();

/** The geofences as they were when the request first asked for them: one statement for all its addresses. */
function mapOf(scope: CompanyScope): Promise<GeofenceMap<GeofenceRow>> {
  let map = maps.get(scope);
  if (map === undefined) maps.set(scope, (map = geofenceMap(scope)));
  return map;
}
