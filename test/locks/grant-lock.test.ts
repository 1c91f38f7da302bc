import { createCompany, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { Holder } from "./held-row.js";
import { runs } from "./lock-case.js";

/** The number of the lock in `core/access/grant-lock.ts`. */
const GRANT_LOCKS = 0x6a47;

let gateway: Gateway;
let company: TestCompany;
let holder: Holder;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  holder = await Holder.connect(gateway.url);
});
afterEach(() => holder.close());
afterAll(() => gateway.close());

/** Changes what admins hold, and how each change is called for the admin or the admin type with the id. */
const CHANGES: readonly [string, "admin" | "type", (id: number) => string][] = [
  ["upgradeAdmin", "admin", (id) => `upgradeAdmin(adminId: ${id}) { id }`],
  ["downgradeAdmin", "admin", (id) => `downgradeAdmin(adminId: ${id}) { id }`],
  ["deleteAdmin", "admin", (id) => `deleteAdmin(id: ${id}) { id }`],
  ["updateAdminType", "type", (id) => `updateAdminType(id: ${id}, input: { name: "Other" }) { id }`],
  ["deleteAdminType", "type", (id) => `deleteAdminType(id: ${id}) { id }`],
];

it.each(CHANGES)("%s waits for whoever changes what the company's admins hold", async (_, kind, call) => {
  const own = { companyId: company.id, name: unique() };
  const { id } =
    kind === "admin"
      ? await gateway.db.admin.create({
          data: { ...own, email: `${unique()}@example.com`, phone: "+15550000004" },
        })
      : await gateway.db.adminType.create({ data: { ...own, defaultKey: "default", content: [] } });
  await holder.session.query("SELECT pg_advisory_xact_lock($1::int, $2::int)", [GRANT_LOCKS, company.id]);

  const work = runs(company, call(id));
  const waiting = await holder.untilSomeoneWaits(work);
  await holder.release();
  await work;

  expect(waiting).not.toBeNull();
});
