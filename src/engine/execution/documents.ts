import { createHash } from "node:crypto";
import { getHeapStatistics } from "node:v8";
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
  VariablesInAllowedPositionRule,
  type DocumentNode,
  OperationTypeNode,
  type ExecutionResult,
  type OperationDefinitionNode,
  type ValidationRule,
} from "graphql";
import { LRUCache } from "lru-cache";
import type { FieldError } from "../../core/errors/domain-error.js";
import { CostError, costOfStopped, DEFAULT_COST_LIMIT, type Cost } from "../limits/cost-limit.js";
import {
  assertWithinBounds,
  countDocument,
  countLines,
  definitionsOf,
  DOCUMENT_LIMITS,
  excess,
  excessesOfInvalid,
  type CountedDocument,
  type Definitions,
} from "../limits/document-bounds.js";
import { OperationCost } from "../limits/document-cost.js";
import { LearnedCosts } from "../limits/learned-costs.js";
import { endInSlices } from "../limits/loop-slices.js";
import { loopTime, type LoopUser } from "../limits/loop-time.js";
import type { Turn } from "../limits/fair-turns.js";
import type { Request } from "../request/request.js";
import type { FinishedSchema } from "../guard/finish-schema.js";
import { followedQuery, noConditionalSubscription, type FollowedQuery } from "./followed-query.js";
import { compileOperation, type CompiledCode, type Engine } from "./compile-operation.js";
import { canMergeFields } from "./mergeable-fields.js";
import { FormerNames } from "../schema/former-names.js";
import type { Variables } from "../schema/root-operations.js";
import type { RunOperation, RunOptions } from "./run-operation.js";

type ScaleOf = (companyId: number | null) => number;

/** Prices operations by their documents, and by the work that earlier runs have shown. */
interface Prices {
  readonly costLimit: number;
  readonly learned: LearnedCosts;
  readonly scaleOf: ScaleOf;
}

export interface DocumentOptions {
  /** The engine that runs operations; `graphql-js` is for comparison. */
  readonly engine?: Engine;
  /** The highest cost that an operation may have. */
  readonly costLimit?: number;
  /** Says whether documents may ask for the schema itself. */
  readonly introspection?: boolean;
  /** Returns how large a company is; larger ones take longer. */
  readonly scaleOf?: ScaleOf;
}

/** The room holds at most this many bytes, as the estimates below count them. */
const MAX_BYTES = 80_000_000;
/** Documents that were asked for a single time have a room of their own, so that a flood of them drives out no other. */
const MAX_BYTES_ONCE = 16_000_000;
/** Above this share of the heap, all documents are forgotten. */
const HEAP_SHARE = 0.8;
/** So many faults of a document are told: each name that is unknown is compared with all that the schema has, which takes time. */
export const MOST_FAULTS = 20;
/** A text that has no more characters is prepared at once, in some milliseconds. */
const SHORT_CHARACTERS = 1_000;
/** A text that yields no operation counts as this many bytes, besides its characters. */
const LEAST_BYTES = 500;
/**
 * The estimates were measured with documents of which no two are alike: what is kept of a document that has been planned,
 * and what compiling adds at its second use.
 */
const PLANNED = { perDocument: 7_000, perCharacter: 2, perToken: 220, perField: 400 } as const;
const COMPILED = { perOperation: 8_000, perCharacter: 2.5, perVariable: 3_000 } as const;

/**
 * An operation of a validated document. Its cost is planned at once; it is compiled when it runs for the first
 * time. That of a subscription is run by pages, each of which is the query that it follows.
 */
export class PreparedOperation {
  private compiled: RunOperation | undefined;

  constructor(
    readonly definition: OperationDefinitionNode,
    private readonly price: OperationCost,
    private readonly prices: Prices,
    private readonly compile: () => RunOperation,
    /** `null` for all but subscriptions. */
    readonly followed: FollowedQuery | null,
  ) {}

  get name(): string | null {
    return this.definition.name?.value ?? null;
  }

  /** The names of its root fields, as often as they stand there. */
  get rootNames(): readonly string[] {
    return this.price.rootNames;
  }

  get kind(): OperationDefinitionNode["operation"] {
    return this.definition.operation;
  }

