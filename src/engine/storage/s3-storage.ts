import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { S3ServiceException } from "@aws-sdk/client-s3";
import type { Storage } from "./storage.js";

const CONNECTION_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 5_000;
const MOST_ATTEMPTS = 2;

/** The place of a bucket, and who the service is there. */
export interface Bucket {
  readonly name: string;
  /** The address of the store; `null` is Amazon's own. */
  readonly endpoint: string | null;
  readonly region: string;
  /** `null` looks for credentials where the AWS SDK does: variables, files, the machine's role. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** The address under which everybody can read the files; `null` means that the service serves them. */
  readonly publicUrl: string | null;
}

/** Keeps files in a bucket of an S3-compatible store. */
export async function s3Storage({ name: Bucket, publicUrl, ...where }: Bucket): Promise<Storage> {
  // The package takes a while to load, and few need it.
  const { S3Client, PutObjectCommand, HeadObjectCommand, GetObjectCommand, DeleteObjectCommand } =
    await import("@aws-sdk/client-s3");
  const client = new S3Client({
    region: where.region,
    // A store of one's own seldom has a host name for each bucket.
    ...(where.endpoint !== null && { endpoint: where.endpoint, forcePathStyle: true }),
    ...(where.credentials !== null && { credentials: where.credentials }),
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
    // Many stores do not know the checksums that the SDK would add.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });

  return {
    put: async (Key, bytes, ContentType) => {
      const body = Buffer.isBuffer(bytes)
        ? { Body: bytes }
        : { Body: createReadStream(bytes.path), ContentLength: bytes.bytes };
      await client.send(new PutObjectCommand({ Bucket, Key, ContentType, ...body }));
    },
    lengthOf: (Key) =>
      orNull(
        client.send(new HeadObjectCommand({ Bucket, Key })).then(({ ContentLength = 0 }) => ContentLength),
      ),
    read: (Key) =>
      orNull(
        client
          .send(new GetObjectCommand({ Bucket, Key }))
          .then(({ Body, ContentLength = 0 }) => ({ stream: Body as Readable, bytes: ContentLength })),
      ),
    delete: async (Key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key }));
    },
    urlOf: (name) => (publicUrl === null ? null : `${publicUrl}/${name}`),
    close: () => client.destroy(),
  };
}

function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: S3ServiceException) => {
    if (error.name === "NoSuchKey" || error.name === "NotFound") return null;
    throw error;
  });
}
