import closeWithGrace from "close-with-grace";
import type { Logger } from "pino";

type Closer = () => Promise<void>;

/** The process exits within 10 s of the signal and of the delay before it, whatever hangs. */
const MOST_MS = 9500;

/**
 * Closes everything that has to be closed when the process ends, in the reverse order of opening. SIGTERM and
 * SIGINT end the process with exit code 0, an uncaught error with 1.
 */
export class Shutdown {
  private readonly closers: Closer[] = [];
  private running: Promise<void> | null = null;

  /** @param drainDelayMs is added to the time that the end may take. */
  constructor(
    private readonly log: Logger,
    drainDelayMs: number,
  ) {
    closeWithGrace({ delay: drainDelayMs + MOST_MS, logger: log }, async ({ signal, err }) => {
      // Under npm, Ctrl-C arrives twice: from the terminal, and passed on by npm.
      for (const event of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        process.removeAllListeners(event);
        process.on(event, () => undefined);
      }
      if (err) log.fatal({ err }, "an error nobody caught");
      else log.info({ signal }, "stopping");
      await this.closeAll();
    });
  }

  /**
   * Adds a closer.
   *
   * @param most milliseconds after which the next closer runs, even if this one has not finished.
   */
  add(closer: Closer, most = MOST_MS): void {
    this.closers.push(() => within(most, closer()));
  }

  /** Returns whether closing has begun; later failures are expected and not reported. */
  get hasBegun(): boolean {
    return this.running !== null;
  }

  /** Runs all closers. It may be called twice. */
  closeAll(): Promise<void> {
    return (this.running ??= (async () => {
      for (const closer of this.closers.reverse()) {
        await closer().catch((err: unknown) => this.log.error({ err }, "closing failed"));
      }
    })());
  }
}

async function within(most: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, most)));
  await Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
