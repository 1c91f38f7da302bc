import { setTimeout as sleep } from "node:timers/promises";
import {
  execute,
  getVariableValues,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { DomainError, validationFailed } from "../../core/errors/domain-error.js";
import { withoutStacks } from "../../core/errors/without-stacks.js";
import { LEAVES_53_BITS } from "../../core/scalars/safe-int.js";
import type { Db } from "../../core/db/db.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import { readingOfRows, rowsOfAnswer, selectsPersons } from "../idempotency/read-again.js";
import { ReadPlan } from "../loading/read-plan.js";
import { placeOf } from "../loading/relation-resolver.js";
import { Run, type ChangedVersion } from "../request/run.js";
import type { FinishedSchema } from "../guard/finish-schema.js";
import { MOST_ERRORS } from "../validation/field-errors.js";
import { compilableDocument } from "./compilable-document.js";
import { ConditionalDocument } from "./conditional-document.js";
import { guard } from "../guard/guard.js";
import { located, rootOperations, type Variables } from "../schema/root-operations.js";
import type { Outcome } from "../idempotency/run-once.js";
import { noteLarge } from "./large-results.js";
import { compileLean } from "./lean-code.js";
import { read, written } from "./read-or-write.js";
import { CHANGED, type RunOperation } from "./run-operation.js";
import { runWithKey } from "./run-with-key.js";
import { wrongVariables, wrongWords } from "./wrong-variables.js";

/** The engine `jit` compiles an operation once; `graphql-js` interprets it at each run and serves for comparison. */
export type Engine = "jit" | "graphql-js";

export interface CompileSettings {
  readonly engine: Engine;
  /** The most rows that a run may read and answer. */
  readonly costLimit: number;
  /** The cost that a run is expected to have. */
  readonly costOf: (variables: Variables) => number;
  /** The number of fields of the document with its fragments expanded. */
  readonly fields: number;
  /** Is called when the operation has been compiled, which takes memory. */
  readonly onCompiled: (code: CompiledCode) => void;
}

/** How much code an operation was compiled to. */
export interface CompiledCode {
  readonly characters: number;
  /** The number of variables that the code reads. */
  readonly variables: number;
}

const OPTIONS = { disablingCapturingStackErrors: true };

/** A document with more fields is always interpreted: compiling takes about half a millisecond for each. */
const MOST_FIELDS_COMPILED = 500;

/** An operation that is expected to cost this much is compiled at once: to interpret it takes longer than that. */
const WORTH_COMPILING = 2_000;

/** Variables with more values than this are checked for errors before the compiled code sees them. */
const FEW_VALUES = 100;

/** Compiles an operation of a document that has been validated against the schema. */
export function compileOperation(
  finished: FinishedSchema,
  { engine, costLimit, costOf, fields, onCompiled }: CompileSettings,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): RunOperation {
  const { schema, operations, takeBack } = finished;
  const operationName = definition.name?.value;
  const isCompiled = engine === "jit" && fields <= MOST_FIELDS_COMPILED;
  const execution = isCompiled ? compiledWhenUsedAgain() : interpreted;
  const plan = ReadPlan.of(schema, document, definition);
  const isMutation = definition.operation === "mutation";

  return (
    request,
    variables,
    { inputErrors = [], idempotency = null, precondition = null, asksForVersion = false } = {},
  ) => {
    let heldMs = 0;
    let changed: ChangedVersion | undefined;
    const tellChanged = asksForVersion ? (row: ChangedVersion) => void (changed = row) : undefined;
    const hold = (milliseconds: number): void => {
      heldMs = Math.max(heldMs, milliseconds);
    };
    const runOn = (runtime: Runtime, client: Db): Run =>
      new Run(request, {
        runtime,
        client,
        plan,
        costLimit,
        inputErrors,
        precondition,
        tellChanged,
        takeBack,
        hold,
      });
    const changeOn = async (run: Run): Promise<ExecutionResult> => {
      const result = await resultOf(run, variables);
      return changed === undefined ? result : { ...result, extensions: { [CHANGED]: changed } };
    };
    const { runtime } = request;
    if (!isMutation) return read(runtime, (client) => resultOf(runOn(runtime, client), variables));
    const held = async (run: Promise<ExecutionResult>): Promise<ExecutionResult> => {
      const result = await written(runtime, run);
      if (heldMs === 0) return result;
      request.turn.end();
      await sleep(heldMs);
      return result;
    };
    if (idempotency === null) return held(changeOn(runOn(runtime, runtime.writer)));
    const roots = rootOperations(document, definition, variables, operations);
    const keyed = runWithKey(request, idempotency, {
      roots,
      act: async (within): Promise<Outcome> => {
        const run = runOn(within, within.writer);
        return { result: await changeOn(run), hasBegun: run.hasBegun };
      },
      rowsOf: (data) => rowsOfAnswer(schema, document, roots, data),
      mayHoldPersons: () => selectsPersons(schema, document),
      readAgain: async (within, rows) => {
        const reading = readingOfRows(document, definition, roots, rows);
        const own = ReadPlan.of(schema, reading.document, reading.definition);
        const client = within.reader();
        const run = new Run(request, {
          runtime: within,
          client,
          plan: own,
          costLimit,
          inputErrors: [],
          takeBack,
        });
        const again = { schema, document: reading.document, contextValue: run, variableValues: variables };
        return answerOf(run, reading.putBack(await execute(again)), fields);
      },
    });
    return held(keyed);
  };

  async function resultOf(run: Run, variables: Variables): Promise<ExecutionResult> {
    const wrong = manyValues(variables) ? fewErrors(variables) : null;
    const result = wrong ?? (await execution(run, variables));
    // A result without `data` means that nothing ran: a variable did not fit its type.
    if (!("data" in result)) return explain(run, variables, result);
    // Rows within the transaction of a mutation are not counted.
    return answerOf(run, result, isMutation ? Infinity : fields);
  }

  /** Returns the result as it is answered, or the refusal of a run that has read or answers too much. */
  function answerOf({ budget }: Run, result: ExecutionResult, fieldsOfRows: number): ExecutionResult {
    budget.answers(result.data, fieldsOfRows);
    const { refusal } = budget;
    // Without `data` the whole request is refused; a mutation has acted already, so only its answer is.
    if (refusal !== null) return { ...(isMutation && { data: null }), errors: [located(refusal)] };
    if (!isMutation && budget.isLarge(fieldsOfRows)) noteLarge(result);
    return result.errors === undefined ? result : { ...result, errors: fewOf(result.errors).map(complete) };
  }

  /**
   * Interprets the operation at its first run and compiles it at the second: most documents that are made for one
   * request never come again, and compiling takes longer than a run that is not costly.
   */
  function compiledWhenUsedAgain() {
    const conditional = new ConditionalDocument<ReturnType<typeof compiled>>(document, definition);
    return (run: Run, variables: Variables) => {
      const variant = conditional.variantFor(variables);
      if (variant !== null) {
        variant.runs += 1;
        if (variant.runs > 1 || costOf(variables) >= WORTH_COMPILING)
          return (variant.kept ??= compiled(variant.document))(run, variables);
      }
      return fewErrors(variables) ?? interpreted(run, variables);
    };
  }

  /** Returns at most 50 errors of variables that do not fit their types; the compiled code would report all. */
  function fewErrors(variables: Variables): ExecutionResult | null {
    const { errors } = withoutStacks(() =>
      getVariableValues(schema, definition.variableDefinitions ?? [], variables, { maxErrors: MOST_ERRORS }),
    );
    return errors === undefined ? null : { errors };
  }

  function compiled(own: DocumentNode) {
    const compilable = compilableDocument(schema, own, definition);
    const { compiled: operation, characters } = compileLean(() =>
      compileQuery(schema, compilable.document, operationName, OPTIONS),
    );
    if (!isCompiledQuery(operation))
      throw operation.errors?.[0] ?? new GraphQLError("The document could not be compiled.");
    const { query } = operation;
    onCompiled({ characters, variables: compilable.variables });
    return (run: Run, variables: Variables) => {
      const coerced = compilable.coerce(variables);
      if (coerced === null) return interpreted(run, variables);
      return "errors" in coerced ? coerced : query({}, run, coerced.variables);
    };
  }

  function interpreted(contextValue: Run, variableValues: Variables) {
    return execute({ schema, document, contextValue, variableValues, operationName: operationName ?? null });
  }

  /** Returns the refusal that comes first (access, then wrong fields), else the variables that do not fit. */
  async function explain(run: Run, variables: Variables, result: ExecutionResult): Promise<ExecutionResult> {
    const errors = wrongVariables(schema, definition.variableDefinitions ?? [], variables);
    for (const { field, operation, args } of rootOperations(document, definition, variables, operations)) {
      if (operation === undefined) continue;
      try {
        await guard(operation, args, run, { mistyped: wrongWords(errors, field) });
      } catch (error) {
        return { data: null, errors: [located(error, field)] };
      }
    }
    // The compiled code may refuse a value that graphql-js takes.
    const message = result.errors?.[0]?.message ?? "does not fit";
    const whole = { field: "variables", rule: "type", message };
    return { data: null, errors: [located(validationFailed(errors.length > 0 ? errors : [whole]))] };
  }
}

function manyValues(variables: Variables): boolean {
  let left = FEW_VALUES;
  const isMore = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return true;
    return typeof value === "object" && value !== null && Object.values(value).some(isMore);
  };
  return isMore(variables);
}

/** Returns at most 50 errors: one for each field and message, however many rows of a list it befell. */
function fewOf(errors: readonly GraphQLError[]): GraphQLError[] {
  const few = new Map<string, GraphQLError>();
  for (const error of errors) {
    const key = `${placeOf(error.path ?? [])} ${error.message}`;
    if (!few.has(key)) few.set(key, error);
    if (few.size === MOST_ERRORS) break;
  }
  return [...few.values()];
}

/**
 * Adds the members, such as `extensions`, that graphql-js gives its errors and the compiler leaves out. A value that answers cannot
 * show is no fault of the caller: it is refused by the name of its field.
 */
function complete(error: GraphQLError): GraphQLError {
  const { path, locations } = error;
  const originalError = error.message === LEAVES_53_BITS ? tooLarge(path) : error.originalError;
  const message = originalError?.message ?? error.message;
  const whole = withoutStacks(
    () => new GraphQLError(message, { path, ...(originalError != null && { originalError }) }),
  );
  return Object.assign(whole, { locations });
}

function tooLarge(path: GraphQLError["path"]): DomainError {
  const field = path?.findLast((key) => typeof key === "string");
  return new DomainError("INVALID_STATE", `${field} ${LEAVES_53_BITS}.`);
}
