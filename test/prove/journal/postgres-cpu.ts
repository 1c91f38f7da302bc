import { readdirSync, readFileSync } from "node:fs";
import type { Pool } from "pg";
import { cpuMsOf } from "../../bench/processes.js";

/** Returns what tells the processor time of all processes of PostgreSQL so far, in milliseconds. */
export async function postgresCpu(pool: Pool): Promise<() => number> {
  const { rows } = await pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const postmaster = parentOf(rows[0]?.pid as number);
  return () => {
    const children = readdirSync("/proc").filter(
      (name) => /^\d+$/u.test(name) && parentOf(Number(name)) === postmaster,
    );
    return [postmaster, ...children.map(Number)].reduce((sum, pid) => sum + cpuMsOf(pid), 0);
  };
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[2]);
  } catch {
    return 0;
  }
}
