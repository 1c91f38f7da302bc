import { startGateway, type Gateway } from "../support/gateway.js";
import { CASES } from "./cases.js";
import { Holder } from "./held-row.js";
import { MODE_OF_STRENGTH, rowLocksOfSources } from "./lock-sources.js";

const LOCKS = rowLocksOfSources();

let gateway: Gateway;
let holder: Holder;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  holder = await Holder.connect(gateway.ownerUrl);
});
afterEach(() => holder.close());
afterAll(() => gateway.close());

it("has a case for each row lock of the sources, and for no other", () => {
  expect(Object.keys(CASES).sort()).toEqual(LOCKS.map(({ name }) => name).sort());
});

const casesOf = (skips: boolean) =>
  LOCKS.filter((lock) => lock.skips === skips).map((lock) => [lock.name, lock] as const);

describe("waits for a row that another session holds, and then goes on:", () => {
  it.each(casesOf(false))("%s", async (name, { table, strength, sent }) => {
    const held = await CASES[name]!(gateway);
    const wanted = held.table ?? table;

    const work = held.act(() => holder.hold(wanted, held.row));
    const waiting = await holder.wanted(await holder.untilSomeoneWaits(work));
    await holder.release();
    await work;

    expect(waiting).toMatchObject({ table: wanted, mode: MODE_OF_STRENGTH[strength] });
    // It waits in the statement that locks, and not in one that would change the row later.
    if (sent !== null) expect(waiting?.statement).toMatch(sent);
    else expect(waiting?.writes).toBe(held.writes ?? false);
  });
});

describe("leaves a row alone that another session holds:", () => {
  it.each(casesOf(true))("%s", async (name, { table }) => {
    const held = await CASES[name]!(gateway);

    const work = held.act(() => holder.hold(held.table ?? table, held.row));
    const waiting = await holder.untilSomeoneWaits(work);
    await holder.release();
    await work;

    expect(waiting).toBeNull();
  });
});
