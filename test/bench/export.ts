import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { startProductionService } from "./processes.js";
import { SECRET } from "./secret.js";

/**
 * Reads all codes of a coupon as CSV, and returns how long that took and how much memory the server needed for it.
 */
export async function measureExport(
  url: string,
  { companyId, id }: { companyId: number; id: number },
): Promise<void> {
  const server = await startProductionService(url, { JOBS: "off" });
  try {
    const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
    const begin = performance.now();
    const response = await fetch(`${server.url}/api/companies/${companyId}/coupons/${id}/codes?format=csv`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const memory: number[] = [];
    let lines = 0;
    for await (const chunk of response.body ?? []) {
      lines +=
        Buffer.from(chunk as Uint8Array)
          .toString("latin1")
          .split("\n").length - 1;
      memory.push(server.rssMb);
    }
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const tenth = Math.floor(memory.length / 10);
    const peak = (part: number[]) => Math.max(...part);
    console.log(
      `export: ${lines - 1} codes in ${seconds} s; resident memory at most ${peak(memory.slice(tenth, 2 * tenth))} MB ` +
        `in its second tenth, ${peak(memory.slice(-tenth))} MB in its last`,
    );
  } finally {
    await server.stop();
  }
}
