import type { Socket } from "node:net";

/** So many connections stay open behind refusals at once, whether they are paused or wait for a further request. */
const MOST_OPEN = 256;

/**
 * Connections that stay open behind the refusal of a request, and of which nothing is read until the moment at which the
 * refusal asks to come again. Whoever comes again at once waits, and takes nothing from the others. If the connection were closed he
 * would open another one, which takes longer than all else about a refusal.
 */
export class PausedConnections {
  private readonly open = new Set<Socket>();
  /** Those whose end is heard of. */
  private readonly heard = new WeakSet<Socket>();

  /** Says whether a further connection may stay open. */
  get haveRoom(): boolean {
    return this.open.size < MOST_OPEN;
  }

  /** Notes that a request has come over a connection: it is no longer open for the sake of a refusal. */
  noteRequest(socket: Socket): void {
    if (this.open.size > 0) this.open.delete(socket);
  }

  /** Keeps a connection, and reads nothing of it for so long. Call it when the refusal is written. */
  pause(socket: Socket, milliseconds: number): void {
    if (socket.destroyed) return;
    this.open.add(socket);
    if (!this.heard.has(socket)) socket.once("close", () => this.open.delete(socket));
    this.heard.add(socket);
    socket.pause();
    setTimeout(() => {
      if (!socket.destroyed) socket.resume();
    }, milliseconds).unref();
  }
}
