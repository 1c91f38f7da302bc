import {
  execute,
  getOperationAST,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { RequestContext } from "../request/run.js";
import { invalidField } from "../../core/errors/domain-error.js";
import type { FinishedSchema } from "../schema/finish-schema.js";
import { guard } from "./guard.js";
import { ReadPlan } from "../loading/read-plan.js";
import { located, rootOperations } from "./root-operations.js";
import { runWithKey } from "./run-with-key.js";

/** `jit` compiles an operation once; `graphql-js` interprets it at each run and is kept to compare with. */
export type Engine = "jit" | "graphql-js";

export type Variables = Readonly<Record<string, unknown>>;

/** An operation that is ready to run, any number of times. */
export interface CompiledOperation {
  run(context: RequestContext, variables: Variables): Promise<ExecutionResult>;
}

const MAX_COMPILED = 1_000;

/** Compiles operations once and runs them for both faces (design, "One schema, two faces"). */
export class Executor {
  private readonly compiled = new LRUCache<string, CompiledOperation>({ max: MAX_COMPILED });

  constructor(
    private readonly finished: FinishedSchema,
    private readonly engine: Engine = "jit",
  ) {}

  get schema(): GraphQLSchema {
    return this.finished.schema;
  }

  /** Compiled operations remembered now. */
  get size(): number {
    return this.compiled.size;
  }

  /** The compiled form of a validated document, remembered by `key`. */
  prepare(key: string, document: DocumentNode, operationName?: string | null): CompiledOperation {
    let operation = this.compiled.get(key);
    if (operation === undefined) {
      operation = this.compile(document, operationName);
      this.compiled.set(key, operation);
    }
    return operation;
  }

  /** Compiles a validated document; the caller keeps the result. */
  compile(document: DocumentNode, operationName?: string | null): CompiledOperation {
    const definition = getOperationAST(document, operationName);
    if (definition == null) throw new GraphQLError("The document has no such operation.");
    const execution =
      this.engine === "jit"
        ? this.compileJit(document, operationName)
        : this.interpret(document, operationName);
    const plan = ReadPlan.of(this.schema, document, definition);
    const isMutation = definition.operation === "mutation";
    const act = async (request: RequestContext, variables: Variables): Promise<ExecutionResult> => {
      // What was looked up so far, such as the company, may have come from a replica.
      const onPrimary = !isMutation || request.client === request.runtime.writer;
      const context = onPrimary ? request : request.on(request.runtime);
      context.plan = plan;
      const result = await execution(context, variables);
      // A result without data never ran: a variable did not fit its type.
      if (!("data" in result)) return this.explain(document, definition, variables, context, result);
      return result.errors === undefined ? result : { ...result, errors: result.errors.map(complete) };
    };
    return {
      run: (context, variables) =>
        context.idempotency === null
          ? act(context, variables)
          : runWithKey(context, context.idempotency, {
              roots: rootOperations(document, definition, variables, this.finished.operations),
              act: (inside) => act(inside, variables),
            }),
    };
  }

  private compileJit(document: DocumentNode, operationName?: string | null) {
    const query = compileQuery(this.schema, document, operationName ?? undefined, {
      disablingCapturingStackErrors: true,
    });
    if (!isCompiledQuery(query))
      throw query.errors?.[0] ?? new GraphQLError("The document could not be compiled.");
    return (context: RequestContext, variables: Variables) => query.query({}, context, variables);
  }

  private interpret(document: DocumentNode, operationName?: string | null) {
    return (contextValue: RequestContext, variableValues: Variables) =>
      execute({
        schema: this.schema,
        document,
        contextValue,
        variableValues,
        operationName: operationName ?? null,
      });
  }

  /** Tells everything wrong with variables that did not fit, after the refusals that come first. */
  private async explain(
    document: DocumentNode,
    definition: OperationDefinitionNode,
    variables: Variables,
    context: RequestContext,
    result: ExecutionResult,
  ): Promise<ExecutionResult> {
    for (const { field, operation, args } of rootOperations(
      document,
      definition,
      variables,
      this.finished.operations,
    )) {
      if (operation === undefined) continue;
      try {
        await guard(operation, args, context);
      } catch (error) {
        return { data: null, errors: [located(error, field)] };
      }
    }
    const messages = result.errors?.map(({ message }) => message) ?? [];
    return { data: null, errors: [located(invalidField("variables", "type", messages.join(" ")))] };
  }
}

/** The compiler's own errors lack what callers of graphql-js rely on, such as `extensions`. */
function complete(error: GraphQLError): GraphQLError {
  const { message, path, locations, originalError } = error;
  const whole = new GraphQLError(message, { path, ...(originalError != null && { originalError }) });
  return Object.assign(whole, { locations });
}
