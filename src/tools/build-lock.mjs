import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Runs `work` while no other process builds. A lock whose process is gone does not count. */
export async function withBuildLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  while (!acquire(path)) await sleep(50);
  process.once("exit", () => rmSync(path, { force: true }));
  await work();
}

function acquire(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
    if (!isAlive(Number(readOwner(path)))) rmSync(path, { force: true });
    return false;
  }
}

function readOwner(path) {
  try {
    return readFileSync(path, "utf8") || process.pid;
  } catch {
    return process.pid;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
