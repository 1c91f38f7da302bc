import { LRUCache } from "lru-cache";
import { roomFor } from "../../core/cache-room.js";
import type { Db } from "../../core/db/db.js";
import { noteKeyUse } from "./api-key-use.sql.js";

/** A process notes the uses of a key so often at most. */
const PAUSE_MS = 60_000;
const MOST_KEYS = 10_000;

interface UsedKey {
  readonly id: number;
  readonly companyId: number;
}

/** Notes when keys were used last, once a minute for each at most. Nobody waits for it. */
export class KeyUses {
  private readonly noted = new LRUCache<string, true>({ ...roomFor(MOST_KEYS), ttl: PAUSE_MS });

  constructor(
    private readonly client: Db,
    private readonly onError: (error: unknown) => void,
  ) {}

  note(key: UsedKey): void {
    const name = `${key.companyId}:${key.id}`;
    if (this.noted.has(name)) return;
    this.noted.set(name, true);
    noteKeyUse(this.client, key).catch(this.onError);
  }
}
