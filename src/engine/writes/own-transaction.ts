import type pg from "pg";
import { unavailable } from "../../core/errors/domain-error.js";
import { telling, type Ahead, type Ended } from "../reads/ahead.js";
import { CHOOSE, KEEP, type PlanChoice } from "../reads/plan-choice.js";
import type { ReadStatement } from "../reads/prepared-read.js";
import { PreparedRead } from "../reads/prepared-read.js";
import { UNNAMED, type StatementNames } from "../reads/statement-names.js";
import { sentNow, type StatementWatch } from "../reads/statement-observer.js";

/** What the transactions of a pool have in common. */
export interface TransactionParts {
  readonly pool: pg.Pool;
  readonly watch: StatementWatch;
  /** `null`: nothing is prepared. */
  readonly names: StatementNames | null;
  /** Says whether sessions keep every plan, see `plan-choice.ts`. */
  readonly keepsPlans: boolean;
  /** A transaction that has lasted longer sends no further statement, in milliseconds. */
  readonly mostMs: number;
  readonly statementOf: (text: string) => ReadStatement;
}

/** A statement with its values. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly plan?: PlanChoice;
  /** Says whether the rows are wanted, which is so unless it is said; otherwise nothing but their number is. */
  readonly takesRows?: boolean;
}

const BEGIN = "BEGIN";
const COMMIT = "COMMIT";
const ROLLBACK = "ROLLBACK";
/** A command, which has neither values nor rows. */
const COMMAND = { values: [], plan: "kept", takesRows: false } as const;

type Submit = (query: PreparedRead, values: undefined, callback: (error?: Error | null) => void) => void;

/**
 * A transaction on a connection of its own. Statements whose answers nobody needs, `BEGIN` among them, travel in the packet
 * of the next one, so that they cost no way to the server and back. Statements run one after the other, in the order in which
 * they are asked for.
 */
export class OwnTransaction {
  private ahead: Ahead[];
  private tail: Promise<unknown> = Promise.resolve();
  private depth = 0;
  /** Says whether the server knows of the transaction. */
  private hasBegun = false;
  /** Says whether PostgreSQL chooses plans by now, or keeps every one. */
  private choosesPlans = false;
  private isOver = false;
  private readonly begunAt = performance.now();

  private constructor(
    private readonly parts: TransactionParts,
    readonly connection: pg.PoolClient,
  ) {
    this.ahead = [this.command(BEGIN)];
  }

  /** Runs work in a transaction: it is committed when the work is done, and undone when it throws. */
  static async run<T>(parts: TransactionParts, work: (own: OwnTransaction) => Promise<T>): Promise<T> {
    const connection = await parts.pool.connect();
    const own = new OwnTransaction(parts, connection);
    let lost: Error | undefined;
    try {
      const result = await work(own);
      await own.end(COMMIT);
      return result;
    } catch (error) {
      await own.end(ROLLBACK).catch((failure: Error) => void (lost = failure));
      throw error;
    } finally {
      own.isOver = true;
      connection.release(lost);
    }
  }

  /** Sends a statement with the next one, which fails if it does; its answer is not needed. */
  sendAhead(text: string, values: readonly unknown[] = [], ended?: Ended): void {
    const { names, watch } = this.parts;
    watch.before(text);
    this.ahead.push({
      name: names?.of(text) ?? UNNAMED,
      text,
      values,
      ...(ended !== undefined && { ended }),
    });
  }

  /** Sends what was to travel with the next statement by itself. */
  settleAhead(): Promise<void> {
    return this.inTurn(() => this.flush());
  }

  /** Runs a statement, and answers its rows and their number. */
  run(sent: Sent): Promise<PreparedRead> {
    return this.inTurn(() => this.send(sent));
  }

  /** Runs work that uses the connection by itself. */
  withConnection<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await this.flush();
      this.choosesPlans = true;
      return work();
    });
  }

  /** Runs a part of the transaction that may be undone by itself. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.depth += 1;
    const name = `part_${this.depth}`;
    const { choosesPlans } = this;
    this.commandAhead(`SAVEPOINT ${name}`);
    try {
      const result = await work();
      this.commandAhead(`RELEASE SAVEPOINT ${name}`);
      return result;
    } catch (error) {
      await this.inTurn(() => this.undo(name, choosesPlans));
      throw error;
    } finally {
      this.depth -= 1;
    }
  }

  /** @param chosePlans is how plans were made when the part began, which undoing brings back. */
  private async undo(name: string, chosePlans: boolean): Promise<void> {
    const unsent = this.ahead.findIndex(({ text }) => text === `SAVEPOINT ${name}`);
    if (unsent >= 0) this.ahead.splice(unsent);
    else {
      this.ahead = [];
      this.choosesPlans = chosePlans;
      await this.send({ text: `ROLLBACK TO SAVEPOINT ${name}`, ...COMMAND });
    }
  }

  private end(command: string): Promise<void> {
    return this.inTurn(async () => {
      this.ahead = this.hasBegun && command === COMMIT ? this.ahead : [];
      if (this.hasBegun) await this.send({ text: command, ...COMMAND });
      this.isOver = true;
    });
  }

  /** Sends what waits for a next statement. */
  private async flush(): Promise<void> {
    const last = this.ahead.pop();
    if (last === undefined) return;
    const { name, text, values = [], ended } = last;
    await telling(ended, this.submit({ text, values, takesRows: false }, name));
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.tail.then(work);
    this.tail = turn.catch(() => undefined);
    return turn;
  }

  private send({ text, values, plan = "auto", takesRows = true }: Sent): Promise<PreparedRead> {
    const { names, keepsPlans, mostMs } = this.parts;
    if (this.isOver) throw new Error(`the transaction is over: ${text}`);
    if (performance.now() - this.begunAt > mostMs && text !== ROLLBACK)
      throw unavailable("The database took too long; try again.");
    const choosesPlan = plan !== "kept";
    if (keepsPlans && values.length > 0 && choosesPlan !== this.choosesPlans) {
      this.ahead.push(choosesPlan ? CHOOSE : KEEP);
      this.choosesPlans = choosesPlan;
    }
    const name = plan === "each" ? UNNAMED : isCommand(text) ? this.command(text).name : names?.of(text);
    return this.submit({ text, values, takesRows }, name ?? UNNAMED);
  }

  private async submit({ text, values, takesRows = true }: Sent, name: string): Promise<PreparedRead> {
    const { watch, statementOf } = this.parts;
    const { ahead, connection } = this;
    this.ahead = [];
    this.hasBegun = true;
    const read = new PreparedRead(statementOf(text), { name, ahead, takesRows }, values, null);
    const sent = sentNow();
    try {
      watch.before(text);
      await new Promise<void>((resolve, reject) => {
        (connection.query as unknown as Submit).call(connection, read, undefined, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
      return read;
    } finally {
      watch.after(sent, text);
    }
  }

  private commandAhead(text: string): void {
    this.parts.watch.before(text);
    this.ahead.push(this.command(text));
  }

  /** A command of transactions, prepared under its own words from its first run on. */
  private command(text: string): Ahead {
    return { name: this.parts.names === null ? UNNAMED : `own: ${text}`, text };
  }
}

function isCommand(text: string): boolean {
  return text === COMMIT || text === ROLLBACK || text.startsWith("ROLLBACK TO SAVEPOINT ");
}
