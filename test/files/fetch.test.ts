import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Fetcher, FetchFailed, type Resolve } from "../../src/engine/fetching/fetcher.js";
import { isPublicAddress } from "../../src/engine/fetching/public-address.js";
import { startWebServer, type WebServer } from "./web-server.js";

let server: WebServer;

beforeAll(async () => {
  server = await startWebServer();
});
beforeEach(() => void (server.requests.length = 0));
afterAll(() => server.close());

/** Fetches; the names that were looked up are noted. */
async function fetched(
  url: string,
  {
    allow = [server.host],
    names = {},
    milliseconds = 5_000,
  }: { allow?: string[]; names?: Record<string, string[][]>; milliseconds?: number } = {},
): Promise<{ result: Buffer | Error; lookups: string[] }> {
  const lookups: string[] = [];
  const resolve: Resolve = (name) => {
    lookups.push(name);
    const found = names[name]?.shift();
    if (found === undefined) return Promise.reject(new Error(`getaddrinfo ENOTFOUND ${name}`));
    return Promise.resolve(found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
  };
  const fetcher = new Fetcher({ allow, resolve });
  const result = await fetcher
    .fetch(url, { milliseconds, accept: "image/*" }, (body) => buffer(body))
    .catch((error: Error) => error);
  return { result, lookups };
}

it.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "no address",
])("takes %s for no public address", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(["1.1.1.1", "::ffff:1.1.1.1", "2606:4700:4700::1111"])("takes %s for a public address", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "0x7f000001",
  "2130706433",
  "0177.0.0.1",
  "127.0.0.1.",
  "１２７.0.0.1",
  "169.254.169.254",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::127.0.0.1]",
  "[64:ff9b::127.0.0.1]",
  "[2002:7f00:1::]",
])("connects to nothing at http://%s", async (host) => {
  const { result, lookups } = await fetched(`http://${host}/`, { allow: [] });

  expect(result).toBeInstanceOf(FetchFailed);
  expect((result as Error).message).toMatch(/has no public address$/u);
  expect(lookups).toEqual([]);
});

it.each(["localhost", "localhost.", "inside.test", "inside.test."])(
  "connects to nothing when the name %s leads inside",
  async (name) => {
    const names = { [name]: [["127.0.0.1", "10.0.0.1", "::1"]] };

    const { result, lookups } = await fetched(`http://${name}/`, { allow: [], names });

    expect((result as Error).message).toBe(`${name} has no public address`);
    expect(lookups).toEqual([name]);
  },
);

it("connects to the address that it has looked at, though the name leads elsewhere a moment later", async () => {
  server.serve("/a", Buffer.from("here"));
  const names = { "turning.test": [["127.0.0.1"], ["10.255.255.1"]] };

  const { result, lookups } = await fetched(`http://turning.test:${server.port}/a`, {
    allow: [`turning.test:${server.port}`],
    names,
  });

  expect(String(result)).toBe("here");
  expect(lookups).toEqual(["turning.test"]);
  expect(server.requests.map(({ headers }) => headers.host)).toEqual([`turning.test:${server.port}`]);
});

it.each([
  ["127.0.0.1", "http://127.0.0.1/"],
  ["the same machine's other port", "http://127.0.0.1:1/"],
  ["a metadata service", "http://169.254.169.254/latest/meta-data/"],
  ["IPv6", "http://[::1]/"],
  ["a decimal host", "http://2130706433/"],
  ["a name that leads inside", "http://inside.test/"],
  ["another protocol", "file:///etc/passwd"],
  ["credentials", "http://user:secret@1.1.1.1/"],
  ["a port of another service", "http://1.1.1.1:6379/"],
  ["nowhere", "http://"],
])("does not follow a redirect to %s", async (_, redirect) => {
  const url = server.serve("/away", { redirect });

  const { result } = await fetched(url, { names: { "inside.test": [["192.168.0.1"]] } });

  expect(result).toBeInstanceOf(FetchFailed);
  expect(server.requests).toHaveLength(1);
});

it("looks a name up at each redirect: it may have turned inside meanwhile", async () => {
  server.serve("/1", { redirect: "http://turning.test/" });
  const names = { "first.test": [["127.0.0.1"]], "turning.test": [["127.0.0.1"]] };

  const { result, lookups } = await fetched(`http://first.test:${server.port}/1`, {
    allow: [`first.test:${server.port}`],
    names,
  });

  expect((result as Error).message).toBe("turning.test has no public address");
  expect(lookups).toEqual(["first.test", "turning.test"]);
});

