import type { FastifyBaseLogger } from "fastify";

type Bindings = Parameters<FastifyBaseLogger["child"]>[0];
type Child = FastifyBaseLogger["child"];

/** The log of one request. It is made when the request has something to say, since making it takes long. */
class LazyLog {
  private made: FastifyBaseLogger | undefined;

  constructor(
    private readonly parent: FastifyBaseLogger,
    private readonly bindings: Bindings,
  ) {}

  get level(): string {
    return this.own.level;
  }

  info(...said: [unknown]): void {
    this.own.info(...said);
  }

  error(...said: [unknown]): void {
    this.own.error(...said);
  }

  warn(...said: [unknown]): void {
    this.own.warn(...said);
  }

  debug(...said: [unknown]): void {
    this.own.debug(...said);
  }

  trace(...said: [unknown]): void {
    this.own.trace(...said);
  }

  fatal(...said: [unknown]): void {
    this.own.fatal(...said);
  }

  silent(...said: [unknown]): void {
    this.own.silent(...said);
  }

  child(...given: Parameters<Child>): ReturnType<Child> {
    return this.own.child(...given);
  }

  private get own(): FastifyBaseLogger {
    return (this.made ??= this.parent.child(this.bindings));
  }
}

/** Returns the log of a request, which adds the bindings to each of its lines. */
export function lazyLog(parent: FastifyBaseLogger, bindings: Bindings): FastifyBaseLogger {
  return new LazyLog(parent, bindings);
}