  /**
   * Returns the cost with these variables: what the document asks for, or the work that earlier runs have shown.
   *
   * @throws CostError when what the document asks for is above the limit; work alone refuses nothing.
   */
  assertAffordable(variables: Variables, turn: Turn | null): Cost {
    const { costLimit: limit, learned, scaleOf } = this.prices;
    const { cost, withWork, roots } = this.price.withVariables(variables);
    if (cost > limit) throw new CostError({ requested: cost, limit });
    const shown = learned.expectedCost(roots, scaleOf(turn?.companyId ?? null));
    return { requested: Math.min(limit, Math.max(withWork, shown)), limit };
  }

  async run(request: Request, variables: Variables, options?: RunOptions): Promise<ExecutionResult> {
    this.compiled ??= this.compile();
    const { turn } = request;
    loopTime.worksFor(turn);
    const before = turn.usedUntilNow();
    const result = await this.compiled(request, variables, options);
    const used = turn.usedUntilNow() - before;
    const stopped = costOfStopped(result);
    if (stopped !== null)
      request.account.owe(stopped.requested, this.assertAffordable(variables, turn).requested);
    // What was refused or had been done before shows nothing of the work.
    if (result.errors === undefined && options?.idempotency?.replayed !== true) {
      const { roots } = this.price.withVariables(variables);
      const { learned, scaleOf } = this.prices;
      learned.learn(roots, scaleOf(turn.companyId), used);
    }
    return result;
  }
}

/** A document with the operations that can be run; it has none when it was refused. */
export class PreparedDocument {
  constructor(
    readonly excesses: readonly FieldError[],
    /** The document is `null` when its text is no GraphQL, exceeds a limit or does not fit the schema. */
    readonly document: DocumentNode | null,
    private readonly operations: readonly PreparedOperation[],
    /** The estimated memory in bytes; it grows when an operation is compiled. */
    public bytes: number,
  ) {}

  /** @throws DomainError BAD_REQUEST that names every limit that the document exceeds. */
  assertWithinBounds(): void {
    assertWithinBounds(this);
  }

  /**
   * Returns the operation that a request names.
   *
   * @param name may be missing when the document has only one operation.
   * @returns `null` when there is no such operation; the caller of this method has to report that.
   */
  operation(name: string | null | undefined): PreparedOperation | null {
    if (name == null || name === "")
      return this.operations.length === 1 ? (this.operations[0] ?? null) : null;
    return this.operations.find((operation) => operation.name === name) ?? null;
  }
}

/**
 * Holds the documents of both faces: each is parsed, counted, validated, priced and compiled once. The memory is
 * bounded: the document that was not asked for longest goes first.
 */
