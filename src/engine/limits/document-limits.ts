import {
  GraphQLError,
  Kind,
  parse,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { LRUCache } from "lru-cache";
import { DomainError, type FieldError } from "../../core/errors/domain-error.js";
import { DEFAULT_COST_LIMIT } from "./cost-limit.js";
import { OperationCost } from "./document-cost.js";
import { ShapeCounter, type Shape } from "./document-shape.js";

/** The most that a GraphQL document may have (conventions §8). */
export const DOCUMENT_LIMITS = { depth: 12, aliases: 50, directives: 50, tokens: 4_000 } as const;

/** What an operation would cost, and the most it may. */
export interface Cost {
  readonly requested: number;
  readonly limit: number;
}

/** A document that was counted: what is wrong with it, and the costs of its operations by name. */
interface CountedDocument {
  readonly excesses: readonly FieldError[];
  readonly operations: ReadonlyMap<string, OperationCost>;
}

const MAX_REMEMBERED = 2_000;
const MAX_REMEMBERED_CHARACTERS = 8_000_000;

/** The bounds of GraphQL documents. They are counted once per text; afterwards a text costs one look-up. */
export class DocumentLimits {
  private readonly counted = new LRUCache<string, CountedDocument>({
    max: MAX_REMEMBERED,
    maxSize: MAX_REMEMBERED_CHARACTERS,
    sizeCalculation: (_counted, text) => text.length + 1,
  });
  private readonly countedDocuments = new WeakMap<DocumentNode, CountedDocument>();
  private readonly ownCosts = new WeakMap<DocumentNode, OperationCost>();

  constructor(
    private readonly schema: GraphQLSchema,
    readonly costLimit = DEFAULT_COST_LIMIT,
  ) {}

  /**
   * Judges a text before anything else looks at it.
   *
   * @returns the cost of the operation that would run; `null` when there is none or the text is no GraphQL,
   *   which is for others to tell.
   * @throws DomainError BAD_REQUEST naming every limit that is exceeded.
   */
  assertText(text: string, operationName: string | undefined, variables: unknown): Cost | null {
    let counted = this.counted.get(text);
    if (counted === undefined) {
      counted = this.countText(text);
      this.counted.set(text, counted);
    }
    return this.assertCounted(counted, operationName, variables);
  }

  /** The same for a document that is parsed already, such as a persisted one. */
  assertDocument(document: DocumentNode, operationName: string | undefined, variables: unknown): Cost | null {
    let counted = this.countedDocuments.get(document);
    if (counted === undefined) {
      counted = this.countDocument(document);
      this.countedDocuments.set(document, counted);
    }
    return this.assertCounted(counted, operationName, variables);
  }

  /** Only the cost, of a document that the service itself made. */
  assertCost(document: DocumentNode, variables: Readonly<Record<string, unknown>>): void {
    let operation = this.ownCosts.get(document);
    if (operation === undefined) {
      const [definition] = document.definitions;
      operation = OperationCost.of(this.schema, definition as OperationDefinitionNode, new Map());
      this.ownCosts.set(document, operation);
    }
    this.assertAffordable(operation.withVariables(variables));
  }

  private assertAffordable(requested: number): Cost {
    const cost = { requested, limit: this.costLimit };
    if (requested > this.costLimit) throw new CostError(cost);
    return cost;
  }

  private assertCounted(
    { excesses, operations }: CountedDocument,
    operationName: string | undefined,
    variables: unknown,
  ): Cost | null {
    if (excesses.length > 0) {
      throw new DomainError("BAD_REQUEST", "The document exceeds a limit; see errors.", { errors: excesses });
    }
    const operation =
      operationName !== undefined && operationName !== ""
        ? operations.get(operationName)
        : operations.size === 1
          ? [...operations.values()][0]
          : undefined;
    if (operation === undefined) return null;
    const values = typeof variables === "object" && variables !== null ? variables : {};
    return this.assertAffordable(operation.withVariables(values as Record<string, unknown>));
  }

  private countText(text: string): CountedDocument {
    try {
      return this.countDocument(parse(text, { noLocation: true, maxTokens: DOCUMENT_LIMITS.tokens }));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const tooMany = /more tha[nt] \d+ tokens/u.test(error.message);
      return { excesses: tooMany ? [excess("tokens")] : [], operations: new Map() };
    }
  }

  private countDocument({ definitions }: DocumentNode): CountedDocument {
    const fragments = new Map<string, FragmentDefinitionNode>();
    const operations: OperationDefinitionNode[] = [];
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
      if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    }
    const counter = new ShapeCounter(fragments);
    const shapes = operations.map((operation) => counter.count(operation));
    const excesses = (["depth", "aliases", "directives"] as const).flatMap((rule) => {
      const most = Math.max(0, ...shapes.map((shape: Shape) => shape[rule]));
      return most > DOCUMENT_LIMITS[rule] ? [excess(rule, most)] : [];
    });
    if (excesses.length > 0) return { excesses, operations: new Map() };
    const costs = operations.map(
      (operation) =>
        [operation.name?.value ?? "", OperationCost.of(this.schema, operation, fragments)] as const,
    );
    return { excesses, operations: new Map(costs) };
  }
}

/** An operation that would cost too much. */
export class CostError extends DomainError {
  constructor(readonly cost: Cost) {
    super("BAD_REQUEST", "The operation costs too much; see errors.", {
      errors: [
        {
          field: "query",
          rule: "cost",
          message: `costs ${cost.requested}, at most ${cost.limit} is allowed`,
        },
      ],
    });
  }
}

function excess(rule: keyof typeof DOCUMENT_LIMITS, found?: number): FieldError {
  const most = `at most ${DOCUMENT_LIMITS[rule]} ${rule === "depth" ? "levels" : rule} are allowed`;
  return { field: "query", rule, message: found === undefined ? most : `has ${found}, ${most}` };
}
