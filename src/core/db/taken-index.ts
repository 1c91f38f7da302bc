/** The code of an error of `Db` about a row whose unique values another one has. */
const TAKEN = "P2002";

interface Taken {
  readonly code?: unknown;
  readonly meta?: {
    readonly driverAdapterError?: { readonly cause?: { readonly constraint?: { readonly index?: string } } };
  };
}

/**
 * Returns the name of the unique index in which another row has the values already, an empty one where the error of `Db` does not
 * name it; `null` for any other error.
 */
export function takenIndex(error: unknown): string | null {
  if (!(error instanceof Error) || (error as Taken).code !== TAKEN) return null;
  return (error as Taken).meta?.driverAdapterError?.cause?.constraint?.index ?? "";
}
