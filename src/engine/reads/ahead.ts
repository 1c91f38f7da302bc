import { UNNAMED } from "./statement-names.js";

/** A statement that travels in the packet of another one, before it, and whose answer nobody needs. If it fails, so does the other one. */
export interface Ahead {
  /** Connections prepare it under this name; `""` leaves it unprepared. */
  readonly name: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly ended?: Ended;
}

/** Is told how a statement ended that was sent ahead: with `null`, or with why it failed. */
export type Ended = (error: Error | null) => void;

/** Waits for such a statement that runs by itself after all, and tells how it has ended. */
export async function telling(ended: Ended | undefined, running: Promise<unknown>): Promise<void> {
  try {
    await running;
  } catch (error) {
    ended?.(error as Error);
    throw error;
  }
  ended?.(null);
}

/** The part of a connection of `pg` that sends messages. */
interface Connection {
  readonly parsedStatements: Record<string, string | undefined>;
  parse(message: { name: string; text: string }): void;
  bind(message: {
    statement: string;
    values?: readonly unknown[];
    valueMapper: (value: unknown) => string | null;
  }): void;
  execute(message?: undefined): void;
}

/**
 * Sends the messages of statements. Each is answered by its rows and the end of a command, before the statement behind
 * them. Whoever sends them has the connection remember which of them are parsed.
 */
export function sendAhead(connection: object, statements: readonly Ahead[]): void {
  const { parsedStatements } = connection as Connection;
  const sent = new Set<string>();
  for (const { name, text, values } of statements) {
    const isParsed = name !== UNNAMED && (parsedStatements[name] !== undefined || sent.has(name));
    if (!isParsed) (connection as Connection).parse({ name, text });
    sent.add(name);
    (connection as Connection).bind({
      statement: name,
      valueMapper: textOf,
      ...(values !== undefined && { values }),
    });
    (connection as Connection).execute();
  }
}

/** Returns a value as the text that is bound. */
export function textOf(value: unknown): string | null {
  return value === null ? null : (String as (value: unknown) => string)(value);
}

/** Remembers that the connection has prepared a statement that was sent ahead. */
export function wasAhead(connection: object, { name, text }: Ahead): void {
  if (name !== UNNAMED) (connection as Connection).parsedStatements[name] ??= text;
}