export class Documents {
  private readonly known = new LRUCache<string, PreparedDocument>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: (_prepared, key, reason) => this.forgetHash(key, reason),
  });
  private readonly once = new LRUCache<string, PreparedDocument>({
    maxSize: MAX_BYTES_ONCE,
    sizeCalculation: ({ bytes }) => bytes,
    dispose: (_prepared, key, reason) => this.forgetHash(key, reason),
  });
  /** Texts by their SHA-256, by which Apollo asks for documents. */
  private readonly textOfHash = new Map<string, string>();
  /** All but that fields can be merged, which `canMergeFields` judges of what breaks none of them. */
  private readonly rules;
  /** The same in parts, for documents whose validation by all at once takes long. */
  private readonly rulesInParts: readonly (readonly ValidationRule[])[];
  private readonly formerNames: FormerNames;
  private readonly engine: Engine;
  private readonly prices: Prices;

  constructor(
    private readonly finished: FinishedSchema,
    {
      engine = "jit",
      costLimit = DEFAULT_COST_LIMIT,
      introspection = true,
      scaleOf = () => 0,
    }: DocumentOptions = {},
  ) {
    this.engine = engine;
    this.prices = { costLimit, learned: new LearnedCosts(), scaleOf };
    this.formerNames = new FormerNames(finished.schema);
    const rules = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);
    rules.push(noConditionalSubscription);
    this.rules = introspection ? rules : [...rules, NoSchemaIntrospectionCustomRule];
    this.rulesInParts = inParts(this.rules);
  }

  /** The number of callers' documents in the room that fit the schema. */
  get size(): number {
    return this.textOfHash.size;
  }

  /** Returns the document of a text that a caller sent. */
  ofText(text: string): PreparedDocument {
    return this.find(text) ?? this.keepText(text, endOf(this.preparing(text)));
  }

  /**
   * Returns the document of a text that a caller sent. A long one that is not known is prepared a slice at a time, while others go
   * on.
   *
   * @param user is for whom the event loop works while it prepares.
   * @throws DomainError UNAVAILABLE when nobody waits for it any more.
   */
  ofTextFor(text: string, user: LoopUser | null): PreparedDocument | Promise<PreparedDocument> {
    if (text.length <= SHORT_CHARACTERS) return this.ofText(text);
    return this.find(text) ?? this.inSlices(text, user);
  }

  private async inSlices(text: string, user: LoopUser | null): Promise<PreparedDocument> {
    const prepared = await endInSlices(user, this.preparing(text));
    // Somebody else may have asked for it meanwhile.
    return this.find(text) ?? this.keepText(text, prepared);
  }

  /** Returns what GraphQL says first of a text that is none, or does not fit the schema. */
  faultOf(text: string): string | null {
    try {
      const document = this.formerNames.replaceIn(parse(text), text);
      return endOf(this.faultsOf(document, definitionsOf(document)))[0]?.message ?? null;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return error.message;
    }
  }

  /** Returns the document whose text has this SHA-256 (hexadecimal), when it is in the room and fits the schema. */
  ofHash(hash: string): DocumentNode | undefined {
    const text = this.textOfHash.get(hash);
    return text === undefined ? undefined : (this.peek(text)?.document ?? undefined);
  }

  /**
   * Returns the operation of a document that the service made itself: such a document fits the schema and exceeds
   * no limit but the cost.
   *
   * @param key stands for the document; no GraphQL text looks like it.
   */
  ownOperation(key: string, make: () => DocumentNode): PreparedOperation {
    let prepared = this.find(key);
    if (prepared === undefined) {
      const document = make();
      const definitions = definitionsOf(document);
      prepared = this.prepare(document, definitions, { ...countDocument(definitions), key });
      this.keep(key, prepared);
    }
    return prepared.operation(null) as PreparedOperation;
  }

  /** Finds a document, and remembers that it was asked for again. */
  private find(key: string): PreparedDocument | undefined {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const again = this.once.get(key);
    if (again !== undefined) {
      this.once.delete(key);
      this.known.set(key, again);
    }
    return again;
  }

  /** Apollo asks for the document of a request that was found already, which is not another request. */
  private peek(key: string): PreparedDocument | undefined {
    return this.known.get(key) ?? this.once.get(key);
  }

  private keep(key: string, prepared: PreparedDocument): void {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    if (used > limit * HEAP_SHARE) this.forget();
    this.once.set(key, prepared);
  }

  private keepText(text: string, prepared: PreparedDocument): PreparedDocument {
    this.keep(text, prepared);
    if (prepared.document !== null && this.once.has(text)) this.textOfHash.set(hashOf(text), text);
    return prepared;
  }

  private forget(): void {
    this.once.clear();
    this.known.clear();
    this.textOfHash.clear();
  }

  /** Returns what is wrong, without where it stands, which Apollo tells the caller. */
  private *faultsOf(document: DocumentNode, definitions: Definitions): Steps<readonly GraphQLError[]> {
    const { schema } = this.finished;
    const foundBy = (rules: readonly ValidationRule[]): readonly GraphQLError[] =>
      withoutPlaces(document, () =>
        validate(schema, document, rules, { maxErrors: MOST_FAULTS, hideSuggestions: true }),
      );
    const parts = isLong(document) ? this.rulesInParts : [this.rules];
    for (const rules of parts) {
      // All are told in the order in which they stand in the document.
      if (foundBy(rules).length > 0) return foundBy(this.rules);
      yield;
    }
    return canMergeFields(schema, definitions) ? [] : foundBy([OverlappingFieldsCanBeMergedRule]);
  }

  /** Prepares a text in steps of a few milliseconds at most. */
  private *preparing(text: string): Steps<PreparedDocument> {
    const lines = countLines(text);
    if (lines > DOCUMENT_LIMITS.lines) return unusable(text, [excess("lines", lines)]);
    const written = parsed(text);
    if (!("kind" in written)) return unusable(text, written);
    yield;
    const document = this.formerNames.replaceIn(written, text);
    yield;
    const definitions = definitionsOf(document);
    const counts = countDocument(definitions);
    if (counts.excesses.length > 0) return unusable(text, counts.excesses);
    yield;
    const faults = yield* this.faultsOf(document, definitions);
    if (faults.some(isDeepIntrospection)) return unusable(text, [DEEP_INTROSPECTION]);
    if (faults.length > 0) return unusable(text, excessesOfInvalid(definitions, faults, lines));
    yield;
    return this.prepare(document, definitions, { ...counts, key: text });
  }

  private prepare(
    document: DocumentNode,
    definitions: Definitions,
    { fields, key }: Pick<CountedDocument, "fields"> & { key: string },
  ): PreparedDocument {
    const { schema } = this.finished;
    const operations = definitions.operations.map((definition) => {
      const followed =
        definition.operation === OperationTypeNode.SUBSCRIPTION
          ? followedQuery(schema, document, definition)
          : null;
      const run = followed ?? { document, definition };
      const price = OperationCost.of(schema, run.document, run.definition, definitions.fragments);
      const settings = {
        engine: this.engine,
        costLimit: this.prices.costLimit,
        fields,
        costOf: (variables: Variables) => price.withVariables(variables).cost,
        onCompiled: (code: CompiledCode) => this.charge(key, prepared, compiledBytes(code)),
      };
      const compile = () => compileOperation(this.finished, settings, run.document, run.definition);
      return new PreparedOperation(definition, price, this.prices, compile, followed);
    });
    const tokens = document.tokenCount ?? 0;
    const bytes =
      PLANNED.perDocument +
      key.length * PLANNED.perCharacter +
      tokens * PLANNED.perToken +
      fields * PLANNED.perField;
    const prepared = new PreparedDocument([], document, operations, bytes);
    return prepared;
  }

  /** Counts more bytes for a document; others go when there is no room for them. */
  private charge(key: string, prepared: PreparedDocument, bytes: number): void {
    prepared.bytes += bytes;
    for (const room of [this.known, this.once]) {
      if (room.peek(key) !== prepared) continue;
      room.delete(key);
      room.set(key, prepared);
      if (!room.has(key)) this.textOfHash.delete(hashOf(key));
    }
  }

  /** A document that leaves its room otherwise enters one at once. */
  private forgetHash(key: string, reason: LRUCache.DisposeReason): void {
    if (reason === "evict") this.textOfHash.delete(hashOf(key));
  }
}

