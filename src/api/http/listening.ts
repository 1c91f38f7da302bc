import { createServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { OperatorError } from "../../core/errors/operator-error.js";

/** The address that the process has to listen on. */
export interface ListenAddress {
  readonly host: string;
  /** With 0 the operating system chooses the port. */
  readonly port: number;
  /** The variable that sets the port; by default `PORT`. */
  readonly variable?: string;
}

/** The address cannot be listened on. The message names the variables to correct. */
export class ListenError extends OperatorError {
  override readonly name = "ListenError";
}

/**
 * Listens on the address for a moment, so that nothing is started for a service that nobody could reach.
 *
 * @throws ListenError
 */
export async function assertCanListen(address: ListenAddress): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: address.host, port: address.port, exclusive: true }, resolve);
  }).catch((error: Error) => Promise.reject(notListening(error, address)));
  await new Promise((resolve) => server.close(resolve));
}

/**
 * The number of connections that may wait to be accepted. The system drops what comes beyond, and callers try again a
 * second later; accepted, a request that is too much is refused within milliseconds.
 */
export const BACKLOG = 4096;

/**
 * Listens on the address.
 *
 * @throws ListenError also when another process listens on the port in the meantime.
 */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<void> {
  await app
    .listen({ host, port, backlog: BACKLOG })
    .catch((error: Error) => Promise.reject(notListening(error, { host, port })));
}

/** Says why an address cannot be listened on. */
export function notListening(
  error: NodeJS.ErrnoException,
  { host, port, variable = "PORT" }: ListenAddress,
): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new ListenError(
        `Port ${port} on ${host} is in use: stop what listens there, or set ${variable}.`,
      );
    case "EACCES":
    case "EPERM":
      return new ListenError(`Port ${port} on ${host} is not permitted: set ${variable} to 1024 or higher.`);
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
      return new ListenError(
        `${host} is no address of this machine: set HOST, such as 127.0.0.1 or 0.0.0.0.`,
      );
    default:
      return error;
  }
}
