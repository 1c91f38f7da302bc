import {
  faultsOfEnd,
  faultsOfMovement,
  hashOf,
  holderOf,
  Sides,
  type ChainedRow,
} from "../../src/slices/balance/movement-chain.rules.js";

/** The fields of a movement in the order in which they are hashed. */
const HASHED_FIELDS = (
  "company_id id holder_type holder_key currency_iso number initial_balance_e2 amount_e2 final_balance_e2 type " +
  "is_deferred author_id related_type related_id transfer_id counterpart_id counterpart_final_e2 reverses_id identity " +
  "created_at description"
).split(" ");

/** What a test names of a movement; all else is as in a first movement of 1.00. */
interface Named {
  readonly id?: string;
  readonly currency_iso?: string;
  readonly number?: string;
  readonly initial_balance_e2?: string;
  readonly amount_e2?: string;
  readonly final_balance_e2?: string;
  readonly transfer_id?: string;
  readonly counterpart_id?: string;
  readonly counterpart_final_e2?: string;
  readonly created_at?: string;
  readonly actor_kind?: string;
}

const FIRST: Readonly<Record<string, string>> = {
  company_id: "7",
  id: "1",
  holder_type: "client",
  holder_key: "3",
  currency_iso: "USD",
  number: "1",
  initial_balance_e2: "0",
  amount_e2: "100",
  final_balance_e2: "100",
  type: "adjustment",
  is_deferred: "0",
  created_at: "1000",
  description: "Gift",
};

/** Writes a movement behind another one, with the right hash. */
function movement(named: Named = {}, previous: ChainedRow | null = null): ChainedRow {
  const values: Readonly<Record<string, string>> = { ...FIRST, ...named };
  const row = HASHED_FIELDS.map((name) => values[name] ?? "");
  const later = [values["request_id"] ?? "", values["actor_kind"] ?? ""];
  return [...row, hashOf([...row, "", ...later], previous?.[HASHED_FIELDS.length] ?? ""), ...later];
}

const SECOND: Named = {
  id: "2",
  number: "2",
  initial_balance_e2: "100",
  amount_e2: "-30",
  final_balance_e2: "70",
  created_at: "1000",
};

describe("a chain of movements", () => {
  const first = movement();

  it("has nothing wrong with a right one, at the same moment as the one before", () => {
    expect(faultsOfMovement(first, null)).toEqual([]);
    expect(faultsOfMovement(movement(SECOND, first), first)).toEqual([]);
    expect(holderOf(first)).toBe("company 7, client 3, USD");
  });

  it("reports a movement that is a millisecond older than the one before", () => {
    const older = movement({ ...SECOND, created_at: "999" }, first);

    expect(faultsOfMovement(older, first)).toEqual(["number 2: it is older than the one before"]);
  });

  it.each<[Named, string]>([
    [{ number: "3" }, "number 3: number 2 is missing"],
    [
      { initial_balance_e2: "99", final_balance_e2: "69" },
      "number 2: it begins with 99, and the one before ends with 100",
    ],
    [{ final_balance_e2: "71" }, "number 2: its final balance is not the initial one and its amount"],
  ])("says what is wrong with %o", (named, fault) => {
    expect(faultsOfMovement(movement({ ...SECOND, ...named }, first), first)).toEqual([fault]);
  });

  it("reports a first one that is none", () => {
    expect(faultsOfMovement(movement({ number: "2", initial_balance_e2: "1" }), null)).toEqual([
      "number 2: number 1 is missing; it begins with 1, and the one before ends with 0; its final balance is not the initial one and its amount",
    ]);
  });

  it("reports a hash behind another movement", () => {
    expect(faultsOfMovement(movement(SECOND), first)).toEqual([
      "number 2: its hash is not that of its fields",
    ]);
  });

  it("ends as its holder says", () => {
    const end = {
      balanceE2: "100",
      movementCount: "1",
      lastHash: first[HASHED_FIELDS.length] as string,
      lastAt: "1000",
    };

    expect(faultsOfEnd(first, end)).toEqual([]);
    expect(faultsOfEnd(first, undefined)).toEqual(["the holder is missing"]);
    expect(faultsOfEnd(first, { ...end, balanceE2: "101" })).toEqual([
      "its balance is 101, and the last movement ends with 100",
    ]);
    expect(faultsOfEnd(first, { ...end, movementCount: "2" })).toEqual([
      "it has 2 movements, and the last is number 1",
    ]);
    expect(faultsOfEnd(first, { ...end, lastHash: "00" })).toEqual([
      "its hash is not that of the last movement",
    ]);
    expect(faultsOfEnd(first, { ...end, lastAt: "999" })).toEqual([
      "its moment is not that of the last movement",
    ]);
  });
});

describe("the sides of a transfer", () => {
  const debit: Named = {
    amount_e2: "-30",
    final_balance_e2: "70",
    transfer_id: "1",
    counterpart_id: "2",
    counterpart_final_e2: "30",
  };
  const credit: Named = {
    id: "2",
    amount_e2: "30",
    final_balance_e2: "30",
    transfer_id: "1",
    counterpart_id: "1",
    counterpart_final_e2: "70",
  };
  const take = (...rows: readonly Named[]) => {
    const sides = new Sides();
    return { faults: rows.map((row) => sides.take(movement(row))), left: sides.left() };
  };

  it("fit together in either order", () => {
    expect(take(debit, credit)).toEqual({ faults: [[], []], left: [] });
    expect(take(credit, debit)).toEqual({ faults: [[], []], left: [] });
  });

  it("are completed by one that came later, in either order", () => {
    const completion: Named = {
      id: "9",
      amount_e2: "-100",
      final_balance_e2: "-100",
      counterpart_id: "1",
      actor_kind: "completion",
    };

    expect(take({}, completion)).toEqual({ faults: [[], []], left: [] });
    expect(take(completion, {})).toEqual({ faults: [[], []], left: [] });
    expect(take({}).left).toEqual(["company 7, client 3, USD, number 1: it has no other side"]);
  });

  it.each<[Named, string]>([
    [{ transfer_id: "2" }, "company 7: movements 2 and 1 are not each other's sides"],
    [{ currency_iso: "EUR" }, "company 7: movements 2 and 1 have two currencies"],
    [{ amount_e2: "31" }, "company 7: movements 2 and 1 do not sum to zero"],
    [{ final_balance_e2: "31" }, "company 7: movements 2 and 1 have each other's balances wrong"],
    [{ counterpart_final_e2: "71" }, "company 7: movements 2 and 1 have each other's balances wrong"],
  ])("do not with %o", (named, fault) => {
    expect(take(debit, { ...credit, ...named })).toEqual({ faults: [[], [fault]], left: [] });
  });

  it("do not when the other one names a third", () => {
    expect(take({ ...debit, counterpart_id: "3" }, credit).left).toEqual([
      "company 7, client 3, USD, number 1: it has no other side",
      "company 7, client 3, USD, number 1: it has no other side",
    ]);
  });

  it("are both there", () => {
    expect(take(debit).left).toEqual(["company 7, client 3, USD, number 1: it has no other side"]);
  });
});