it("sends no message to a name that has turned inside since it was found public", async () => {
  const found = [["1.1.1.1"], ["10.1.2.3"]];
  const resolve: Resolve = () =>
    Promise.resolve((found.shift() ?? []).map((address) => ({ address, family: 4 })));
  const fetcher = new Fetcher({ allow: [], resolve });
  const message = {
    headers: {},
    body: "{}",
    milliseconds: 5_000,
    mostBytes: 10,
    signal: new AbortController().signal,
  };

  expect(await fetcher.objection("https://turning.test/hook", 1_000)).toBeNull();
  await expect(fetcher.post("https://turning.test/hook", message)).rejects.toMatchObject({
    name: "OutboundFailed",
    kind: "address",
    message: "is no public address of https",
  });
  expect(found).toEqual([]);
});

it("objects to no name whose look-up fails or does not answer in time, since each message is judged by itself", async () => {
  const failing = new Fetcher({ allow: [], resolve: () => Promise.reject(new Error("no answer")) });
  const slow = new Fetcher({ allow: [], resolve: () => new Promise(() => undefined) });

  expect(await failing.objection("https://unknown.test/hook", 1_000)).toBeNull();
  expect(await slow.objection("https://slow.test/hook", 10)).toBeNull();
  expect(await slow.objection("http://slow.test/hook", 10)).toBe("is no public address of https");
});

it("follows three redirects, without cookies, and no fourth", async () => {
  server.serve("/end", Buffer.from("end"));
  server.serve("/3", { redirect: "/end" });
  server.serve("/2", { redirect: "3" });
  server.serve("/1", { redirect: "/2" });
  const url = server.serve("/0", { redirect: "/1" });

  const [three, four] = [await fetched(url.replace("/0", "/1")), await fetched(url)];

  expect(String(three.result)).toBe("end");
  expect((four.result as Error).message).toBe("there were too many redirects");
  for (const { headers } of server.requests) {
    expect(Object.keys(headers).sort()).toEqual([
      "accept",
      "accept-encoding",
      "connection",
      "host",
      "user-agent",
    ]);
    expect(headers["accept-encoding"]).toBe("identity");
  }
});

it("asks no proxy", async () => {
  process.env["HTTP_PROXY"] = process.env["http_proxy"] = "http://127.0.0.1:1";
  process.env["NODE_USE_ENV_PROXY"] = "1";

  const { result } = await fetched(server.serve("/direct", Buffer.from("direct")));

  expect(String(result)).toBe("direct");
});

it("refuses what is encoded, another status, and an answer that breaks off", async () => {
  const encoded = server.serve("/gzip", (_request, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("bomb")),
  );
  const cut = server.serve("/cut", (_request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half");
    setTimeout(() => response.destroy(), 20);
  });
  const partial = server.serve("/206", (_request, response) => response.writeHead(206).end("part"));

  const results = [await fetched(encoded), await fetched(cut), await fetched(partial)];

  for (const { result } of results) expect(result).toBeInstanceOf(FetchFailed);
});

it("gives up when the whole takes too long: lookup, headers or body", async () => {
  const silent = server.serve("/silent", () => undefined);
  const dripping = server.serve("/drip", (_request, response) => {
    const drip = setInterval(() => response.write("."), 20);
    response.once("close", () => clearInterval(drip));
  });
  const looping = server.serve("/loop", (_request, response) =>
    setTimeout(() => response.writeHead(302, { location: "/loop" }).end(), 150),
  );
  const fetcher = new Fetcher({ allow: [], resolve: () => sleep(60_000, [], { ref: false }) });

  const results: unknown[] = [
    (await fetched(silent, { milliseconds: 200 })).result,
    (await fetched(dripping, { milliseconds: 200 })).result,
    (await fetched(looping, { milliseconds: 200 })).result,
    await fetcher
      .fetch("http://slow.test/", { milliseconds: 200, accept: "*/*" }, buffer)
      .catch((error: unknown) => error),
  ];

  for (const result of results) expect(result).toBeInstanceOf(FetchFailed);
});
