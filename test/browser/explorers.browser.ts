import type { Locator, Page, Response, Route } from "playwright-core";
import { EXAMPLES } from "../../src/api/explorers/examples.js";
import { startBrowser, type WatchedBrowser, type WatchedPage } from "../support/browser.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { openApiOf, operationsOf, restSource } from "../support/openapi.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

const OWNER = "owner@mercadoavila.example";
/** Each operation of the reference takes a few presses of Tab to pass. */
const MOST_PRESSES = 1_000;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 800 },
];

describe("the explorers in Chromium", () => {
  let database: TestDatabase;
  let service: string;
  let locked: string;
  let errorsOfService: (() => string[]) | undefined;
  let browser: WatchedBrowser | undefined;
  let watched: WatchedPage | undefined;

  beforeAll(async () => {
    database = await createTestDatabase();
    const environment = { DATABASE_URL: database.url, DATA_DIR: await makeDataDirectory(), DEMO_DATA: "on" };
    const started = startService(environment);
    service = await started.ready;
    errorsOfService = () =>
      started
        .output()
        .split("\n")
        .filter((line) => /"level":[56]0/u.test(line));
    locked = await startService({ ...environment, EXPLORER: "off" }).ready;
    browser = await startBrowser();
  });

  afterEach(async () => {
    const { page, complaints = [], requests = [] } = watched ?? {};
    watched = undefined;
    await page?.context().close();

    expect(errorsOfService?.()).toEqual([]);
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${service}/`) && !/^(?:data|blob):/u.test(url))).toEqual(
      [],
    );
  });

  afterAll(async () => {
    const origins = await browser?.close();
    await cleanUp();
    await database.drop();

    expect(origins).toEqual([service]);
  });

  async function open(path: string, options?: Parameters<WatchedBrowser["open"]>[1]): Promise<Page> {
    watched = await (browser as WatchedBrowser).open(service + path, options);
    return watched.page;
  }

  describe("GraphiQL", () => {
    const run = (page: Page): Locator => page.locator(".graphiql-execute-button");
    const answer = (page: Page): Locator => page.locator(".graphiql-response .view-lines");

    /** Only requests for an operation count; the page asks for the schema by itself. */
    const answered = (page: Page): Promise<Response> =>
      page.waitForResponse(
        (response) =>
          response.url() === `${service}/graphql` && !response.request().postData()?.includes("__schema"),
      );

    async function openGraphiql(options?: Parameters<WatchedBrowser["open"]>[1]): Promise<Page> {
      const page = await open("/graphiql", options);
      await run(page).waitFor();
      return page;
    }

    it("says where the reader is and fills in the token of the demo", async () => {
      const page = await openGraphiql();

      expect(await page.title()).toBe("Commerce gateway – GraphiQL");
      await page.getByText(`you are signed in as ${OWNER}`).waitFor();
      await page.locator(".graphiql-editor-tool", { hasText: "Bearer eyJ" }).waitFor();
    });

    it.each(
      EXAMPLES.map(({ query }) => /(?:query|mutation) (?<name>\w+)/u.exec(query)?.groups?.["name"] ?? ""),
    )("runs its example %s as it stands", async (name) => {
      const page = await openGraphiql();

      await page.locator(".graphiql-tab-button", { hasText: name }).click();
      await page.locator(".graphiql-query-editor", { hasText: name }).waitFor();
      const [response] = await Promise.all([answered(page), run(page).click()]);

      const { data, errors } = (await response.json()) as { data: object; errors?: unknown };
      expect(errors).toBeUndefined();
      expect(Object.values(data)).not.toContain(null);
      await answer(page)
        .getByText(`"${Object.keys(data)[0]}"`)
        .waitFor();
    });

    it("runs by Ctrl+Enter, and by Enter on the button that Tab leads to", async () => {
      const page = await openGraphiql();

      await tabTo(page, ".graphiql-query-editor .graphiql-editor");
      await page.keyboard.press("Enter");
      const [first] = await Promise.all([answered(page), page.keyboard.press("Control+Enter")]);
      await answer(page).getByText("goods").waitFor();
      await page.keyboard.press("Escape");
      await tabTo(page, ".graphiql-execute-button");
      const [second] = await Promise.all([answered(page), page.keyboard.press("Enter")]);

      expect([first.status(), second.status()]).toEqual([200, 200]);
    });

    it("switches examples by the keyboard", async () => {
      const page = await openGraphiql();

      await tabTo(page, ".graphiql-tab-button", "Me");
      await page.keyboard.press("Enter");

      await page.locator(".graphiql-query-editor", { hasText: "Who am I" }).waitFor();
    });
  });

  describe("the page of Apollo Sandbox", () => {
    const SANDBOX = "https://embeddable-sandbox.cdn.apollographql.com/";
    const line = (page: Page): Locator => page.getByText("Apollo Sandbox comes from the Internet");

    /** Opens the page with what stands in for Apollo's network, and returns the requests that went there. */
    async function openSandbox(answer: (route: Route) => Promise<void>): Promise<[Page, string[]]> {
      const page = await open("/healthz");
      const asked: string[] = [];
      await page.route(`${SANDBOX}**`, (route) => {
        asked.push(route.request().url());
        return answer(route);
      });
      await page.goto(`${service}/graphql`);
      const { complaints, requests } = watched as WatchedPage;
      const isOfSandbox = (text: string): boolean =>
        text.startsWith(SANDBOX) || text.includes("net::ERR_FAILED");
      for (const list of [complaints, requests]) {
        list.splice(0, list.length, ...list.filter((text) => !isOfSandbox(text)));
      }
      return [page, asked];
    }

    it("leads on to GraphiQL in one line where Apollo cannot be reached", async () => {
      const [page, asked] = await openSandbox((route) => route.abort());

      expect(asked).toHaveLength(1);
      expect(await line(page).isVisible()).toBe(true);
      await page.getByRole("link", { name: "GraphiQL" }).click();

      await page.locator(".graphiql-execute-button").waitFor();
      expect(page.url()).toBe(`${service}/graphiql`);
    });

    it("shows Sandbox alone, over the whole window, where it has come", async () => {
      const body = `self.EmbeddedSandbox = class {
        constructor(options) {
          self.told = options;
          document.querySelector(options.target).append(document.createElement("iframe"));
        }
      };`;
      const [page] = await openSandbox((route) => route.fulfill({ contentType: "text/javascript", body }));

      await page.locator("iframe").waitFor();
      expect(await line(page).count()).toBe(0);
      expect(await page.locator("iframe").boundingBox()).toEqual({ x: 0, y: 0, width: 1280, height: 800 });
      expect(await page.evaluate("told.initialEndpoint")).toBe(`${service}/graphql`);
    });
  });

  describe("the REST reference", () => {
    const operations = operationsOf(openApiOf(restSource()));

    /** The reads that these callers may do. */
    /** Only the service makes the signature of a link. */
    const isByLink = ({ parameters = [] }: (typeof operations)[number]["operation"]): boolean =>
      parameters.some((parameter) => "name" in parameter && parameter.name === "signature");
    const readsOf = (...callers: readonly string[]) =>
      operations.filter(
        ({ method, operation }) =>
          method === "GET" &&
          !isByLink(operation) &&
          operation["x-callers"].some((caller) => callers.includes(caller)),
      );
    const reads = readsOf("anyone", "admin");

    async function openDocs(options?: Parameters<WatchedBrowser["open"]>[1]): Promise<Page> {
      const page = await open("/api/docs", options);
      await page.locator(".opblock-tag").first().waitFor();
      return page;
    }

    const block = (page: Page, id: string): Locator => page.locator(`.opblock[id$="-${id}"]`);
    const status = (page: Page, id: string): Promise<string> =>
      block(page, id).locator(".live-responses-table tbody .response-col_status").innerText();

    const tagOf = (id: string): string => {
      const { operation } = operations.find((one) => one.operation.operationId === id) ?? {};
      return (operation as unknown as { tags: [string] }).tags[0];
    };

    /** Opens the tag of an operation and closes others: of very many operations the page has only those in sight. */
    async function show(page: Page, id: string): Promise<Locator> {
      const tag = page.locator(`.opblock-tag[data-tag="${tagOf(id)}"]`);
      if ((await tag.getAttribute("data-is-open")) !== "true") {
        for (const open of await page.locator('.opblock-tag[data-is-open="true"]').all()) await open.click();
        await tag.click();
      }
      return block(page, id);
    }

    async function tryOut(page: Page, id: string): Promise<string> {
      const operation = await show(page, id);
      await operation.locator(".opblock-summary-control").click();
      await operation.locator("button.execute").click();
      const answered = await status(page, id);
      await operation.locator(".opblock-summary-control").click();
      return answered;
    }

    it("says where the reader is and fills in the token of the demo", async () => {
      const page = await openDocs();

      expect(await page.title()).toBe("Commerce gateway – REST reference");
      await page.getByText(`you are signed in as ${OWNER}`).waitFor();
      await page.locator("button.authorize.locked").waitFor();
      const tags = new Set(operations.map(({ operation }) => tagOf(operation.operationId)));
      expect(await page.locator(".opblock-tag").count()).toBe(tags.size);
      await show(page, "listGoods");
      const goods = operations.filter(({ operation }) => tagOf(operation.operationId) === "Goods");
      expect(await page.locator(".opblock").count()).toBe(goods.length);
    });

    it("is searched by words of descriptions", async () => {
      const page = await openDocs();
      const field = page.getByRole("searchbox", { name: "Search operations" });
      const count = page.locator("[role=search] output");
      const links = page.locator("[role=search] a");

      await field.fill("COMMIT order");
      const found = [await links.allInnerTexts(), await count.innerText()];
      await field.fill("xyzzy");
      const none = [await links.allInnerTexts(), await count.innerText()];
      await field.fill("companyId");
      const many = await links.count();
      await field.fill("order commit");
      await links.first().click();
      await block(page, "listChanges").locator("button.execute").waitFor();

      expect(found).toEqual([["GET /companies/{companyId}/changes"], `1 of ${operations.length} operations`]);
      expect(none).toEqual([[], `0 of ${operations.length} operations`]);
      expect(many).toBe(30);
      expect(new URL(page.url()).hash).toBe("#/Audit/listChanges");
    });

    it("runs every read as it stands", async () => {
      const page = await openDocs();
      const refused: string[] = [];

      for (const { operation } of reads) {
        const answered = await tryOut(page, operation.operationId);
        if (!answered.startsWith("200")) refused.push(`${operation.operationId}: ${answered}`);
      }

      expect(reads.length).toBeGreaterThan(10);
      expect(refused).toEqual([]);
    }, 600_000);

    it("runs what is for clients alone once the reader is one", async () => {
      const page = await openDocs();
      const own = readsOf("client").filter(({ operation }) => !operation["x-callers"].includes("admin"));
      const answers: string[] = [];

      await page.getByLabel("Signed in as").selectOption("a client");
      for (const { operation } of own) answers.push((await tryOut(page, operation.operationId)).slice(0, 3));

      expect(own.length).toBeGreaterThan(0);
      expect(answers).toEqual(own.map(() => "200"));
    });

    it("filters by a value and by an operator", async () => {
      const page = await openDocs();
      const operation = await show(page, "listGoods");
      await operation.locator(".opblock-summary-control").click();
      const condition = (name: string): Locator =>
        operation.locator(`tr[data-param-name="filter[${name}]"]`).locator("input, textarea");

      await condition("name").fill("Pan de jamón");
      await condition("price_e2").fill('{ "gte": 100, "lt": 100000 }');
      await operation.locator("button.execute").click();

      expect(await status(page, "listGoods")).toMatch(/^200/u);
      const asked = new URL((await operation.locator(".request-url pre").innerText()).trim()).searchParams;
      expect([...asked].filter(([name]) => name.startsWith("filter"))).toEqual([
        ["filter[name]", "Pan de jamón"],
        ["filter[price_e2][gte]", "100"],
        ["filter[price_e2][lt]", "100000"],
      ]);
    });

    it("runs a creation as it stands", async () => {
      const page = await openDocs();

      expect(await tryOut(page, "createProperty")).toMatch(/^201/u);
    });

    it("runs an operation by the keyboard alone", async () => {
      const page = await openDocs();

      await tabTo(page, '.opblock-tag[data-tag="Goods"] button');
      await page.keyboard.press("Enter");
      await block(page, "listGoods").waitFor();
      await tabTo(page, '.opblock[id$="-listGoods"] .opblock-summary-control');
      await page.keyboard.press("Enter");
      await block(page, "listGoods").locator("button.execute").waitFor();
      await tabTo(page, '.opblock[id$="-listGoods"] button.execute');
      await page.keyboard.press("Enter");

      expect(await status(page, "listGoods")).toMatch(/^200/u);
    });
  });

  it.each(["/", "/graphiql", "/api/docs", "/api/docs/contract"])(
    "fits %s into wide and narrow windows, light and dark",
    async (path) => {
      for (const viewport of SIZES) {
        for (const colorScheme of ["light", "dark"] as const) {
          const page = await open(path, { viewport, colorScheme });
          await page.locator(".graphiql-execute-button, .opblock-tag, h2").first().waitFor();

          const width = await page.evaluate("document.documentElement.scrollWidth");
          const paper = await page.evaluate("getComputedStyle(document.body).backgroundColor");

          expect(width).toBe(viewport.width);
          expect(paper === "rgb(255, 255, 255)").toBe(colorScheme === "light");
          await page.context().close();
        }
      }
    },
  );

  it.each(["/", "/api/docs"])("prints %s black on white, without what only a screen can do", async (path) => {
    const page = await open(path, { colorScheme: "dark" });
    await page.locator(".opblock-tag, h2").first().waitFor();
    await page.emulateMedia({ media: "print" });

    const colors = await page.evaluate(
      "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1, h2, .opblock-tag')).color]",
    );

    expect(colors).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
    const parts = "header nav, .home button, .filter, .scheme-container, .authorization__btn";
    const shown = await page.evaluate(
      `[...document.querySelectorAll("${parts}")].filter((one) => one.checkVisibility()).map((one) => one.outerHTML)`,
    );
    expect(await page.locator(parts).count()).toBeGreaterThan(0);
    expect(shown).toEqual([]);
  });

  it.each(["/", "/graphiql", "/api/docs"])("answers 404 for %s with EXPLORER=off", async (path) => {
    const page = await open("/healthz");

    const answered = await page.context().request.get(locked + path);

    expect(answered.status()).toBe(404);
  });

  /** Presses Tab until the selected element has the focus, as a reader without a mouse does. */
  async function tabTo(page: Page, selector: string, text = ""): Promise<void> {
    const focused = page.locator(`${selector}:focus, ${selector}:focus-within`, { hasText: text });
    for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
      await page.keyboard.press("Tab");
      if ((await focused.count()) > 0) return;
    }
    throw new Error(`Tab does not lead to ${selector} ${text}`);
  }
});
