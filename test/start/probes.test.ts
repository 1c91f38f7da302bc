import { serveProbes } from "../../src/process/probes.js";
import { createTestDatabase } from "../support/database.js";

/** Keeps the event loop of the process busy. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("probes at a port of their own", () => {
  it("tell that the process lives and the database answers, and that it is about to stop", async () => {
    const database = await createTestDatabase();
    const probes = await serveProbes({ host: "127.0.0.1", port: 0, urls: [database.url] });
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${probes.port}${path}`);
      return [answer.status, await answer.json()] as [number, { code?: string; status: unknown }];
    };

    expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
    expect(await ask("/readyz")).toMatchObject([503, { code: "UNAVAILABLE" }]);
    probes.ready();
    expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
    expect((await ask("/api"))[0]).toBe(404);

    const asked = ask("/readyz");
    block(300);
    expect((await asked)[0]).toBe(200);

    probes.drain();
    expect(await ask("/readyz")).toMatchObject([503, { code: "UNAVAILABLE" }]);
    expect((await ask("/healthz"))[0]).toBe(200);
    await probes.close();
    await database.drop();
  });

  it("tell that the database does not answer", async () => {
    const probes = await serveProbes({
      host: "127.0.0.1",
      port: 0,
      urls: ["postgresql://u@127.0.0.1:1/none"],
    });
    const { status } = await fetch(`http://127.0.0.1:${probes.port}/readyz`);
    await probes.close();

    expect(status).toBe(503);
  });
});
