import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { getNamedType, isInputObjectType, isRequiredInputField, type GraphQLInputObjectType } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import { fileTooLarge, Upload } from "../../core/files/upload.js";
import { assertWithinValueBounds } from "../../engine/limits/value-bounds.js";
import { MULTIPART_TYPE, readMultipart } from "../http/multipart-body.js";
import { bodyOfParts } from "./multipart-values.js";

/** Reads multipart bodies for the routes whose input has files; whoever is refused by the path alone has been before. */
export function readUploads(app: FastifyInstance): void {
  app.addContentTypeParser(MULTIPART_TYPE, (request: FastifyRequest, payload: Readable) =>
    read(request, payload),
  );
  app.addContentTypeParser("*", (request: FastifyRequest) => Promise.reject(wrongType(request)));
}

/** Refuses a body of a type that the route does not take. */
function wrongType({ rest }: FastifyRequest): DomainError {
  const input = rest?.handler.route.variables.get("input");
  const type = input === undefined ? undefined : getNamedType(input);
  const files = isInputObjectType(type)
    ? Object.values(type.getFields()).filter((field) => getNamedType(field.type).name === Upload.name)
    : [];
  const types = [
    ...(files.some((field) => isRequiredInputField(field)) ? [] : ["application/json"]),
    ...(files.length > 0 ? [MULTIPART_TYPE] : []),
  ];
  return new DomainError("UNSUPPORTED_MEDIA_TYPE", `Send ${types.join(" or ")}.`);
}

async function read(request: FastifyRequest, payload: Readable): Promise<object> {
  const route = request.rest?.handler.route;
  const input = route?.variables.get("input");
  if (route === undefined || input === undefined || route.uploads.size === 0) throw wrongType(request);
  const { uploads } = route;
  const sizes = [...uploads.values()].map(({ maxKiB }) => maxKiB * 1024);
  const parts = await readMultipart(request, payload, {
    maxBytes: sizes.reduce((sum, bytes) => sum + bytes, 0),
    wants: (name) => {
      const rule = uploads.get(name);
      const bounds =
        rule === undefined
          ? null
          : { maxBytes: rule.maxKiB * 1024, tooLarge: () => fileTooLarge(name, rule.maxKiB) };
      return Promise.resolve(bounds);
    },
  });
  const body = bodyOfParts(parts, getNamedType(input) as GraphQLInputObjectType);
  assertWithinValueBounds(body, "body");
  return body;
}
