import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DomainError, notFound, unavailable } from "../../core/errors/domain-error.js";
import type { Secrets } from "../../core/secrets.js";
import { FILES_PATH, pathOf } from "../../engine/storage/file-store.js";
import { isGoodLink } from "../../engine/storage/signed-link.js";
import type { Storage } from "../../engine/storage/storage.js";
import { contentTypeOf, SHEET_TYPE, standInFor } from "../../engine/storage/stored-name.js";

/** A name always stands for the same bytes. */
const FOR_EVER = "public, max-age=31536000, immutable";
/** The name of the medium size stands for the large one until the medium one is made. */
const FOR_NOW = "no-store";
/** Spreadsheets hold what only some may see, so no cache on the way keeps them. */
const NOT_KEPT = "private, no-store";

interface Named {
  Params: { name: string };
  Querystring: Record<string, unknown>;
}

function endedLink(): DomainError {
  return new DomainError("FORBIDDEN", "The link is not signed or has ended; read the job again for another.");
}

/**
 * Serves stored files at `/files/…`. Whoever knows the name, which nobody can guess, may see a picture; a spreadsheet needs
 * a link that the service has signed and that has not ended.
 */
export function serveFiles(
  app: FastifyInstance,
  { storage, secrets }: { readonly storage: Storage; readonly secrets: Secrets },
): void {
  const answer = async (request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> => {
    const { name } = request.params;
    const contentType = contentTypeOf(name);
    if (contentType === null) throw notFound("File");
    const etag = `"${name}"`;
    const isSheet = contentType === SHEET_TYPE;
    if (isSheet && !isGoodLink(secrets, pathOf(name), request.query, new Date())) throw endedLink();
    const headers = {
      etag,
      "cache-control": isSheet ? NOT_KEPT : FOR_EVER,
      "content-disposition": `${isSheet ? "attachment" : "inline"}; filename="${name}"`,
    };
    if (request.headers["if-none-match"]?.includes(etag) === true)
      return reply.code(304).headers(headers).send();
    const other = standInFor(name);
    const find = async <T>(look: (called: string) => Promise<T | null>): Promise<T> => {
      const found = await look(name);
      const standIn = found === null && other !== null ? await look(other) : null;
      if (found === null && standIn === null) throw notFound("File");
      if (found !== null) reply.headers(headers);
      else reply.headers({ "cache-control": FOR_NOW });
      return (found ?? standIn) as T;
    };
    if (request.method === "HEAD") {
      const length = await find((called) => storage.lengthOf(called));
      return reply.type(contentType).header("content-length", length).send();
    }
    const { stream, bytes } = await find((called) => storage.read(called));
    return reply.type(contentType).header("content-length", bytes).send(stream);
  };
  app.route<Named>({
    method: ["GET", "HEAD"],
    url: `${FILES_PATH}/:name`,
    handler: (request, reply) =>
      answer(request, reply).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name === "DomainError") throw error;
        request.log.error({ reason: String(error) }, "the store of files did not answer");
        throw unavailable("The file cannot be read now; try again.", { cause: error });
      }),
  });
}
