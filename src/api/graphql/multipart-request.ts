import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { getNamedType, isInputObjectType, type GraphQLInputField, type GraphQLSchema } from "graphql";
import { processRequest, type Upload } from "graphql-upload-minimal";
import { DomainError } from "../../core/errors/domain-error.js";
import { fileRuleOf } from "../../core/files/file-rule.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { fileTooLarge, UploadedFile } from "../../core/files/upload.js";
import {
  assertNotEncoded,
  MOST_FIELD_BYTES,
  MULTIPART_TYPE,
  refusalOf,
  tooMuch,
} from "../http/multipart-body.js";
import { MOST_PLACES, MultipartForm, put, valueAt, wrongMap } from "./multipart-form.js";

interface MultipartOptions {
  readonly schema: GraphQLSchema;
  /** Headers of which one has to be there, since browsers send forms to other origins without asking. */
  readonly preflightHeaders: readonly string[];
  /** Returns whether the caller may run what the body asks for; otherwise no file is kept. */
  readonly mayRun: (request: FastifyRequest, body: unknown) => Promise<boolean>;
}

/** Reads bodies of the GraphQL multipart request specification: `operations`, `map`, then the files. */
export function readMultipartRequests(app: FastifyInstance, options: MultipartOptions): void {
  const maxKiB = largestUpload(options.schema);
  const boundsOf = (body: unknown, path: string): { maxBytes: number; tooLarge: () => Error } => {
    const most = Math.min(maxKiB, mostOfPlace(options.schema, body, path) ?? maxKiB);
    return { maxBytes: most * 1024, tooLarge: () => fileTooLarge(path || "variables", most) };
  };

  const read = async (request: FastifyRequest, payload: Readable): Promise<object> => {
    if (!options.preflightHeaders.some((name) => name in request.headers)) {
      const headers = options.preflightHeaders.join(", ");
      throw new DomainError("BAD_REQUEST", `Send a multipart request with one of these headers: ${headers}.`);
    }
    assertNotEncoded(request);
    const { spool } = request.server;
    const form = new MultipartForm(payload, request.headers, MOST_PLACES * maxKiB * 1024);
    request.stopReading = form.fail;
    const kept: UploadedFile[] = [];
    let spooling: Promise<void>[] = [];
    const received = async (
      name: string,
      upload: Upload,
      bounds: { maxBytes: number; tooLarge: () => Error } | null,
    ): Promise<UploadedFile> => {
      const { createReadStream, filename } = await upload.promise.catch((error: unknown) => {
        throw isMissing(error) ? wrongMap(`has no file ${JSON.stringify(name)}`) : error;
      });
      if (bounds === null) {
        createReadStream().resume();
        return new UploadedFile("", 0, "");
      }
      const file = await spool.write(createReadStream(), bounds, filename);
      kept.push(file);
      return file;
    };

    const refuse = (error: unknown): never => {
      throw refusalOfReader(request, error);
    };

    try {
      const body = await bodyOf(form).catch(refuse);
      const uploads = [...form.places].map(
        ([name, [path = ""]]) => [name, valueAt(body, path) as Upload] as const,
      );
      for (const path of [...form.places.values()].flat()) put(body, path, null);
      const mayRun = await options.mayRun(request, body);
      // All wait at once, since the files may come in any order.
      spooling = uploads.map(async ([name, upload]) => {
        const places = form.places.get(name) ?? [];
        const file = await received(name, upload, mayRun ? boundsOf(body, places[0] ?? "") : null);
        for (const path of places) put(body, path, file);
      });
      await Promise.all([form.isRead, ...spooling]).catch(refuse);
      request.uploads = kept;
      return body;
    } catch (error) {
      form.stop();
      await Promise.allSettled(spooling);
      await spool.remove(kept);
      throw error;
    }
  };
  app.addContentTypeParser(MULTIPART_TYPE, read);
}

/** Returns what the reader, the form or the spool refuses. */
function refusalOfReader(request: FastifyRequest, error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const { status, message } = error as { status?: number; message: string };
  if (status === 400) return new DomainError("BAD_REQUEST", message);
  return status === 413 ? tooMuch(message) : refusalOf(request, error);
}

/** Returns whether the body had all its parts, and this file was none of them. */
function isMissing(error: unknown): boolean {
  return (error as { status?: number }).status === 400;
}

/** Reads as far as the files begin. The reader never answers when the form refuses a part, so both are heard. */
function bodyOf(form: MultipartForm): Promise<object> {
  const options = { maxFieldSize: MOST_FIELD_BYTES, maxFiles: MOST_PLACES };
  // The reader uses no more of a request than the form has, and a response not at all.
  const body = processRequest(form as unknown as IncomingMessage, {} as ServerResponse, options);
  return Promise.race([body, form.isRead.then(() => body)]);
}

/**
 * Returns how many KiB a file may have at a place of the variables, by the field that stands there; `null` when the body
 * does not say, such as one whose document is known by its hash.
 */
function mostOfPlace(schema: GraphQLSchema, body: unknown, path: string): number | null {
  const { query } = body as { query?: unknown };
  if (typeof query !== "string") return null;
  const [, given = "", ...keys] = path.split(".");
  const variable = given.replace(/\W/gu, "");
  if (keys.length === 0) return mostOfFields(schema, fieldsWith(query, variable));
  const named = new RegExp(`\\$${variable}\\s*:\\s*(\\w+)`, "u").exec(query)?.[1];
  let type: unknown = named === undefined ? undefined : schema.getType(named);
  let most: number | null = null;
  for (const key of keys) {
    if (!isInputObjectType(type)) return null;
    const field = type.getFields()[key];
    if (field === undefined) return null;
    most = mostOf(field);
    type = getNamedType(field.type);
  }
  return most;
}

/** A name is looked for at its begin alone, and no further: in a long word the search would else begin anew at each letter. */
const NAME = String.raw`\b(\w{1,200})`;

/** Returns the names of the fields in which a document puts a variable. */
function fieldsWith(query: string, variable: string): ReadonlySet<string> {
  const places = query.matchAll(new RegExp(`${NAME}\\s*:\\s*\\$${variable}\\b`, "gu"));
  return new Set(Array.from(places, ([, name = ""]) => name));
}

/** Returns how many KiB the largest file may have that any input takes in a field of these names; `null` when none does. */
function mostOfFields(schema: GraphQLSchema, names: ReadonlySet<string>): number | null {
  const sizes = inputFields(schema)
    .filter(({ name }) => names.has(name))
    .flatMap((field) => mostOf(field) ?? []);
  return sizes.length === 0 ? null : Math.max(...sizes);
}

/** Returns how many KiB the largest file may have that any input takes. */
function largestUpload(schema: GraphQLSchema): number {
  return Math.max(0, ...inputFields(schema).flatMap((field) => mostOf(field) ?? []));
}

function inputFields(schema: GraphQLSchema): readonly GraphQLInputField[] {
  return Object.values(schema.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((type) => Object.values(type.getFields()));
}

function mostOf({ extensions }: GraphQLInputField): number | null {
  return fileRuleOf(extensions["jsonSchema"] as JsonSchema | undefined)?.maxKiB ?? null;
}
