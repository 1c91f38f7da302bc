import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chmod, chown, mkdir, readFile, writeFile } from "node:fs/promises";
import { existsSync, openSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../bench/free-port.js";

const RECIPES = new URL("../../../src/process/cluster/", import.meta.url);
const PASSWORDS = { postgres: "owner", replicator: "follower", commerce: "service" };

/** A program of a cluster, with all processes that it has started. */
export class Part {
  private child: ChildProcess | null = null;

  constructor(
    readonly name: string,
    private readonly how: {
      readonly command: readonly string[];
      readonly directory: string;
      readonly environment?: Record<string, string>;
      readonly as?: { readonly uid: number; readonly gid: number };
    },
  ) {}

  start(): void {
    const { command, directory, environment, as } = this.how;
    const [program = "", ...args] = command;
    const log = openSync(join(directory, `${this.name}.log`), "a");
    const env = { PATH: `${process.env["PATH"] ?? ""}:/usr/sbin`, HOME: directory, ...environment };
    this.child = spawn(program, args, { cwd: directory, env, stdio: ["ignore", log, log], ...as });
  }

  /** Sends it and all that it has started a signal. */
  signal(name: NodeJS.Signals): void {
    // What has not been started has no number.
    if (this.child?.pid !== undefined) signalAll(this.child.pid, name);
  }

  /** Sends the program alone a signal. */
  tell(name: NodeJS.Signals): void {
    this.child?.kill(name);
  }

  async ended(): Promise<void> {
    const { child } = this;
    while (child !== null && child.exitCode === null && child.signalCode === null) await sleep(20);
  }
}

/** Sends a process and all that descend from it a signal. */
function signalAll(root: number, name: NodeJS.Signals): void {
  // A signal to the number of nothing would reach everybody.
  if (!(root > 1)) return;
  for (const pid of descendants(root)) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** The numbers of a process and of all that descend from it, those of other sessions too. */
function descendants(root: number): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/u.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = [root];
  for (const pid of found) found.push(...(childrenOf.get(pid) ?? []));
  return found;
}

/** A machine with PostgreSQL under Patroni. */
export class Node {
  constructor(
    /** Patroni, which does not keep the server that it starts as its child. */
    readonly part: Part,
    readonly port: number,
    readonly restPort: number,
    private readonly data: string,
  ) {}

  /** Sends PostgreSQL a signal. */
  signalServer(name: NodeJS.Signals): void {
    const file = join(this.data, "postmaster.pid");
    // A server that was stopped has left none.
    if (existsSync(file)) signalAll(Number(readFileSync(file, "utf8").split("\n")[0]), name);
  }

  /** Sends the whole machine a signal. */
  signal(name: NodeJS.Signals): void {
    this.part.signal(name);
    this.signalServer(name);
  }
}

/** What stands below the processes of the service. */
export interface Base {
  readonly nodes: readonly [Node, Node];
  /** Where callers come in. */
  readonly callers: string;
  readonly gatewayPorts: readonly number[];
  /** The way through PgBouncer, for the role that serves. */
  readonly pooled: string;
  urlOf(role: "postgres" | "commerce", ...nodes: readonly Node[]): string;
  /** Starts HAProxy and PgBouncer, once there is a primary. */
  startWays(): void;
  stop(): Promise<void>;
}

/** Starts etcd and two nodes by the recipes that operators are given, with the names of machines replaced. */
export async function startBase(directory: string): Promise<Base> {
  const postgres = { uid: numberOf("-u"), gid: numberOf("-g") };
  await chown(directory, postgres.uid, postgres.gid);
  await chmod(directory, 0o755);
  const recipe = (name: string): Promise<string> => readFile(new URL(name, RECIPES), "utf8");
  const [client, peer] = [await freePort(), await freePort()];
  const [at, among] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`];
  const etcd = new Part("etcd", {
    command: [
      ..."etcd --data-dir etcd --listen-client-urls".split(" "),
      ...[at, "--advertise-client-urls", at, "--listen-peer-urls", among],
      ...["--initial-advertise-peer-urls", among, "--initial-cluster", `default=${among}`],
    ],
    directory,
  });
  etcd.start();
  await mkdir(join(directory, "home"));
  const patroni = await recipe("patroni.yaml");
  const makeNode = async (name: string): Promise<Node> => {
    const [port, restPort, data] = [await freePort(), await freePort(), join(directory, name)];
    const text = patroni
      .replace("etcd:2379", `127.0.0.1:${client}`)
      .replace("0.0.0.0:8008", `127.0.0.1:${restPort}`)
      .replace("0.0.0.0:5432", `127.0.0.1:${port}`)
      .replace("/var/lib/postgresql/commerce", data);
    await writeFile(join(directory, `${name}.yaml`), text);
    const environment = {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
      PATRONI_SUPERUSER_PASSWORD: PASSWORDS.postgres,
      PATRONI_REPLICATION_PASSWORD: PASSWORDS.replicator,
    };
    const command = ["patroni", join(directory, `${name}.yaml`)];
    const part = new Part(name, { command, directory, environment, as: postgres });
    return new Node(part, port, restPort, data);
  };
  const nodes = [await makeNode("node-1"), await makeNode("node-2")] as const;
  const [callers, primary, pooler] = [await freePort(), await freePort(), await freePort()];
  const gatewayPorts = [await freePort(), await freePort(), await freePort()];
  const haproxy = (await recipe("haproxy.cfg"))
    .replace("*:4000", `127.0.0.1:${callers}`)
    .replace("*:5000", `127.0.0.1:${primary}`)
    .replaceAll(/gateway-(\d):4000/gu, (_, number: string) => `127.0.0.1:${gatewayPorts[Number(number) - 1]}`)
    .replaceAll(/node-(\d):5432 check port 8008/gu, (_, number: string) => {
      const { port, restPort } = nodes[Number(number) - 1] as Node;
      return `127.0.0.1:${port} check port ${restPort}`;
    });
  const bouncer = (await recipe("pgbouncer.ini"))
    .replace("host=haproxy port=5000", `host=127.0.0.1 port=${primary}`)
    .replace("0.0.0.0", "127.0.0.1")
    .replace("6432", String(pooler))
    .replace("/etc/pgbouncer/users.txt", join(directory, "users.txt"));
  await writeFile(join(directory, "haproxy.cfg"), haproxy);
  await writeFile(join(directory, "pgbouncer.ini"), bouncer);
  await writeFile(join(directory, "users.txt"), `"commerce" "${PASSWORDS.commerce}"\n`);
  const ways = [
    new Part("haproxy", { command: ["haproxy", "-db", "-f", "haproxy.cfg"], directory }),
    new Part("pgbouncer", { command: ["pgbouncer", "pgbouncer.ini"], directory, as: postgres }),
  ];
  const url = (role: keyof typeof PASSWORDS, hosts: string): string =>
    `postgresql://${role}:${PASSWORDS[role]}@${hosts}/commerce`;
  return {
    nodes,
    callers: `http://127.0.0.1:${callers}`,
    gatewayPorts,
    pooled: url("commerce", `127.0.0.1:${pooler}`),
    urlOf: (role, ...some) => url(role, some.map(({ port }) => `127.0.0.1:${port}`).join(",")),
    startWays: () => {
      for (const way of ways) way.start();
    },
    stop: async () => {
      for (const part of [...ways, ...nodes.map((node) => node.part)]) {
        part.signal("SIGCONT");
        part.tell("SIGTERM");
      }
      await Promise.race([Promise.all(nodes.map(({ part }) => part.ended())), sleep(10_000)]);
      for (const part of [...ways, ...nodes, etcd]) part.signal("SIGKILL");
    },
  };
}

function numberOf(kind: "-u" | "-g"): number {
  const { status, stdout } = spawnSync("id", [kind, "postgres"], { encoding: "utf8" });
  if (status !== 0) throw new Error("There is no user postgres: install Debian's package postgresql.");
  return Number(stdout);
}
