import { DomainError } from "../../core/errors/domain-error.js";
import { MAX_RELATED_ROWS } from "../../core/relations/relations.js";
import { CostError } from "./cost-limit.js";

/**
 * Counts the rows that one run reads and the objects that it makes of them, against the limit of the cost: the cost that
 * is known before only expects how long lists are. Once a count is over the limit, the run reads and makes nothing
 * more, and its answer is the refusal.
 */
export class RowBudget {
  private objects = 0;
  private rows = 0;
  private refused: DomainError | null = null;

  constructor(private readonly limit: number) {}

  /** The refusal that is the run's answer; `null` while the run is within the limit. */
  get refusal(): DomainError | null {
    return this.refused;
  }

  /** The number of rows that one statement may still answer is one more than the limit, so that it shows an excess. */
  get mostRows(): number {
    return this.limit + 1;
  }

  /** Counts objects of the answer. @returns whether they may be made. */
  makes(objects: number): boolean {
    this.objects += objects;
    if (this.objects > this.limit) this.refuse(this.objects);
    return this.refused === null;
  }

  /** Counts rows that were read. @throws DomainError BAD_REQUEST when they are too many. */
  reads(rows: number): void {
    this.rows += rows;
    if (this.rows > this.limit) this.refuse(this.rows);
    this.assertWithin();
  }

  /** Checks the length of a related list. @throws DomainError BAD_REQUEST. */
  relates(rows: number, model: string): void {
    if (rows <= MAX_RELATED_ROWS) return;
    const message = `more than ${MAX_RELATED_ROWS} rows of ${model} belong to one row; read them as a list`;
    this.refused ??= new DomainError("BAD_REQUEST", `A related list is too long: ${message}.`, {
      errors: [{ field: "query", rule: "max_items", message }],
    });
    this.assertWithin();
  }

  /** @throws DomainError BAD_REQUEST. */
  assertWithin(): void {
    if (this.refused !== null) throw this.refused;
  }

  private refuse(count: number): void {
    this.refused ??= new CostError({ requested: count, limit: this.limit });
  }
}
