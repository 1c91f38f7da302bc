import { createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import { headLine, isRoot, parseHeads, rootHashOf, type LedgerHeadRow } from "./ledger-heads.rules.js";

/** A line of the trial balance of a closed period. Sums are decimal numbers, since they may be greater than any amount. */
export interface ClosedBalance {
  readonly currency: string;
  readonly type: string;
  /** The name of an account of the company; `-` for holders with rows of their own. */
  readonly account: string;
  readonly holders: number;
  readonly debit: string;
  readonly credit: string;
}

/** The books of a company up to a moment, which are closed. */
export interface ClosedBooks {
  readonly company: number;
  /** The moment, in ISO 8601 and UTC; what is dated by it or later is no part of the books. */
  readonly until: string;
  readonly balances: readonly ClosedBalance[];
  /** The ends of the chains of movements at that moment, in their order. */
  readonly heads: readonly LedgerHeadRow[];
}

/** What a kept file says: ends of chains, and the closed books among them. */
export interface KeptLedger {
  readonly heads: readonly LedgerHeadRow[];
  readonly closed: readonly ClosedBooks[];
}

const UNTIL = /^until (?<company>\d+) (?<until>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/u;
const BALANCE =
  /^balance (?<company>\d+) (?<currency>\S+) (?<type>[a-z]+) (?<account>[a-z_]+|-) (?<holders>\d+) (?<debit>\d+) (?<credit>\d+)$/u;
const SIGNATURE = /^signature ed25519 (?<signature>[\w+/]+={0,2})$/u;

/** The line of a balance, as files have it behind its company. */
export const balanceLine = ({ currency, type, account, holders, debit, credit }: ClosedBalance): string =>
  `${currency} ${type} ${account} ${holders} ${debit} ${credit}`;

/** Writes closed books, company by company; with a key, the last line signs all before it. */
export function writtenBooks(books: readonly ClosedBooks[], key: KeyObject | null): string {
  const text = books
    .map(({ company, until, balances, heads }) => {
      const count = heads.reduce((sum, head) => sum + head.count, 0);
      return [
        `until ${company} ${until}\n`,
        ...balances.map((balance) => `balance ${company} ${balanceLine(balance)}\n`),
        ...heads.map((head) => `${company} ${headLine(head)}`),
        `root ${company} ${count} ${rootHashOf(heads)}\n`,
      ].join("");
    })
    .join("");
  if (key === null) return text;
  return `${text}signature ed25519 ${sign(null, Buffer.from(text), key).toString("base64")}\n`;
}

/**
 * Reads a file of heads or of closed books.
 *
 * @param key the public or private key with which it has to be signed; `null`: a signature is not looked at.
 * @throws RangeError for a line that is none, a root that is not that of its heads, a missing or wrong signature, and a file that
 *   does not end with a root: one that is empty or was cut proves nothing.
 */
export function parseLedgerFile(text: string, key: KeyObject | null): KeptLedger {
  const lines = text.split("\n").filter((line) => line !== "");
  const signature = SIGNATURE.exec(lines.at(-1) ?? "")?.groups?.["signature"];
  if (key !== null) assertSigned(text, signature, key);
  if (signature !== undefined) lines.pop();
  if (!isRoot(lines.at(-1) ?? "")) throw new RangeError("the file ends before a root");
  const untils = new Map<number, string>();
  const balances = new Map<number, ClosedBalance[]>();
  const others: string[] = [];
  for (const line of lines) {
    const until = UNTIL.exec(line)?.groups;
    const balance = BALANCE.exec(line)?.groups;
    if (until !== undefined) untils.set(Number(until["company"]), until["until"] as string);
    else if (balance === undefined) others.push(line);
    else {
      const company = Number(balance["company"]);
      balances.set(company, [...(balances.get(company) ?? []), balanceOf(balance)]);
    }
  }
  const heads = parseHeads(others.join("\n"));
  const closed = [...untils].map(([company, until]) => ({
    company,
    until,
    balances: balances.get(company) ?? [],
    heads: heads.filter((head) => head.company === company),
  }));
  return { heads, closed };
}

function balanceOf(parts: Readonly<Record<string, string>>): ClosedBalance {
  const { currency = "", type = "", account = "", holders = "", debit = "", credit = "" } = parts;
  return { currency, type, account, holders: Number(holders), debit, credit };
}

function assertSigned(text: string, signature: string | undefined, key: KeyObject): void {
  if (signature === undefined) throw new RangeError("the file is not signed");
  const signed = Buffer.from(text.slice(0, text.lastIndexOf("signature ed25519 ")));
  const open = key.type === "private" ? createPublicKey(key) : key;
  if (!verify(null, signed, open, Buffer.from(signature, "base64")))
    throw new RangeError("the file is not signed by this key, or was changed");
}
