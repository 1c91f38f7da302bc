import { createServer, type AddressInfo } from "node:net";
import { createTestDatabase } from "../support/database.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

describe("starting the service", () => {
  afterEach(cleanUp);

  it("brings up its own database, answers when ready and exits with 0 on SIGTERM", async () => {
    const service = startService({ DATA_DIR: await makeDataDirectory() });

    const response = await fetch(`${await service.ready}/readyz`);
    service.kill("SIGTERM");

    expect(response.status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  it("uses a database it is given and embeds none", async () => {
    const database = await createTestDatabase();
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    const response = await fetch(`${await service.ready}/readyz`);
    service.kill("SIGTERM");

    expect(response.status).toBe(200);
    expect(await service.exited).toBe(0);
    await database.drop();
  });

  it("names every wrong variable in one message and starts nothing", async () => {
    const service = startService({
      PORT: "high",
      RATE_LIMIT: "-1",
      JWT_SECRET: "short",
      DATA_DIR: "/nowhere/at/all",
    });

    expect(await service.exited).toBe(1);
    expect(service.output()).toMatch(/^The configuration is wrong, nothing was started:\n/);
    for (const name of ["PORT", "RATE_LIMIT", "JWT_SECRET"]) expect(service.output()).toContain(`  ${name} `);
  });

  it("says in one line that its port is taken", async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    const { port } = holder.address() as AddressInfo;
    const directory = await makeDataDirectory();

    const service = startService({ DATA_DIR: directory, PORT: String(port), LOG_LEVEL: "silent" });

    expect(await service.exited).toBe(1);
    expect(service.output()).toBe(
      `Port ${port} on 127.0.0.1 is in use: stop what listens there, or set PORT.\n`,
    );
    await new Promise((resolve) => holder.close(resolve));
    const next = startService({ DATA_DIR: directory });
    await expect(next.ready).resolves.toMatch(/^http:/);
  });
});
