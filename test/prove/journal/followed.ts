import type { PrismaClient } from "../../../src/generated/prisma/client.js";
import { companyRow } from "../../support/company-row.js";
import { lastingToken } from "../lasting-token.js";

const GOODS = 300;
const CITIES = 12;

/** A company that is changed and followed, and the ways to it. */
export interface Followed {
  readonly companyId: number;
  readonly name: string;
  /** The URLs of the instances. */
  readonly urls: readonly string[];
  /** The URL of the owner of the tables. */
  readonly databaseUrl: string;
  readonly shopId: number;
  readonly branchId: number;
  readonly goodIds: readonly number[];
  readonly cityIds: readonly number[];
  /** Returns a token of the owner that is good for some minutes. */
  token(): Promise<string>;
}

/** Sends a request to one of the instances. @throws what `fetch` throws when no answer comes. */
export async function ask(
  { urls, token }: Pick<Followed, "urls" | "token">,
  turn: number,
  path: string,
  {
    body,
    headers = {},
    ...init
  }: { method?: string; body?: object; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(`${urls[turn % urls.length]}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${await token()}`,
      ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
}

/** Makes a company with goods, a branch and cities. */
export async function createFollowed(
  db: PrismaClient,
  name: string,
  ways: Pick<Followed, "urls" | "databaseUrl">,
): Promise<Followed> {
  const { id: companyId } = await db.company.create({
    data: { ...companyRow(name), settings: { create: { data: {} } } },
  });
  const email = `owner@${name}.example`;
  const { id: ownerId } = await db.admin.create({
    data: { companyId, name: "Owner", email, phone: "", isOwner: true, isFullAdmin: true },
  });
  const { id: shopId } = await db.branchGroup.create({ data: { companyId, name: "Shop" } });
  const { id: branchId } = await db.branch.create({
    data: { companyId, name: "Branch", branchGroupId: shopId },
  });
  const goods = await db.good.createManyAndReturn({
    data: Array.from({ length: GOODS }, (_, n) => ({
      companyId,
      branchGroupId: shopId,
      name: `Good ${n}`,
      shortDetails: "",
      details: "",
      priceE2: 100n,
      type: 0,
    })),
    select: { id: true },
  });
  const cities = await db.city.createManyAndReturn({
    data: Array.from({ length: CITIES }, (_, n) => ({ companyId, name: `City ${n}` })),
    select: { id: true },
  });
  return {
    companyId,
    name,
    ...ways,
    shopId,
    branchId,
    goodIds: goods.map(({ id }) => id),
    cityIds: cities.map(({ id }) => id),
    token: lastingToken({ kind: "admin", id: ownerId, companyId }),
  };
}