/** Work that stops after each of its steps. */
type Steps<Result> = Generator<void, Result, void>;

/** Takes all steps at once. */
function endOf<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

function isLong({ loc }: DocumentNode): boolean {
  return loc !== undefined && loc.end > SHORT_CHARACTERS;
}

/** Rules that look for the variables of each operation, which is done once for all of them in a part. */
const RULES_OF_VARIABLES: ReadonlySet<ValidationRule> = new Set([
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  VariablesInAllowedPositionRule,
]);

/** Each part walks through the whole document, which takes as long as some ten rules do. */
function inParts(rules: readonly ValidationRule[]): ValidationRule[][] {
  const others = rules.filter((rule) => !RULES_OF_VARIABLES.has(rule));
  const half = Math.ceil(others.length / 2);
  return [[...RULES_OF_VARIABLES], others.slice(0, half), others.slice(half)];
}

/** Returns the parsed text, or the limits that the text exceeds: none when it is no GraphQL, which Apollo reports. */
function parsed(text: string): DocumentNode | FieldError[] {
  try {
    return parse(text, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return /more tha[nt] \d+ tokens/u.test(error.message) ? [excess("tokens")] : [];
  }
}

/** What graphql-js refuses of introspection, in which levels are not counted. */
const DEEP_INTROSPECTION: FieldError = {
  field: "query",
  rule: "depth",
  message: "nests lists of the introspection, at most 2 within each other are allowed",
};

function isDeepIntrospection({ message }: GraphQLError): boolean {
  return message === "Maximum introspection depth exceeded";
}

/** Validates a document while nobody asks where its parts stand: for each of them all lines before it would be walked over. */
function withoutPlaces<Found>({ loc }: DocumentNode, validated: () => Found): Found {
  if (loc === undefined) return validated();
  const { source } = loc;
  const { body } = source;
  source.body = "";
  try {
    return validated();
  } finally {
    source.body = body;
  }
}

function unusable(text: string, excesses: readonly FieldError[]): PreparedDocument {
  return new PreparedDocument(excesses, null, [], text.length + LEAST_BYTES);
}

function compiledBytes({ characters, variables }: CompiledCode): number {
  const { perOperation, perCharacter, perVariable } = COMPILED;
  return Math.ceil(perOperation + characters * perCharacter + variables * perVariable);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
