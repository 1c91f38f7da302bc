import { LRUCache } from "lru-cache";
import { freshFor } from "./cache-room.js";

interface Room {
  /** The most values that are remembered. */
  readonly most: number;
  readonly maxAgeMs: number;
}

/**
 * Values that were read, remembered for some seconds. Whoever asks for one that is being read waits for that read: however many
 * come when it has just grown too old, the database is asked once.
 */
export class Remembered<Key extends string | number, Value extends object | true> {
  private readonly known: LRUCache<Key, Value>;
  private readonly reads = new Map<Key, Promise<Value | null>>();

  constructor({ most, maxAgeMs }: Room) {
    this.known = new LRUCache({ max: most, ...freshFor(maxAgeMs) });
  }

  get size(): number {
    return this.known.size;
  }

  /** Returns a value without reading it. */
  get(key: Key): Value | undefined {
    return this.known.get(key);
  }

  /** Returns a value that is remembered, else the read of it; nothing is not remembered. */
  find(key: Key, read: () => Promise<Value | null>): Value | Promise<Value | null> {
    return this.known.get(key) ?? this.reads.get(key) ?? this.read(key, read);
  }

  /** Forgets a value, also one that is being read now: it may be the one before a change. */
  forget(key: Key): void {
    this.known.delete(key);
    this.reads.delete(key);
  }

  /** Forgets the values of some keys. */
  forgetWhere(isForgotten: (key: Key) => boolean): void {
    for (const keys of [this.known.keys(), this.reads.keys()])
      for (const key of keys) if (isForgotten(key)) this.forget(key);
  }

  private read(key: Key, read: () => Promise<Value | null>): Promise<Value | null> {
    // It is as old as its read: what was committed since then is not in it.
    const start = performance.now();
    const reading = read().then(
      (value) => {
        if (this.isOver(key, reading) && value !== null) this.known.set(key, value, { start });
        return value;
      },
      (error: unknown) => {
        this.isOver(key, reading);
        throw error;
      },
    );
    this.reads.set(key, reading);
    return reading;
  }

  /** Ends a read. @returns whether its value has not been forgotten in the meantime. */
  private isOver(key: Key, reading: Promise<Value | null>): boolean {
    return this.reads.get(key) === reading && this.reads.delete(key);
  }
}
