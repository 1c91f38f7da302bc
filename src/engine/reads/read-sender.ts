import type { LRUCache } from "lru-cache";
import type pg from "pg";
import { unavailable, type DomainError } from "../../core/errors/domain-error.js";
import { FairTurns, Turn, type TurnOwner } from "../limits/fair-turns.js";
import { loopTime } from "../limits/loop-time.js";
import type { ReadMeter, RowMeter } from "../limits/read-meter.js";
import { isStalePlan } from "./kept-statements.js";
import { knownTexts } from "./known-texts.js";
import { CHOOSE, type PlanChoice } from "./plan-choice.js";
import { PreparedRead, ReadStatement } from "./prepared-read.js";
import type { ReadRow } from "./row-shape.js";
import { RowsTogether, type WantedRow } from "./rows-together.js";
import { NotingMeter, SameReads, type OpenRead } from "./same-reads.js";
import { UNNAMED, type StatementNames } from "./statement-names.js";
import { sentNow, type StatementWatch } from "./statement-observer.js";

/**
 * The reader remembers the row shapes of this many texts: far more than have a name, since a shape costs
 * connections nothing.
 */
const MOST_STATEMENTS = { texts: 3_000, characters: 3_000_000 };

/** How a statement is sent. */
export interface Sending {
  readonly statement: ReadStatement;
  readonly name: string;
  readonly plan: PlanChoice;
}

/** A pool, and how statements are sent over it. */
export interface ReadPool {
  readonly pool: pg.Pool;
  readonly watch: StatementWatch;
  /** The names are shared by all users of the pool; `null`: nothing is prepared. */
  readonly names: StatementNames | null;
  /** Says whether sessions keep every plan, see `plan-choice.ts`. */
  readonly keepsPlans: boolean;
  /** Whether rows of several companies may be read by one statement. */
  readonly readsTogether: boolean;
  /** Whether a row that several have is frozen, so that whoever changes it fails. */
  readonly freezesRows: boolean;
  /** How long a read waits for its turn, in milliseconds. */
  readonly patienceMs: number;
}

/** Things that the senders of one pool share. */
interface Shared extends ReadPool {
  readonly statements: LRUCache<string, ReadStatement>;
  readonly turns: FairTurns;
  /** The turns of statements that walk through all rows of a company with very many. */
  readonly walks: FairTurns;
  readonly together: RowsTogether;
  readonly same: SameReads;
}

/** A run of a statement that somebody wants. */
interface Wanted {
  readonly sending: Sending;
  readonly values: readonly unknown[];
  readonly meter: ReadMeter | null;
}

const CHOOSING = [CHOOSE];

/** The share of a pool's connections that the reads of one company may hold. */
const SHARE_OF_COMPANY = 0.75;
/** The share of a pool's connections that read single rows for all companies. */
const SHARE_OF_ROWS_TOGETHER = 0.5;
/**
 * The shares of a pool's connections that walk through all rows of a company with very many, and that do so for one
 * company. A walk takes a processor of the database for a second or so: more at once would leave none to the others.
 */
const SHARE_OF_WALKS = 0.25;
const SHARE_OF_COMPANYS_WALKS = 0.125;

/** Sends statements over the connections of a pool: under which name, with which plan, and in whose turn. */
export class ReadSender {
  private constructor(
    private readonly shared: Shared,
    private readonly owner: TurnOwner | null,
  ) {}

  static onPool(given: ReadPool): ReadSender {
    const { pool, names, watch, patienceMs, freezesRows } = given;
    const statements = knownTexts<ReadStatement>(MOST_STATEMENTS);
    const connections = (share: number): number => Math.max(1, Math.floor(share * pool.options.max));
    const turns = new FairTurns({ most: Infinity, mostOfOne: connections(SHARE_OF_COMPANY) });
    const walks = new FairTurns({
      most: connections(SHARE_OF_WALKS),
      mostOfOne: connections(SHARE_OF_COMPANYS_WALKS),
    });
    const together = new RowsTogether({
      execute: (read) => execute(pool, read),
      nameOf: ({ text }) => names?.of(text) ?? UNNAMED,
      before: watch.before,
      most: connections(SHARE_OF_ROWS_TOGETHER),
      patienceMs,
      freezesRows,
    });
    return new ReadSender({ ...given, statements, turns, walks, together, same: new SameReads() }, null);
  }

  /** Returns the sender of one company: its reads at once are bounded, so that others find a connection. */
  of(companyId: number): ReadSender {
    return new ReadSender(this.shared, this.shared.turns.owner(`company:${companyId}`));
  }

  /** Says whether statements of the pool are prepared. */
  get isPreparing(): boolean {
    return this.shared.names !== null;
  }

  /** Returns how a text is sent that is planned for its values each time. */
  planned(text: string): Sending {
    return { statement: this.statement(text), name: UNNAMED, plan: "each" };
  }

  /** Returns how a text is sent whose name, and by default whose plan, sessions keep. */
  kept(text: string, plan: PlanChoice = "kept"): Sending {
    const statement = this.statement(text);
    return { statement, name: this.nameOf(statement), plan };
  }

  /** Sends a statement when its owner has a turn. @throws DomainError UNAVAILABLE when none comes in time. */
  run(sending: Sending, values: readonly unknown[], meter: ReadMeter | null): Promise<readonly ReadRow[]> {
    const { owner } = this;
    const { turns, patienceMs } = this.shared;
    if (owner === null || turns.begin(owner)) return this.execute(sending, values, meter);
    const user = loopTime.current;
    return turns.wait(owner, patienceMs).then((hasBegun) => {
      loopTime.worksFor(user);
      if (!hasBegun) throw noConnection();
      return this.execute(sending, values, meter);
    });
  }

