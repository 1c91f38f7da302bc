import { whenAnswered } from "../../src/engine/connections/wait-for-database.js";

const late = (): Error => new Error("timeout expired");

describe("work that waits for the database", () => {
  it("is tried again after the process was too busy to take the answer", async () => {
    const tries: number[] = [];
    const answer = await whenAnswered(() => {
      tries.push(tries.length);
      if (tries.length === 5) return Promise.resolve("answered");
      const busyUntil = performance.now() + 20;
      while (performance.now() < busyUntil);
      return Promise.reject(late());
    }, 10);

    expect([answer, tries]).toEqual(["answered", [0, 1, 2, 3, 4]]);
  });

  it("ends with what it throws where nothing answers, and at once for another reason", async () => {
    let tries = 0;
    const failing = (error: Error) =>
      whenAnswered(() => {
        tries += 1;
        return Promise.reject(error);
      }, 0);

    await expect(failing(late())).rejects.toThrow("timeout expired");
    expect(tries).toBe(5);
    await expect(failing(new Error("no such role"))).rejects.toThrow("no such role");
    expect(tries).toBe(6);
  });
});
