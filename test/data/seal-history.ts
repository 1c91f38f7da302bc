import { execFileSync } from "node:child_process";
import { parseSeals, SEALS, type Seal } from "../../src/engine/migrations/seals.js";

/**
 * Returns all seals that the commits of the main branch ever had, as far as the clone goes back: who edits a migration
 * together with its seal, or removes both, cannot edit these. A shallow clone has fewer; without git there is none.
 *
 * @param folder is the path of the migrations from the root of the repository.
 */
export function mergedSeals(repository: string, folder = "prisma/migrations"): Seal[] {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: repository, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const tried = (...args: string[]): string | null => {
    try {
      return git(...args).trim();
    } catch {
      return null;
    }
  };
  const head = tried("rev-parse", "--verify", "HEAD");
  if (head === null) return [];
  // On a branch, only what it has of the main branch is merged: its own commits may still change.
  const from =
    ["origin/main", "main"].map((main) => tried("merge-base", "HEAD", main)).find((base) => base !== null) ??
    head;
  const path = `${folder}/${SEALS}`;
  const commits = git("log", "--first-parent", "--format=%H", from, "--", path).split("\n").filter(Boolean);
  return commits.flatMap((commit) => parseSeals(tried("show", `${commit}:${path}`) ?? ""));
}