  /**
   * Sends a statement that changes nothing, once for all who want the same until it is sent.
   *
   * @throws DomainError UNAVAILABLE when its owner has no turn in time.
   */
  read(sending: Sending, values: readonly unknown[], meter: ReadMeter | null): Promise<readonly ReadRow[]> {
    const { owner } = this;
    const { turns, same, patienceMs } = this.shared;
    const { statement } = sending;
    const key = same.keyOf(statement, values);
    const others = same.waiting(statement, key);
    if (others !== undefined) return this.join(others, { sending, values, meter });
    const hasBegun = owner === null || turns.begin(owner);
    if (hasBegun && !same.isLikely(statement)) return this.execute(sending, values, meter);
    const begun = hasBegun ? endOfRound() : turns.wait(owner, patienceMs);
    return this.readForAll(same.begin(statement, key), begun, { sending, values, meter });
  }

  private async readForAll(
    read: OpenRead,
    begun: Promise<boolean>,
    { sending, values, meter }: Wanted,
  ): Promise<readonly ReadRow[]> {
    const user = loopTime.current;
    const hasBegun = await begun;
    read.close();
    loopTime.worksFor(user);
    if (!hasBegun) {
      read.found(null);
      throw noConnection();
    }
    const noting = read.joined.length > 0 ? new NotingMeter(meter, read.joined) : null;
    const sent = sentNow();
    try {
      const rows = await this.execute(sending, values, noting ?? meter);
      if (noting !== null) {
        if (this.shared.freezesRows) rows.forEach(Object.freeze);
        read.found({ rows, lengths: noting.lengths, sent });
      }
      return rows;
    } catch (error) {
      if (noting?.hasRefused === true) read.found(null);
      else read.failed(error);
      throw error;
    }
  }

  /** Waits for what somebody else reads, who uses the time of the database. */
  private async join(read: OpenRead, { sending, values, meter }: Wanted): Promise<readonly ReadRow[]> {
    const user = loopTime.current;
    read.joined.push(user);
    const shared = await read.shared.finally(() => loopTime.worksFor(user));
    if (shared === null) return this.read(sending, values, meter);
    this.shared.watch.after({ ...shared.sent, user: null }, sending.statement.text);
    if (meter !== null) for (const bytes of shared.lengths) meter.readsRow(bytes);
    return [...shared.rows];
  }

  private async execute(
    { statement, name, plan }: Sending,
    values: readonly unknown[],
    meter: RowMeter | null,
  ): Promise<readonly ReadRow[]> {
    const { pool, watch, turns, keepsPlans } = this.shared;
    const ahead = keepsPlans && plan !== "kept" ? CHOOSING : [];
    const sent = sentNow();
    try {
      watch.before(statement.text);
      return await execute(pool, new PreparedRead(statement, { name, ahead }, values, meter));
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return await execute(pool, new PreparedRead(statement, { name: UNNAMED, ahead }, values, meter));
    } finally {
      watch.after(sent, statement.text);
      if (this.owner !== null) turns.end(this.owner);
    }
  }

  /**
   * Sends a statement that reads a row by its key, together with others of its text where there are such. Its time counts for
   * each who asked for it.
   */
  readRow(sending: Sending, wanted: WantedRow): Promise<readonly ReadRow[]> {
    const { together, readsTogether } = this.shared;
    return !readsTogether || together.isAlone()
      ? this.read(sending, wanted.values, wanted.meter)
      : this.waitForOthers(sending, wanted);
  }

  private async waitForOthers(sending: Sending, wanted: WantedRow): Promise<readonly ReadRow[]> {
    const { together, watch } = this.shared;
    const { statement } = sending;
    const sent = sentNow();
    let rows: readonly ReadRow[] | null | undefined;
    try {
      rows = await together.read(statement, wanted, sent.start);
    } finally {
      if (rows !== null) watch.after(sent, statement.text);
    }
    return rows ?? this.run(sending, wanted.values, wanted.meter);
  }

  /**
   * Runs a statement that walks through all rows of a company with very many, in a turn of its own.
   *
   * @throws DomainError UNAVAILABLE.
   */
  async walk<T>(companyId: number, statement: () => Promise<T>): Promise<T> {
    const { walks, patienceMs } = this.shared;
    const turn = new Turn(walks, walks.owner(`company:${companyId}`));
    const user = loopTime.current;
    if (!turn.begin() && !(await turn.wait(patienceMs)))
      throw unavailable("Too many texts are looked for that no index finds; try again.");
    loopTime.worksFor(user);
    try {
      return await statement();
    } finally {
      turn.end();
    }
  }

  /** Looks up the name by the remembered text: comparing it with itself takes no time. */
  private nameOf({ text }: ReadStatement): string {
    return this.shared.names?.of(text) ?? UNNAMED;
  }

  private statement(text: string): ReadStatement {
    const { statements } = this.shared;
    let statement = statements.get(text);
    if (statement === undefined) statements.set(text, (statement = new ReadStatement(text)));
    return statement;
  }
}

function noConnection(): DomainError {
  return unavailable("The database has no connection free; try again.");
}

function endOfRound(): Promise<boolean> {
  return new Promise((resolve) => setImmediate(resolve, true));
}

/**
 * The way in which a pool of `pg` takes queries of other classes. It answers them by a callback alone, and the
 * types of `pg` do not show that a pool takes them.
 */
type Submit = (
  query: PreparedRead,
  values: undefined,
  callback: (error: Error | null | undefined) => void,
) => void;

function execute(pool: pg.Pool, read: PreparedRead): Promise<readonly ReadRow[]> {
  return new Promise((resolve, reject) => {
    (pool.query as unknown as Submit).call(pool, read, undefined, (error) => {
      if (error) reject(error);
      else resolve(read.rows);
    });
  });
}
