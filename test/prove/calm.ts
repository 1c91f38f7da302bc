/**
 * Lets each kind of costly request loose on the service, with the demo data and a large company, while a bystander of
 * another company asks a cheap list every 50 ms. It prints a row for each kind: the bystander's longest wait, the heap
 * before and after, and what was answered. It exits with 1 when a wait passes a second, the process dies, or an answer
 * is not what it should be.
 *
 * The kinds are those of `calm/attacks.ts`, and the costliest request within the limits and the first beyond them for
 * every list, relation, filter field and input array of the schema. `--only relations,fragments` tries some of them,
 * `--verbose` prints every request that was not answered as it should be.
 */
import { setTimeout as rest } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import type { Database } from "../../src/engine/connections/client.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import { createSchema } from "../../src/schema.js";
import { freePort } from "../bench/free-port.js";
import { Attacker, type Answer } from "./calm/attacker.js";
import { ATTACKS, isIllegalFine, isLegalFine } from "./calm/attacks.js";
import { Bystander } from "./calm/bystander.js";
import { loadCostlyData, type CostlyData } from "./calm/data.js";
import { DerivedRequests, knownArguments, type Document } from "./calm/derived.js";
import { WatchedService, type State } from "./calm/service.js";
import { ProvingGround } from "./proving-ground.js";
import { SECRET } from "../bench/secret.js";

const MOST_WAIT_MS = 1_000;
const AT_ONCE = 2;
const WARM_UP_MS = 3_000;
const REST_MS = 1_000;
/** A statement that loads the data may take this long on a busy machine. */
const LOADING_MS = 120_000;

/** A row of the table. */
interface Row {
  readonly kind: string;
  readonly requests: number;
  readonly "longest wait, ms": number;
  readonly "machine late, ms": number;
  readonly "not let in": number;
  readonly "loop blocked, ms": number | null;
  readonly "heap before, MB": number | null;
  readonly "heap after, MB": number | null;
  readonly answers: string;
  readonly verdict: string;
}

/** A kind of request, and the places where its answers were not as they should be. */
interface Kind {
  readonly name: string;
  run(): Promise<{ readonly answers: readonly Answer[]; readonly wrong: readonly string[] }>;
}

const { values } = parseArgs({ options: { only: { type: "string" }, verbose: { type: "boolean" } } });
const ground = await ProvingGround.start("calm", { poolSize: 2, statementTimeoutMs: LOADING_MS });
await ground.judge(() => prove(ground.database));

async function prove(database: Database): Promise<boolean> {
  const data = await loadCostlyData(database);
  const service = await WatchedService.start(await freePort(), {
    DATABASE_URL: ground.url,
    JWT_SECRET: SECRET,
    SECRETS_KEY: "5e".repeat(32),
    NODE_ENV: "production",
    RATE_LIMIT: "0",
    LOG_LEVEL: "warn",
  });
  const keys = createTokenKeys({ secret: SECRET });
  const { id, companyId } = data.bystander;
  const bystander = new Bystander(
    `${service.url}/api/companies/${companyId}/properties?per_page=5`,
    await issueAccessToken(keys, { kind: "admin", id, companyId }),
  );
  const attacker = new Attacker(service.url, await issueAccessToken(keys, { kind: "platform" }));
  const client = new Attacker(
    service.url,
    await issueAccessToken(keys, { kind: "client", id: data.clientId, companyId: data.companyId }),
  );
  const rows: Row[] = [];
  try {
    await rest(WARM_UP_MS);
    for (const kind of await allKinds(database, data, { attacker, client })) {
      if (!isWanted(kind.name)) continue;
      rows.push(await tryKind(kind, service, bystander));
      const row = rows.at(-1);
      process.stderr.write(
        `${kind.name}: ${row?.["longest wait, ms"] ?? ""} ms (machine ${row?.["machine late, ms"] ?? ""}, loop ${row?.["loop blocked, ms"] ?? ""}), ${row?.verdict ?? ""}\n`,
      );
      if (service.end !== null) {
        process.stderr.write(`the service died by ${service.end}\n`);
        break;
      }
    }
  } finally {
    attacker.close();
    client.close();
    await bystander.stop();
    await service.stop();
  }
  console.table(Object.fromEntries(rows.map(({ kind, ...row }) => [kind, row])));
  const calm = rows.filter(({ verdict }) => verdict === "calm").length;
  console.log(`${calm} of ${rows.length} kinds of costly requests left the service calm`);
  return calm === rows.length;
}

