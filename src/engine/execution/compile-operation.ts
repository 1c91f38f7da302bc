import {
  execute,
  GraphQLError,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { invalidField } from "../../core/errors/domain-error.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import { ReadPlan } from "../loading/read-plan.js";
import { Run } from "../request/run.js";
import type { FinishedSchema } from "../schema/finish-schema.js";
import { guard } from "./guard.js";
import { located, rootOperations } from "./root-operations.js";
import type { Outcome, RunOperation, Variables } from "./run-operation.js";
import { runWithKey } from "./run-with-key.js";

/** The engine `jit` compiles an operation once; `graphql-js` interprets it at each run and serves for comparison. */
export type Engine = "jit" | "graphql-js";

/** Compiles an operation of a document that has been validated against the schema. */
export function compileOperation(
  finished: FinishedSchema,
  engine: Engine,
  document: DocumentNode,
  definition: OperationDefinitionNode,
): RunOperation {
  const { schema, operations } = finished;
  const operationName = definition.name?.value;
  const execution = engine === "jit" ? compiled() : interpreted;
  const plan = ReadPlan.of(schema, document, definition);
  const isMutation = definition.operation === "mutation";

  return async (request, variables, { inputErrors = [], idempotency = null } = {}) => {
    const act = async (runtime: Runtime): Promise<Outcome> => {
      const client = isMutation ? runtime.writer : runtime.reader();
      const run = new Run(request, { runtime, client, plan, inputErrors });
      return { result: await resultOf(run, variables), hasBegun: run.hasBegun };
    };
    if (idempotency === null) return (await act(request.runtime)).result;
    const roots = rootOperations(document, definition, variables, operations);
    return runWithKey(request, idempotency, { roots, act });
  };

  async function resultOf(run: Run, variables: Variables): Promise<ExecutionResult> {
    const result = await execution(run, variables);
    // A result without `data` means that nothing ran: a variable did not fit its type.
    if (!("data" in result)) return explain(run, variables, result);
    return result.errors === undefined ? result : { ...result, errors: result.errors.map(complete) };
  }

  function compiled() {
    const query = compileQuery(schema, document, operationName, { disablingCapturingStackErrors: true });
    if (!isCompiledQuery(query))
      throw query.errors?.[0] ?? new GraphQLError("The document could not be compiled.");
    return (run: Run, variables: Variables) => query.query({}, run, variables);
  }

  function interpreted(contextValue: Run, variableValues: Variables) {
    return execute({ schema, document, contextValue, variableValues, operationName: operationName ?? null });
  }

  /** Returns the refusal that comes first (access, then wrong fields), else one wrong field `variables`. */
  async function explain(run: Run, variables: Variables, result: ExecutionResult): Promise<ExecutionResult> {
    for (const { field, operation, args } of rootOperations(document, definition, variables, operations)) {
      if (operation === undefined) continue;
      try {
        await guard(operation, args, run);
      } catch (error) {
        return { data: null, errors: [located(error, field)] };
      }
    }
    const messages = result.errors?.map(({ message }) => message) ?? [];
    return { data: null, errors: [located(invalidField("variables", "type", messages.join(" ")))] };
  }
}

/** Adds the members, such as `extensions`, that graphql-js gives its errors and the compiler leaves out. */
function complete(error: GraphQLError): GraphQLError {
  const { message, path, locations, originalError } = error;
  const whole = new GraphQLError(message, { path, ...(originalError != null && { originalError }) });
  return Object.assign(whole, { locations });
}
