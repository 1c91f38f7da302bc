import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const ROOMY_BYTES = 4 * 2 ** 30;

/**
 * Returns a folder in memory where there is plenty of it: each clone of a database has 700 files, which takes a
 * disk half a second.
 */
export async function roomyFolder() {
  const memory = "/dev/shm";
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return free > ROOMY_BYTES ? memory : tmpdir();
}
