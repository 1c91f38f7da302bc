import pg from "pg";
import { sendAhead, wasAhead, type Ahead } from "./ahead.js";

/**
 * How PostgreSQL comes by the plan of a statement. `kept`: one plan suits whatever the values are, so it is made once for
 * each connection. `auto`: PostgreSQL chooses between that and a plan for the values at hand. `each`: planned for its values
 * at each run.
 */
export type PlanChoice = "kept" | "auto" | "each";

/**
 * The option with which sessions begin. Left to itself, PostgreSQL plans a kept statement anew at each run when the plan for
 * its values looks only a little cheaper, and planning a page takes three times as long as reading it.
 */
export const KEPT_PLANS = "-c plan_cache_mode=force_generic_plan";

/** Lets PostgreSQL choose until the end of the transaction, which is that of the statement behind it when none is open. */
export const CHOOSE: Ahead = {
  name: "choose_plan",
  text: "SELECT set_config('plan_cache_mode', 'auto', true)",
};

/** Lets the transaction keep every plan again. */
export const KEEP: Ahead = {
  name: "keep_plan",
  text: "SELECT set_config('plan_cache_mode', 'force_generic_plan', true)",
};

/** The part of a connection of `pg` that knows what was sent to be prepared. */
interface Connection {
  readonly submittedNamedStatements: Record<string, string | undefined>;
}

/** The methods and fields of a query of `pg` that its types do not show. */
interface Steps {
  name: string | undefined;
  callback?: (error: Error | null, result?: unknown) => void;
  prepare(connection: object): void;
  handleDataRow(message: object): void;
  handleCommandComplete(message: object, connection: object): void;
  handleError(error: Error, connection: object): void;
}

const steps = pg.Query.prototype as unknown as Steps;

/** A query of `pg` whose plan PostgreSQL chooses: those of Prisma, of jobs, and whatever else is sent by a text. */
class ChosenQuery extends pg.Query {
  declare name: string | undefined;
  /** Says whether the answer of `CHOOSE` is still to come. */
  private isChoosing = false;
  private ownName: string | undefined;

  prepare(connection: object): void {
    sendAhead(connection, [CHOOSE]);
    this.isChoosing = true;
    steps.prepare.call(this, connection);
    // `pg` takes what the server has parsed for the statement with the name of the query.
    this.ownName = this.name;
    this.name = undefined;
  }

  handleDataRow(message: object): void {
    if (!this.isChoosing) steps.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: object, connection: object): void {
    if (!this.isChoosing) return steps.handleCommandComplete.call(this, message, connection);
    this.isChoosing = false;
    this.name = this.ownName;
    wasAhead(connection, CHOOSE);
  }

  handleError(error: Error, connection: object): void {
    if (this.isChoosing && this.ownName !== undefined)
      delete (connection as Connection).submittedNamedStatements[this.ownName];
    steps.handleError.call(this, error, connection);
  }
}

/** Sends a query by its text, with whatever else `pg` takes besides, such as values and a callback. */
export function queryChosen(query: (sent: object) => unknown, ...given: readonly unknown[]): unknown {
  const chosen = new ChosenQuery(...(given as [string]));
  const steps = chosen as unknown as Steps;
  if (steps.callback !== undefined) return query(chosen);
  const answer = new Promise((resolve, reject) => {
    steps.callback = (error, result) => {
      if (error) reject(error);
      else resolve(result);
    };
  });
  query(chosen);
  return answer;
}
