import { Prisma } from "../generated/prisma/client.js";
import type { MovementType } from "../slices/balance/movement.model.js";
import type { HolderType } from "../slices/balance/balance.model.js";
import type { DemoTarget } from "./demo-target.js";
import type { LoadedAdmins } from "./load-admins.js";
import type { LoadedShops } from "./load-shops.js";
import { minutesBefore } from "./moment.js";

const DAY = 24 * 60;
const YEAR_DAYS = 365;
const WEEK_DAYS = 7;
const BONUSES = 160;
/** The floor of providers, in hundredths: they keep no more cash than that. */
const PROVIDER_FLOOR_E2 = -200_000;

interface BalancesContext {
  readonly shops: LoadedShops;
  readonly clients: readonly number[];
  readonly admins: LoadedAdmins;
}

type Holder = readonly [type: HolderType, key: number];

/** A movement of one holder, or a transfer from it to another one. */
interface DemoPosting {
  readonly minutesAgo: number;
  readonly from: Holder;
  readonly to: Holder | null;
  readonly amountE2: number;
  readonly type: MovementType;
  readonly description: string;
  readonly orderId: number | null;
}

/** A year of movements: bonuses of clients, cash and fees of providers, rents of branches, change and refunds of orders. */
export async function loadBalances(target: DemoTarget, context: BalancesContext): Promise<void> {
  const { db, companyId, data, random } = target;
  const postings = [...bonuses(target, context), ...weeks(target, context), ...(await ofOrders(target))].sort(
    (one, other) => other.minutesAgo - one.minutesAgo,
  );
  const rows = postings.map(({ minutesAgo, from, to, amountE2, ...rest }) => {
    const sides = to === null ? [from] : [from, to];
    return {
      ...rest,
      types: sides.map(([type]) => type),
      keys: sides.map(([, key]) => key),
      amounts: to === null ? [amountE2] : [-amountE2, amountE2],
      authorId: random.pick(context.admins),
      at: minutesBefore(minutesAgo).toISOString(),
    };
  });
  const { currencyIso } = data.profile.settings;
  // The function posts one after the other, in the order of time.
  await db.$queryRaw(Prisma.sql`
    SELECT count(*) FROM (
      SELECT posting FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS p(posting, place) ORDER BY place
    ) AS p, LATERAL (SELECT jsonb_array_length(posting -> 'keys') AS sides) AS n, LATERAL write_movements(
      ${companyId}::int, ARRAY(SELECT jsonb_array_elements_text(posting -> 'types')),
      ARRAY(SELECT jsonb_array_elements_text(posting -> 'keys')::int), array_fill(${currencyIso}::text, ARRAY[sides]),
      ARRAY(SELECT jsonb_array_elements_text(posting -> 'amounts')::bigint), array_fill(posting ->> 'type', ARRAY[sides]),
      array_fill(NULL::bigint, ARRAY[sides]), posting ->> 'description', (posting ->> 'authorId')::int,
      CASE WHEN posting ->> 'orderId' IS NULL THEN NULL ELSE 'order' END, (posting ->> 'orderId')::bigint, NULL,
      (posting ->> 'at')::timestamptz)`);
  const [provider] = [...context.shops.providersOf.values()].flat();
  if (provider !== undefined)
    await db.$queryRaw`
      SELECT floor_e2 FROM set_balance_floor(${companyId}::int, 'provider', ${provider}::int, ${currencyIso}, ${PROVIDER_FLOOR_E2}::bigint)`;
}

function bonuses({ random }: DemoTarget, { clients }: BalancesContext): DemoPosting[] {
  return Array.from({ length: BONUSES }, (_, index) => ({
    minutesAgo: Math.ceil(((BONUSES - index) * YEAR_DAYS * DAY) / BONUSES) - random.int(0, DAY),
    // The first client has some of each season.
    from: ["client", index % 8 === 0 ? (clients[0] as number) : random.pick(clients)] as const,
    to: null,
    amountE2: random.chance(0.85) ? random.int(2, 20) * 50 : -random.int(1, 6) * 50,
    type: "adjustment" as const,
    description: random.pick(["Loyalty bonus", "Late delivery", "Correction", "Missing item"]),
    orderId: null,
  }));
}

/** What providers collect and bring, and what branches owe, week by week. */
function weeks({ companyId, random }: DemoTarget, { shops }: BalancesContext): DemoPosting[] {
  const providers = [...new Set([...shops.providersOf.values()].flat())];
  const company = ["company", companyId] as const;
  return Array.from({ length: Math.floor(YEAR_DAYS / WEEK_DAYS) }, (_, week) => {
    const minutesAgo = (YEAR_DAYS - week * WEEK_DAYS) * DAY;
    const provider = ["provider", random.pick(providers)] as const;
    const branch = ["branch", random.pick(shops.branches).id] as const;
    const collectedE2 = random.int(20, 90) * 100;
    const plain = { type: "adjustment" as const, to: null, orderId: null };
    return [
      {
        ...plain,
        minutesAgo: minutesAgo - 60,
        from: provider,
        amountE2: -collectedE2,
        description: "Cash collected",
      },
      {
        ...plain,
        minutesAgo: minutesAgo - 3 * DAY,
        from: provider,
        amountE2: Math.round(collectedE2 * random.pick([0.8, 1])),
        description: "Cash handed in",
      },
      {
        ...plain,
        minutesAgo: minutesAgo - 4 * DAY,
        from: branch,
        amountE2: -random.int(5, 30) * 100,
        description: "Commission",
      },
      {
        ...plain,
        minutesAgo: minutesAgo - 5 * DAY,
        from: company,
        amountE2: collectedE2,
        description: "Bank statement",
      },
    ];
  }).flat();
}

/** Fees of those who delivered, change, and refunds of orders that were canceled. */
async function ofOrders({ db, companyId, random }: DemoTarget): Promise<DemoPosting[]> {
  const orders = await db.order.findMany({ where: { companyId }, orderBy: { id: "asc" } });
  const company = ["company", companyId] as const;
  return orders.flatMap(
    ({ id, clientId, delivererId, delivererFeeE2, status, totalE2, createdAt }): DemoPosting[] => {
      const minutesAgo = (minutesBefore(0).getTime() - createdAt.getTime()) / 60_000 - 60;
      const plain = { minutesAgo, from: company, orderId: id };
      const client = clientId === null ? null : (["client", clientId] as const);
      if (status === "canceled" && client !== null)
        return [{ ...plain, to: client, amountE2: Number(totalE2), type: "transfer", description: "Refund" }];
      if (status !== "delivered") return [];
      const isPaid = delivererId !== null && delivererFeeE2 > 0n;
      return [
        ...(isPaid
          ? [
              {
                ...plain,
                to: ["provider", delivererId] as const,
                amountE2: Number(delivererFeeE2),
                type: "transfer" as const,
                description: "Delivery fee",
              },
            ]
          : []),
        ...(client !== null && random.chance(0.25)
          ? [
              {
                ...plain,
                to: client,
                amountE2: random.int(1, 19) * 50,
                type: "change" as const,
                description: "Change",
              },
            ]
          : []),
      ];
    },
  );
}
