import { spawn } from "node:child_process";

/**
 * Makes the server end with this process, even when the process is killed: a shell waits for the end of a pipe that
 * only this process keeps open, and then asks the server for a fast shutdown.
 *
 * @returns a function that ends the watch.
 */
export function stopWithThisProcess(serverPid: number): () => void {
  const watch = spawn("/bin/sh", ["-c", 'cat >/dev/null; kill -INT "$1"', "sh", String(serverPid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  watch.on("error", () => undefined);
  watch.stdin.on("error", () => undefined);
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
  return () => {
    watch.kill("SIGKILL");
  };
}
