import type { FastifyRequest } from "fastify";
import type { Documents } from "../../engine/execution/documents.js";
import { rootOperations } from "../../engine/schema/root-operations.js";
import type { Safelist } from "../../engine/limits/safelist.js";
import type { Request } from "../../engine/request/request.js";
import type { FinishedSchema } from "../../engine/guard/finish-schema.js";
import { documentText } from "./document-guard.js";

interface MayRunOptions {
  readonly documents: Documents;
  readonly operations: FinishedSchema["operations"];
  readonly safelist: Safelist | null;
  readonly requestOf: (request: FastifyRequest) => Request | Promise<Request>;
}

/**
 * Decides whether the caller may run all that a multipart request asks for, before its files are read. Who may not is
 * refused when the document runs, like everybody else.
 */
export function mayRunUpload({ documents, operations, safelist, requestOf }: MayRunOptions) {
  return async (request: FastifyRequest, body: unknown): Promise<boolean> => {
    const text = documentText(body, safelist);
    if (text === undefined) return false;
    const { operationName, variables } = body as { operationName?: string; variables?: object };
    const prepared = await documents.ofTextFor(text, request.turn);
    const operation = prepared.operation(operationName);
    if (prepared.document === null || operation?.kind !== "mutation") return false;
    const { admissions } = await requestOf(request);
    const given = (variables ?? {}) as Record<string, unknown>;
    const roots = rootOperations(prepared.document, operation.definition, given, operations);
    const decisions = await Promise.allSettled(
      roots.map(async ({ operation: asked, args }) => {
        if (asked !== undefined) await admissions.admit(asked, args);
      }),
    );
    return decisions.every(({ status }) => status === "fulfilled");
  };
}
