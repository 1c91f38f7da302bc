import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import S3rver from "s3rver";
import type { Client, Gateway, GraphqlResult, RestResult } from "../support/gateway.js";

/** A file part, with the name and type that its sender claims. */
export interface FilePart {
  readonly bytes: Buffer;
  readonly name?: string;
  readonly type?: string;
}

export type FormParts = Record<string, string | FilePart>;

export const UPLOAD_AVATAR = `mutation ($companyId: Int!, $id: Int!, $input: UploadAdminAvatarInput!) {
  uploadAdminAvatar(companyId: $companyId, adminId: $id, input: $input) { id avatarUrl avatarSmallUrl }
}`;

export function avatarPath(companyId: number, adminId: number): string {
  return `/companies/${companyId}/admins/${adminId}/upload-avatar`;
}

/** Sends a form over REST. */
export async function sendForm(
  gateway: Gateway,
  client: Client,
  path: string,
  parts: FormParts,
  { headers = {}, method = "POST" }: { headers?: Record<string, string>; method?: "POST" | "PATCH" } = {},
): Promise<RestResult> {
  const form = await formOf(parts);
  const response = await gateway.app.inject({
    method,
    url: `/api${path}`,
    headers: { ...authorization(client), ...form.headers, ...headers },
    payload: form.payload,
  });
  return { status: response.statusCode, body: response.json<unknown>(), headers: response.headers };
}

/** Sends a document with one file by the GraphQL multipart request specification. */
export async function sendGraphqlForm(
  gateway: Gateway,
  client: Client,
  parts: FormParts,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: GraphqlResult }> {
  const form = await formOf(parts);
  const response = await gateway.app.inject({
    method: "POST",
    url: "/graphql",
    headers: { ...authorization(client), ...form.headers, ...headers },
    payload: form.payload,
  });
  return { status: response.statusCode, body: response.json<GraphqlResult>() };
}

/** The parts that upload an avatar over GraphQL. */
export function avatarParts(companyId: number, id: number, file: FilePart): FormParts {
  const variables = { companyId, id, input: { avatar: null } };
  return {
    operations: JSON.stringify({ query: UPLOAD_AVATAR, variables }),
    map: JSON.stringify({ file: ["variables.input.avatar"] }),
    file,
  };
}

export async function formOf(
  parts: FormParts,
): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === "string") form.append(name, part);
    else {
      const { bytes, name: filename = "picture.png", type = "image/png" } = part;
      form.append(name, new Blob([new Uint8Array(bytes)], { type }), filename);
    }
  }
  const response = new Response(form);
  const contentType = response.headers.get("content-type") as string;
  return { payload: Buffer.from(await response.arrayBuffer()), headers: { "content-type": contentType } };
}

function authorization({ token }: Client): Record<string, string> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** A store for one test file. */
export interface TestStore {
  readonly url: string;
  /** The names of the files that are there, those of unfinished attempts too. */
  names(): Promise<string[]>;
  empty(): Promise<void>;
  close(): Promise<void>;
}

export async function localStore(): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), "commerce-store-"));
  return {
    url: pathToFileURL(directory).href,
    names: async () => (await readdir(directory).catch(() => [])).sort(),
    empty: async () => {
      for (const name of await readdir(directory)) await rm(join(directory, name));
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A server that speaks S3, on a free port. */
export async function s3Store(): Promise<TestStore> {
  const directory = await mkdtemp(join(tmpdir(), "commerce-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: "files" }],
  });
  const { port } = await server.run();
  return {
    url: `s3://S3RVER:S3RVER@files?endpoint=http://127.0.0.1:${port}`,
    names: async () => {
      const names = await readdir(join(directory, "files"), { recursive: true });
      return names.flatMap((name) => /^(.*)\._S3rver_object$/u.exec(name)?.[1] ?? []).sort();
    },
    empty: () => rm(join(directory, "files"), { recursive: true, force: true }),
    close: async () => {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Lets an hour pass for files that nobody has, and does the jobs. */
export async function removeFiles(gateway: Gateway, companyId: number): Promise<void> {
  await gateway.db.storedFile.updateMany({
    where: { companyId, state: { not: "used" } },
    data: { since: new Date(Date.now() - 2 * 3_600_000) },
  });
  await gateway.db.$queryRaw`SELECT id FROM graphile_worker.add_job('removeFiles')`;
  await gateway.runJobs();
}

/** The states of the company's files, sorted. */
export async function fileStates(gateway: Gateway, companyId: number): Promise<string[]> {
  const files = await gateway.db.storedFile.findMany({ where: { companyId } });
  return files.map(({ state }) => state).sort();
}
