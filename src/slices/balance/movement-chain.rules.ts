import { createHash } from "node:crypto";
import { accountOfLane, isLane, laneOf } from "./account.rules.js";

/**
 * A stored movement as texts, in the order of its hashed fields (movement-hash.function.sql), and its hash. An absent value
 * is an empty text; the hash and the identity are hexadecimal.
 */
export type ChainedRow = readonly string[];

/** The columns of a `ChainedRow`, as SQL. */
export const CHAINED_COLUMNS = [
  "company_id::text",
  "id::text",
  "holder_type",
  "holder_key::text",
  "currency_iso",
  "number::text",
  "initial_balance_e2::text",
  "amount_e2::text",
  "final_balance_e2::text",
  "type",
  "is_deferred::integer::text",
  "coalesce(author_id::text, '')",
  "coalesce(related_type, '')",
  "coalesce(related_id::text, '')",
  "coalesce(transfer_id::text, '')",
  "coalesce(counterpart_id::text, '')",
  "coalesce(counterpart_final_e2::text, '')",
  "coalesce(reverses_id::text, '')",
  "coalesce(encode(identity, 'hex'), '')",
  "(extract(epoch FROM created_at) * 1000)::bigint::text",
  "description",
  "encode(hash, 'hex')",
  "coalesce(request_id, '')",
  "coalesce(actor_kind, '')",
] as const;

/** The fields of the text that is hashed, but for those that came later. */
const HASHED = 21;
const [ID, CURRENCY, NUMBER, INITIAL, AMOUNT, FINAL] = [1, 4, 5, 6, 7, 8] as const;
const [TRANSFER, COUNTERPART, COUNTERPART_FINAL, CREATED_AT, DESCRIPTION, HASH] = [
  14, 15, 16, 19, 20, 21,
] as const;
const [REQUEST, ACTOR] = [22, 23] as const;
/** The kind of caller of a side that a job gave to a movement from before all had counterparts. */
const COMPLETION = "completion";

/** What a holder's row says of its movements. */
export interface ChainEnd {
  readonly balanceE2: string;
  readonly movementCount: string;
  readonly lastHash: string;
  readonly lastAt: string;
}

/** Names the holder of a row. */
export function holderOf([company, , type, key, currency]: ChainedRow): string {
  const number = Number(key);
  const named = isLane(number)
    ? `account of the company ${accountOfLane(number)}, lane ${laneOf(number)}`
    : `${type} ${key}`;
  return `company ${company}, ${named}, ${currency}`;
}

/** The text that is hashed behind the hash of the movement before: one field in each line. */
export function hashedText(row: ChainedRow): string {
  if (row[ACTOR] === "") return row.slice(0, HASHED).join("\n");
  return ["v2", ...row.slice(0, DESCRIPTION), row[REQUEST], row[ACTOR], row[DESCRIPTION]].join("\n");
}

/** The hash that a movement must have behind that of the movement before it. */
export function hashOf(row: ChainedRow, previous: string): string {
  return createHash("sha256").update(previous, "hex").update(hashedText(row)).digest("hex");
}

/** Finds what is wrong with a movement behind the one before it; `null` stands for a holder's first one. */
export function faultsOfMovement(row: ChainedRow, previous: ChainedRow | null): string[] {
  const faults: string[] = [];
  const number = previous === null ? 1 : Number(previous[NUMBER]) + 1;
  if (row[NUMBER] !== String(number)) faults.push(`number ${number} is missing`);
  const initial = previous?.[FINAL] ?? "0";
  if (row[INITIAL] !== initial)
    faults.push(`it begins with ${row[INITIAL]}, and the one before ends with ${initial}`);
  if (BigInt(row[INITIAL] as string) + BigInt(row[AMOUNT] as string) !== BigInt(row[FINAL] as string))
    faults.push("its final balance is not the initial one and its amount");
  if (previous !== null && Number(row[CREATED_AT]) < Number(previous[CREATED_AT]))
    faults.push("it is older than the one before");
  if (row[HASH] !== hashOf(row, previous?.[HASH] ?? "")) faults.push("its hash is not that of its fields");
  return faults.length === 0 ? [] : [`number ${row[NUMBER]}: ${faults.join("; ")}`];
}

/** Finds how a holder's row differs from its last movement. */
export function faultsOfEnd(last: ChainedRow, end: ChainEnd | undefined): string[] {
  if (end === undefined) return ["the holder is missing"];
  return [
    ...(last[NUMBER] === end.movementCount
      ? []
      : [`it has ${end.movementCount} movements, and the last is number ${last[NUMBER]}`]),
    ...(last[FINAL] === end.balanceE2
      ? []
      : [`its balance is ${end.balanceE2}, and the last movement ends with ${last[FINAL]}`]),
    ...(last[HASH] === end.lastHash ? [] : ["its hash is not that of the last movement"]),
    ...(last[CREATED_AT] === end.lastAt ? [] : ["its moment is not that of the last movement"]),
  ];
}

/**
 * Puts the two sides of movements together, as they come. Lanes of accounts, whose keys are the lowest, come first of their
 * type; so what is open stays small where most movements are adjustments.
 */
export class Sides {
  private readonly open = new Map<string, ChainedRow>();

  /** Takes a movement. @returns what is wrong with it and its counterpart, as soon as both are there. */
  take(row: ChainedRow): string[] {
    const [company, id, counterpart] = [row[0], row[ID] as string, row[COUNTERPART] as string];
    // A movement from before all had counterparts names none: the side that it got later names it.
    const pair =
      counterpart === "" || row[ACTOR] === COMPLETION
        ? `completion ${counterpart || id}`
        : pairOf(id, counterpart);
    const name = `${company} ${pair}`;
    const other = this.open.get(name);
    if (other === undefined) {
      this.open.set(name, row);
      return [];
    }
    this.open.delete(name);
    const sides = `movements ${id} and ${other[ID]}`;
    const areSides =
      row[TRANSFER] === other[TRANSFER] &&
      [row[COUNTERPART], other[COUNTERPART]].every(
        (named, place) => named === "" || named === [other, row][place]?.[ID],
      );
    const faults = [
      ...(areSides ? [] : [`${sides} are not each other's sides`]),
      ...(row[CURRENCY] === other[CURRENCY] ? [] : [`${sides} have two currencies`]),
      ...(BigInt(row[AMOUNT] as string) === -BigInt(other[AMOUNT] as string)
        ? []
        : [`${sides} do not sum to zero`]),
      ...(row[CREATED_AT] === other[CREATED_AT] ? [] : [`${sides} have two moments`]),
      ...(row[TRANSFER] === "" ||
      (row[FINAL] === other[COUNTERPART_FINAL] && other[FINAL] === row[COUNTERPART_FINAL])
        ? []
        : [`${sides} have each other's balances wrong`]),
    ];
    return faults.map((fault) => `company ${company}: ${fault}`);
  }

  /** What is wrong with the movements of which only one side was there. */
  left(): string[] {
    return [...this.open.values()].map(
      (row) => `${holderOf(row)}, number ${row[NUMBER]}: it has no other side`,
    );
  }
}

/** Names two movements that name each other, whichever comes first. */
function pairOf(id: string, counterpart: string): string {
  return BigInt(id) < BigInt(counterpart) ? `${id} ${counterpart}` : `${counterpart} ${id}`;
}
