import { createHash } from "node:crypto";

/** The end of a holder's chain of movements. */
export interface LedgerHeadRow {
  readonly company: number;
  readonly type: string;
  /** The stored key: below zero a lane of an account of the company. */
  readonly key: number;
  readonly currency: string;
  /** How many movements the chain has. */
  readonly count: number;
  /** The hash of the latest, in hexadecimal digits. */
  readonly hash: string;
}

const FORMAT =
  /^(?<company>\d+) (?<type>[a-z]+) (?<key>-?\d+) (?<currency>\S+) (?<count>\d+) (?<hash>[\da-f]{64})$/u;
const ROOT = /^root (?<company>\d+) (?<count>\d+) (?<hash>[\da-f]{64})$/u;

/** The line of a head, as the root hash of a company has it. */
export function headLine({ type, key, currency, count, hash }: LedgerHeadRow): string {
  return `${type} ${key} ${currency} ${count} ${hash}\n`;
}

/** Returns whether a line is a root, behind which what a file has of a company ends. */
export const isRoot = (line: string): boolean => ROOT.test(line);

/** Hashes the heads of a company, which are in their order, as `ledgerHead` does. */
export function rootHashOf(heads: readonly LedgerHeadRow[]): string {
  const hash = createHash("sha256");
  for (const head of heads) hash.update(headLine(head));
  return hash.digest("hex");
}

/** Writes heads, which are in their order, one in each line, and the root of each company behind its own. */
export function writtenHeads(heads: readonly LedgerHeadRow[]): string {
  const companies = new Map<number, LedgerHeadRow[]>();
  for (const head of heads) {
    const own = companies.get(head.company) ?? [];
    companies.set(head.company, own);
    own.push(head);
  }
  return [...companies]
    .map(([company, own]) => {
      const count = own.reduce((sum, head) => sum + head.count, 0);
      return `${own.map((head) => `${company} ${headLine(head)}`).join("")}root ${company} ${count} ${rootHashOf(own)}\n`;
    })
    .join("");
}

/** Reads heads that were written. @throws RangeError for a line that is none, and for a root that is not that of its heads. */
export function parseHeads(text: string): LedgerHeadRow[] {
  const heads: LedgerHeadRow[] = [];
  let own: LedgerHeadRow[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const root = ROOT.exec(line)?.groups;
    if (root !== undefined) {
      if (root["hash"] !== rootHashOf(own))
        throw new RangeError(`the heads of company ${root["company"]} are not those of their root`);
      own = [];
      continue;
    }
    const parts = FORMAT.exec(line)?.groups;
    if (parts === undefined) throw new RangeError(`no head of a chain: ${line}`);
    const head: LedgerHeadRow = {
      company: Number(parts["company"]),
      type: parts["type"] as string,
      key: Number(parts["key"]),
      currency: parts["currency"] as string,
      count: Number(parts["count"]),
      hash: parts["hash"] as string,
    };
    heads.push(head);
    own.push(head);
  }
  return heads;
}
