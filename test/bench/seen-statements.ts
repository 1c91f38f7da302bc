import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A statement with its values, as they went over the wire; a value is `null` for NULL. */
export interface SeenStatement {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** Which plan a session keeps says nothing of the work. */
const CHOICE_OF_PLAN = "plan_cache_mode";

/**
 * Stands between a client and PostgreSQL, and notes the statements that the client runs, in their order: by messages of the
 * extended protocol, or as single texts.
 */
export class SeenStatements {
  private seen: SeenStatement[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    /** The database by way of this watcher. */
    readonly url: string,
  ) {}

  static async before(database: string): Promise<SeenStatements> {
    const url = new URL(database);
    const target = { host: url.hostname, port: Number(url.port) };
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url.hostname = "127.0.0.1";
    url.port = String((server.address() as AddressInfo).port);
    const watcher = new SeenStatements(server, url.href);
    server.on("connection", (client) => watcher.pass(client, connect(target)));
    return watcher;
  }

  /** Returns what was seen since the last call. */
  take(): SeenStatement[] {
    const { seen } = this;
    this.seen = [];
    return seen.filter(({ text }) => !text.includes(CHOICE_OF_PLAN));
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, "close");
  }

  private pass(client: Socket, database: Socket): void {
    const messages = new FrontendMessages((statement) => void this.seen.push(statement));
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(from);
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => this.sockets.delete(from));
    }
    client.on("data", (chunk) => messages.take(chunk));
  }
}

const LENGTH_BYTES = 4;

/** Reads what a client sends: after the first message, each begins with a letter for its kind and its length. */
class FrontendMessages {
  private bytes = Buffer.alloc(0);
  private hasBegun = false;
  private readonly texts = new Map<string, string>();

  constructor(private readonly note: (statement: SeenStatement) => void) {}

  take(chunk: Buffer): void {
    this.bytes = Buffer.concat([this.bytes, chunk]);
    for (;;) {
      const kindBytes = this.hasBegun ? 1 : 0;
      if (this.bytes.length < kindBytes + LENGTH_BYTES) return;
      const end = kindBytes + this.bytes.readInt32BE(kindBytes);
      if (this.bytes.length < end) return;
      const body = this.bytes.subarray(kindBytes + LENGTH_BYTES, end);
      if (this.hasBegun) this.read(String.fromCharCode(this.bytes[0] as number), body);
      this.hasBegun = true;
      this.bytes = this.bytes.subarray(end);
    }
  }

  private read(kind: string, body: Buffer): void {
    const fields = new Fields(body);
    if (kind === "P") this.texts.set(fields.text(), fields.text());
    else if (kind === "Q") this.note({ text: fields.text(), values: [] });
    else if (kind === "B") {
      fields.text();
      const text = this.texts.get(fields.text()) ?? "";
      for (let formats = fields.count(); formats > 0; formats -= 1) fields.count();
      this.note({ text, values: Array.from({ length: fields.count() }, () => fields.value()) });
    }
  }
}

/** The fields of a message, from the first to the last. */
class Fields {
  private at = 0;

  constructor(private readonly body: Buffer) {}

  /** A text that ends with a zero. */
  text(): string {
    const end = this.body.indexOf(0, this.at);
    const text = this.body.toString("utf8", this.at, end);
    this.at = end + 1;
    return text;
  }

  count(): number {
    this.at += 2;
    return this.body.readInt16BE(this.at - 2);
  }

  value(): string | null {
    const length = this.body.readInt32BE(this.at);
    this.at += LENGTH_BYTES;
    if (length < 0) return null;
    this.at += length;
    return this.body.toString("utf8", this.at - length, this.at);
  }
}
