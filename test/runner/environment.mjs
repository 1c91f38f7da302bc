import { ModernFakeTimers } from "@jest/fake-timers";
import { ModuleMocker } from "jest-mock";

/** Jest's environment of a test file: it is the realm of the worker itself, which all of the worker's files share. */
export default class SharedEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #before = {
    console: globalThis.console,
    env: { ...process.env },
    exit: process.exit,
    getBuiltinModule: process.getBuiltinModule,
  };

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ["node", "node-addons"];
  }

  async setup() {
    // Jest would map stack traces by the files that it transformed itself, but it transforms none; node maps them
    // by itself.
    delete Error.prepareStackTrace;
    if (this.#before.getBuiltinModule) process.getBuiltinModule = this.#before.getBuiltinModule;
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    const { console, env, exit } = this.#before;
    globalThis.console = console;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}
