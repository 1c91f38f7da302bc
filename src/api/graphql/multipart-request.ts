import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isInputObjectType, type GraphQLSchema } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import type { PictureRule } from "../../core/files/picture-rule.js";
import { fileTooLarge } from "../../core/files/upload.js";
import { assertWithinValueBounds } from "../../engine/limits/value-bounds.js";
import { MULTIPART_TYPE, readMultipart, type Parts } from "../http/multipart-body.js";

/** The places in the variables that the files of a request may stand in. */
const MOST_PLACES = 20;

interface MultipartOptions {
  readonly schema: GraphQLSchema;
  /** Headers of which one has to be there, since browsers send forms to other origins without asking. */
  readonly preflightHeaders: readonly string[];
  /** Whether the caller may run what the body asks for; otherwise no file is kept. */
  readonly mayRun: (request: FastifyRequest, body: unknown) => Promise<boolean>;
}

/** Reads bodies of the GraphQL multipart request specification: `operations`, `map`, then the files. */
export function readMultipartRequests(app: FastifyInstance, options: MultipartOptions): void {
  const maxKiB = largestUpload(options.schema);
  const bounds = { maxBytes: maxKiB * 1024, tooLarge: () => fileTooLarge("variables", maxKiB) };

  const read = async (request: FastifyRequest, payload: Readable): Promise<object> => {
    if (!options.preflightHeaders.some((name) => name in request.headers)) {
      const headers = options.preflightHeaders.join(", ");
      throw new DomainError("BAD_REQUEST", `Send a multipart request with one of these headers: ${headers}.`);
    }
    let asked:
      Promise<{ body: object; map: ReadonlyMap<string, readonly string[]>; mayRun: boolean }> | undefined;
    const understand = async (fields: Parts["fields"]) => {
      const { body, map } = readFields(fields);
      return { body, map, mayRun: await options.mayRun(request, body) };
    };
    const { fields, files } = await readMultipart(request, payload, {
      maxBytes: MOST_PLACES * bounds.maxBytes,
      wants: async (name, before) => {
        const { map, mayRun } = await (asked ??= understand(before));
        return mayRun && map.has(name) ? bounds : null;
      },
    });
    const { body, map } = await (asked ?? understand(fields));
    for (const [name, places] of map) {
      const file = files.get(name);
      if (file === undefined) throw wrongMap(`has no file ${JSON.stringify(name)}`);
      for (const place of places) put(body, place, file);
    }
    return body;
  };
  app.addContentTypeParser(MULTIPART_TYPE, read);
}

function readFields(fields: Parts["fields"]): { body: object; map: Map<string, string[]> } {
  const given = new Map(fields);
  const body = parsed("operations", given.get("operations"));
  const map = new Map(Object.entries(parsed("map", given.get("map"))));
  const places = [...map.values()];
  const isMap = places.every(
    (paths) => Array.isArray(paths) && paths.every((path) => typeof path === "string"),
  );
  if (!isMap || places.flat().length > MOST_PLACES)
    throw wrongMap(`must name at most ${MOST_PLACES} places, as arrays of texts`);
  assertWithinValueBounds(body, "body");
  return { body, map: map as Map<string, string[]> };
}

function parsed(name: string, text: string | undefined): object {
  try {
    const value = JSON.parse(text ?? "") as unknown;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // It is refused below.
  }
  throw new DomainError("BAD_REQUEST", `Send ${name} before the files, as a JSON object.`);
}

/** Puts a file in its place, where null has to stand. */
function put(body: object, place: string, file: object): void {
  const keys = place.split(".");
  const last = keys.pop() as string;
  let target: unknown = body;
  for (const key of keys) target = ownValue(target, key);
  if (keys[0] !== "variables" || ownValue(target, last) !== null)
    throw wrongMap(`names ${JSON.stringify(place)}, where there is no null among the variables`);
  (target as Record<string, unknown>)[last] = file;
}

function ownValue(target: unknown, key: string): unknown {
  return typeof target === "object" && target !== null && Object.hasOwn(target, key)
    ? (target as Record<string, unknown>)[key]
    : undefined;
}

function wrongMap(message: string): DomainError {
  return new DomainError("BAD_REQUEST", `The map of the files ${message}.`);
}

/** Returns how many KiB the largest file may have that any input takes. */
function largestUpload(schema: GraphQLSchema): number {
  const sizes = Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()))
    .map(
      ({ extensions }) =>
        (extensions["jsonSchema"] as { picture?: PictureRule } | undefined)?.picture?.maxKiB,
    );
  return Math.max(0, ...sizes.filter((size) => size !== undefined));
}
