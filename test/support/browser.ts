import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContextOptions, type Page } from "playwright-core";

/** Browser steps end before the test's own timeout, so that the error names the missing element. */
const TIMEOUT_MS = 20_000;
const USUAL_PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A page, with everything that happens on it unseen. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors and warnings of the page's console (broken policies too), exceptions, and requests that failed. */
  readonly complaints: string[];
  /** The URLs of the page's requests and of those of its workers. */
  readonly requests: string[];
}

/** A Chromium that keeps a log of its network. */
export interface WatchedBrowser {
  open(url: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /**
   * Closes the browser.
   *
   * @returns the origins of all requests of pages over the network, each once.
   */
  close(): Promise<string[]>;
}

/**
 * Starts a Chromium.
 *
 * @throws Error when there is no Chromium: the tests must not pass without one.
 */
export async function startBrowser(): Promise<WatchedBrowser> {
  const folder = await mkdtemp(join(tmpdir(), "commerce-browser-"));
  const log = join(folder, "net-log.json");
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [`--log-net-log=${log}`, ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  return {
    open: async (url, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
      context.setDefaultTimeout(TIMEOUT_MS);
      const complaints: string[] = [];
      const requests: string[] = [];
      context.on("request", (request) => requests.push(request.url()));
      context.on("requestfailed", (request) =>
        complaints.push(`${request.url()}: ${request.failure()?.errorText}`),
      );
      context.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      context.on("weberror", (error) => complaints.push(error.error().message));
      const page = await context.newPage();
      await page.goto(url);
      return { page, complaints, requests };
    },
    close: async () => {
      await browser.close();
      const origins = originsOf(await readFile(log, "utf8"));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      return origins;
    },
  };
}

function findChromium(): string {
  const { CHROMIUM_PATH: told } = process.env;
  const places = told === undefined ? USUAL_PLACES : [told];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) {
    throw new Error(`No Chromium at ${places.join(", ")}: install it, or set CHROMIUM_PATH to where it is.`);
  }
  return found;
}

interface NetLog {
  readonly events: readonly { readonly params?: { readonly url?: string; readonly initiator?: string } }[];
}

/**
 * Returns the origins that pages asked: requests of a page name it as initiator, those of the browser itself do
 * not.
 */
function originsOf(log: string): string[] {
  const { events } = JSON.parse(log) as NetLog;
  const origins = events.flatMap(({ params: { url, initiator } = {} }) =>
    url !== undefined && initiator?.startsWith("http") === true ? [new URL(url).origin] : [],
  );
  return [...new Set(origins)];
}