function isWanted(name: string): boolean {
  return values.only === undefined || values.only.split(",").some((part) => name.includes(part));
}

async function tryKind(kind: Kind, service: WatchedService, bystander: Bystander): Promise<Row> {
  const before = await service.state();
  // The collection makes the bystander wait as well.
  await rest(REST_MS);
  await bystander.seen();
  const { answers, wrong } = await kind.run();
  const { longest, refused, late } = await bystander.seen();
  const after = await service.state();
  if (values.verbose === true) for (const line of wrong) process.stderr.write(`  ${line}\n`);
  const faults = [
    ...(service.lives ? [] : ["died"]),
    ...(longest > MOST_WAIT_MS ? ["the bystander waited"] : []),
    ...(refused > 0 ? ["the bystander was not let in"] : []),
    ...(wrong.length > 0 ? [`${wrong.length} wrong answers`] : []),
  ];
  return {
    kind: kind.name,
    requests: answers.length,
    "longest wait, ms": Math.round(longest),
    "machine late, ms": Math.round(late),
    "not let in": refused,
    "loop blocked, ms": after?.blockedMs ?? null,
    "heap before, MB": megabytes(before),
    "heap after, MB": megabytes(after),
    answers: summary(answers),
    verdict: faults.join(", ") || "calm",
  };
}

function megabytes(state: State | null): number | null {
  return state === null ? null : Math.round(state.heapBytes / 1_000_000);
}

/** Counts the answers by status and first rule: `3 × 200, 1 × 400 cost`. */
function summary(answers: readonly Answer[]): string {
  const counts = new Map<string, number>();
  for (const { status, rules } of answers) {
    const name = status === 0 ? "none" : `${status} ${rules[0] ?? ""}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(", ");
}

async function allKinds(
  database: Database,
  data: CostlyData,
  { attacker, client }: { attacker: Attacker; client: Attacker },
): Promise<Kind[]> {
  const listed = ATTACKS.map(({ name, run, isFine }): Kind => ({
    name,
    run: async () => {
      const answers = await run(attacker, data);
      return { answers, wrong: answers.filter((one) => !isFine(one)).map((one) => told(name, one)) };
    },
  }));
  const finished = createSchema();
  const connection = new pg.Client({ connectionString: ground.url });
  await connection.connect();
  const argumentsOf = await knownArguments(finished, data.companyId, (model) =>
    firstId(connection, MODEL_FACTS[model].table, data.companyId),
  );
  await connection.end();
  const pairs = new DerivedRequests(finished, argumentsOf).all();
  const groups = [...new Set(pairs.map(({ group }) => group))];
  const derived = groups.flatMap((group) => {
    const own = pairs.filter((pair) => pair.group === group);
    return [
      manyOf(
        `${group} of the schema, costliest`,
        own,
        ({ legal }) => legal,
        (answer) => isLegalFine(group, answer),
      ),
      manyOf(`${group} of the schema, beyond`, own, ({ illegal }) => illegal, isIllegalFine),
    ];
  });
  return [...listed, ...derived];

  function manyOf(
    name: string,
    own: typeof pairs,
    documentOf: (pair: (typeof pairs)[number]) => Document,
    isFine: (answer: Answer) => boolean,
  ): Kind {
    return {
      name,
      run: async () => {
        const answers: Answer[] = [];
        const wrong: string[] = [];
        const left = [...own];
        const work = async (): Promise<void> => {
          for (let pair = left.shift(); pair !== undefined; pair = left.shift()) {
            const { query, variables } = documentOf(pair);
            const answer = await (pair.asClient ? client : attacker).graphql(query, variables);
            answers.push(answer);
            if (!isFine(answer)) wrong.push(told(pair.name, answer));
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        return { answers, wrong };
      },
    };
  }
}

function told(name: string, { status, rules, bytes, text }: Answer): string {
  return `${name}: ${status} ${rules.join()} (${bytes} bytes) ${text.slice(0, 300)}`;
}

/** Returns the id of a row of the model, 1 when it has none. It asks past the guard, which wants an owner for private rows. */
async function firstId(connection: pg.Client, table: string, companyId: number): Promise<number> {
  const { rows } = await connection.query<{ id: number }>(
    `SELECT id FROM ${connection.escapeIdentifier(table)} WHERE company_id = $1 ORDER BY id LIMIT 1`,
    [companyId],
  );
  return rows[0]?.id ?? 1;
}
