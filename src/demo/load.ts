import "reflect-metadata";
import { hashPassword } from "../core/access/passwords.js";
import { actFor } from "../core/operations/actor.sql.js";
import type { Database } from "../engine/connections/client.js";
import type { Prisma } from "../generated/prisma/client.js";
import type { DemoCompany } from "./demo-company.js";
import { loadAuditTrail } from "./load-audit-trail.js";
import { loadBalances } from "./load-balances.js";
import { loadBanners } from "./load-banners.js";
import { loadBranchGoods } from "./load-branch-goods.js";
import { loadCatalogue } from "./load-catalogue.js";
import { loadClients } from "./load-clients.js";
import { loadChatRooms } from "./load-chat-rooms.js";
import { loadFleetAssociations } from "./load-fleet-associations.js";
import { loadInvoices } from "./load-invoices.js";
import { loadCompany } from "./load-company.js";
import { loadCartItems } from "./load-cart-items.js";
import { loadCoupons } from "./load-coupons.js";
import { loadEvents } from "./load-events.js";
import { loadForms } from "./load-forms.js";
import { loadGoods } from "./load-goods.js";
import { loadImports } from "./load-imports.js";
import { loadSales } from "./load-sales.js";
import { loadShops } from "./load-shops.js";
import { loadAddresses } from "./load-addresses.js";
import { loadAdmins } from "./load-admins.js";
import { Random } from "./random.js";
import { readCompany } from "./read-company.js";

/** Password of every demo admin. */
export const DEMO_PASSWORD = "demo-password";

/** The folders of `data`; their companies get the ids 1 and 2. */
const DEMO_COMPANIES = ["avila", "spreewerk"];

/** Any number that no other advisory lock of the service has. */
const DEMO_LOCK = 7_305_811_402n;

/** Prisma's own limits of the transaction, in milliseconds. */
const LONG = { maxWait: 300_000, timeout: 300_000 };

/**
 * Loads the demo companies into a database without any company; does nothing in another.
 *
 * All of it is one transaction: a crash half-way leaves the database as empty as it was, and the next start
 * loads it again. Processes that start at once wait for each other, and the second finds the companies there.
 */
export async function loadDemoData({ writer }: Database): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  await writer.$transaction(async (db) => {
    // Requests have to be quick; a slow machine may take its time for its first start.
    await db.$queryRaw`
      SELECT set_config(name, '0', true) FROM pg_settings
       WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`;
    await db.$executeRaw`SELECT pg_advisory_xact_lock(${DEMO_LOCK})`;
    if ((await db.company.findFirst({ select: { id: true } })) !== null) return;
    // Workers of a distributed database know by this since when the transaction runs.
    await actFor(db, null);
    for (const name of DEMO_COMPANIES) await loadOne(db, readCompany(name), passwordHash);
  }, LONG);
}

async function loadOne(db: Prisma.TransactionClient, data: DemoCompany, passwordHash: string): Promise<void> {
  const companyId = await loadCompany(db, data.profile);
  const target = { db, companyId, data, random: new Random(data.seed) };
  const shops = await loadShops(target);
  const clients = await loadClients(target, shops);
  await loadAddresses(target, clients);
  const admins = await loadAdmins(target, { shops, clients, passwordHash });
  const catalogue = await loadCatalogue(target, shops);
  const goods = await loadGoods(target, { shops, catalogue });
  await loadBranchGoods(target, { shops, goods });
  await loadImports(target);
  await loadSales(target, { shops, clients, admins, goods });
  await loadCoupons(target, { shops, clients });
  await loadEvents(target, clients);
  await loadCartItems(target, { shops, goods });
  await loadBanners(target);
  await loadForms(target, shops);
  await loadFleetAssociations(target);
  await loadInvoices(target);
  await loadChatRooms(target);
  await loadBalances(target, { shops, clients, admins });
  await loadAuditTrail(target, admins);
}
