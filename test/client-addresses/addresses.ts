import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import type { Client, Gateway } from "../support/gateway.js";

/** A client with the paths of its addresses. */
export interface Resident {
  readonly company: TestCompany;
  readonly id: number;
  readonly client: Client;
  /** Path of the client's own list. */
  readonly own: string;
  /** Path of the list named Missing, and before the id of an address. */
  readonly all: string;
}

export async function resident(gateway: Gateway, company?: TestCompany): Promise<Resident> {
  const home = company ?? (await createCompany(gateway));
  const { id, client } = await signedInClient(gateway, home.id);
  const all = `/companies/${home.id}/client-addresses`;
  return { company: home, id, client, all, own: `/companies/${home.id}/clients/${id}/client-addresses` };
}

export const UNTYPED = { name: "Home", address: "1 Main Street, Springfield" };
export const DELIVERY = {
  name: "Work",
  type: "delivery",
  latitude_e6: 10_500_000,
  longitude_e6: -66_900_000,
  country: "Venezuela",
  address_line_1: "Avenida 1",
};
export const SHIPPING = {
  name: "Parcels",
  type: "shipping",
  country: "Germany",
  postal_code: "10115",
  state: "Berlin",
  city: "Berlin",
  address_line_1: "Straße 1",
  address_line_2: "Hof 2",
  address_line_3: "Box 3",
};

/** Adds an address that must be accepted. @returns its id. */
export async function addAddress({ client, own }: Resident, body: object = UNTYPED): Promise<number> {
  const answer = await client.rest("POST", own, { body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body.id as number;
}

/** The client's rows as they are stored, oldest first. */
export function storedAddresses(gateway: Gateway, { company, id }: Resident) {
  return gateway.db.clientAddress.findMany({
    where: { companyId: company.id, clientId: id },
    orderBy: { id: "asc" },
  });
}
