import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound, unavailable } from "../../core/errors/domain-error.js";
import { FILES_PATH } from "../../engine/storage/file-store.js";
import type { Storage } from "../../engine/storage/storage.js";
import { contentTypeOf, SHEET_TYPE, standInFor } from "../../engine/storage/stored-name.js";

/** A name always stands for the same bytes. */
const FOR_EVER = "public, max-age=31536000, immutable";
/** Until the medium size is made, its name stands for the large one. */
const FOR_NOW = "no-store";
/** Spreadsheets hold what only some may see, so no cache on the way keeps them. */
const NOT_KEPT = "private, no-store";

interface Named {
  Params: { name: string };
}

/** Serves stored files at `/files/…`. Whoever knows the name, which nobody can guess, may read the file. */
export function serveFiles(app: FastifyInstance, storage: Storage): void {
  const answer = async (request: FastifyRequest<Named>, reply: FastifyReply): Promise<FastifyReply> => {
    const { name } = request.params;
    const contentType = contentTypeOf(name);
    if (contentType === null) throw notFound("File");
    const etag = `"${name}"`;
    const isSheet = contentType === SHEET_TYPE;
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
