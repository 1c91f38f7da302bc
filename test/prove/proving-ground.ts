import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";

/** Where a proof is made: an embedded PostgreSQL with all tables and no rows, and a folder that nobody else has. */
export class ProvingGround {
  private constructor(
    /** The URL of the owner of the tables. */
    readonly url: string,
    readonly directory: string,
    readonly database: Database,
    private readonly stop: () => Promise<void>,
  ) {}

  /** @param name is part of the folder's name. */
  static async start(
    name: string,
    { durable = true, folder, ...connections }: ProvingGroundOptions = {},
  ): Promise<ProvingGround> {
    const directory = folder ?? (await mkdtemp(join(tmpdir(), `commerce-${name}-`)));
    await mkdir(directory, { recursive: true });
    const remove = async (): Promise<void> => {
      if (folder === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    };
    try {
      const { url, stop } = await startEmbeddedPostgres({ directory: join(directory, "postgres"), durable });
      const stopAll = () => stop().finally(remove);
      try {
        await applyMigrations(url);
        const database = await createDatabase({ url, poolSize: 4, ...connections });
        return new ProvingGround(url, directory, database, stopAll);
      } catch (error) {
        await stopAll();
        throw error;
      }
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** Makes the proof and removes the ground. The exit code of the process is 1 unless it holds. */
  async judge(prove: () => Promise<boolean>): Promise<void> {
    try {
      process.exitCode = (await prove()) ? 0 : 1;
    } finally {
      await this.database.close().finally(this.stop);
    }
  }
}

interface ProvingGroundOptions {
  /** With `false`, writes are faster and are lost in a crash. */
  readonly durable?: boolean;
  /** A folder that stays, with the rows of its database; what an earlier proof has left there is found again. */
  readonly folder?: string | undefined;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
}
