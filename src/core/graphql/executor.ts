import {
  execute,
  getOperationAST,
  GraphQLError,
  Kind,
  valueFromASTUntyped,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { LRUCache } from "lru-cache";
import type { RequestContext } from "../../context.js";
import { invalidField } from "../errors/domain-error.js";
import type { FinishedSchema } from "./finish-schema.js";
import { guard, type Arguments } from "./guard.js";

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
    return {
      run: async (context, variables) => {
        if (definition.operation === "mutation") context.client = context.runtime.writer;
        const result = await execution(context, variables);
        // A result without data never ran: a variable did not fit its type.
        if (!("data" in result)) return this.explain(document, definition, variables, context, result);
        return result.errors === undefined ? result : { ...result, errors: result.errors.map(complete) };
      },
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
    for (const field of rootFields(definition.selectionSet, document)) {
      const operation = this.finished.operations.get(field.name.value);
      if (operation === undefined) continue;
      try {
        await guard(operation, rawArguments(field, variables), context);
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

function located(error: unknown, field?: FieldNode): GraphQLError {
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, {
    originalError,
    ...(field !== undefined && { path: [field.alias?.value ?? field.name.value] }),
  });
}

/** The arguments as the caller sent them, before any type was applied. */
function rawArguments(field: FieldNode, variables: Variables): Arguments {
  const values = (field.arguments ?? []).map(
    ({ name, value }) =>
      [
        name.value,
        structuredClone(valueFromASTUntyped(value, variables as Record<string, unknown>)),
      ] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function rootFields(selectionSet: SelectionSetNode, document: DocumentNode): FieldNode[] {
  return selectionSet.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    if (selection.kind === Kind.INLINE_FRAGMENT) return rootFields(selection.selectionSet, document);
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
    );
    return fragment?.kind === Kind.FRAGMENT_DEFINITION ? rootFields(fragment.selectionSet, document) : [];
  });
}
