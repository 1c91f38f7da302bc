import { dataOf, type Client } from "./gateway.js";

/** What stands behind the path of a link to the data of a client. */
export interface LinkEnding {
  readonly expires: string;
  readonly signature: string;
}

/** Asks for a link to the data of a client. */
export async function linkEnding(caller: Client, companyId: number, clientId: number): Promise<LinkEnding> {
  const { exportClient } = dataOf(
    await caller.run(`mutation { exportClient(companyId: ${companyId}, clientId: ${clientId}) { url } }`),
  ) as { exportClient: { url: string } };
  const query = new URL(exportClient.url, "http://service").searchParams;
  return { expires: query.get("expires") ?? "", signature: query.get("signature") ?? "" };
}
