import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type pg from "pg";
import type { ReplicaState } from "../connections/fresh-replicas.js";
import { MOST_PREPARED } from "../reads/statement-names.js";
import type { ErrorCode } from "../../core/errors/codes.js";
import { contractVersion } from "../schema/contract-version.js";
import { NO_OPERATION, type RequestTrace } from "../request/request-trace.js";
import { talliedCounter, talliedHistogram } from "./tally.js";

/** The values that the gauges read at each scrape. */
export interface Gauges {
  readonly pool: Pick<pg.Pool, "totalCount" | "idleCount" | "waitingCount">;
  /** The number of statements that have a name. */
  readonly statementNames: () => number;
  readonly replicas: () => readonly ReplicaState[];
  /** The number of entries of each cache, by the cache's name. */
  readonly caches: Readonly<Record<string, () => number>>;
}

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 10];
const STATEMENTS = [0, 1, 2, 3, 4, 6, 8, 12, 20, 50];

/** Stands for GraphQL operations with several root fields: callers could choose any set of them, and each name costs memory. */
const SEVERAL_FIELDS = "several";
const FAULT: ErrorCode = "INTERNAL_SERVER_ERROR";

const OPERATION = ["face", "operation"] as const;

let ofProcess: Registry | undefined;

/**
 * Returns the metrics of the process itself, which all of its services show. They are made once: for each registry, prom-client
 * would begin a timer of 10 ms and listen to each garbage collection, and it never stops.
 */
function registryOfProcess(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The metrics of one service and of its process, in the text format of Prometheus. */
export class Metrics {
  readonly registry = Registry.merge([registryOfProcess()]);
  private readonly registers = [this.registry];
  private readonly countRequest = talliedCounter("gateway_requests_total", {
    help: "Requests answered. code is OK or that of the first error.",
    labelNames: [...OPERATION, "status", "code"] as const,
    registers: this.registers,
  });
  /** It stands at 0 from the start: what is counted by labels comes with its first occurrence, which no rate of it shows. */
  private readonly faults = new Counter({
    name: "gateway_faults_total",
    help: "Requests that met a fault of the service or of what it runs on, such as a full disk of the database.",
    registers: this.registers,
  });
  private readonly observeDuration = talliedHistogram("gateway_request_duration_seconds", {
    help: "From the first byte of a request to the last of its answer.",
    labelNames: OPERATION,
    buckets: REQUEST_SECONDS,
    registers: this.registers,
  });
  private readonly observeStatement = talliedHistogram("gateway_sql_duration_seconds", {
    help: "SQL statements. operation is none outside requests, and for all with METRICS=basic.",
    labelNames: OPERATION,
    buckets: STATEMENT_SECONDS,
    registers: this.registers,
  });
  private readonly countStatement = talliedCounter("gateway_sql_statements_total", {
    help: "SQL statements sent, labelled like gateway_sql_duration_seconds.",
    labelNames: OPERATION,
    registers: this.registers,
  });
  private readonly observeStatements = talliedHistogram("gateway_request_sql_statements", {
    help: "SQL statements of one request. Absent with METRICS=basic.",
    labelNames: OPERATION,
    buckets: STATEMENTS,
    registers: this.registers,
  });

  constructor({ pool, statementNames, replicas, caches }: Gauges, revision: string) {
    new Gauge({
      name: "gateway_build_info",
      help: "1, with the version of the service, the revision that was built (BUILD_REVISION) and the version of node.",
      labelNames: ["version", "revision", "node"],
      registers: this.registers,
    }).set({ version: contractVersion(), revision, node: process.version }, 1);
    this.gauge("gateway_database_connections", "Connections to the primary by state.", "state", {
      idle: () => pool.idleCount,
      busy: () => pool.totalCount - pool.idleCount,
    });
    this.gauge("gateway_database_waiting", "Statements that wait for a connection.", null, {
      "": () => pool.waitingCount,
    });
    this.gauge(
      "gateway_statement_names",
      `SQL texts that connections prepare under a name, at most ${MOST_PREPARED}: then the one used least recently loses its name. 0 with DATABASE_PREPARED=off.`,
      null,
      { "": statementNames },
    );
    const ofReplicas = (value: (state: ReplicaState) => number) => (): Record<string, number> =>
      Object.fromEntries(replicas().map((state) => [state.name, value(state)]));
    this.gauge(
      "gateway_replica_in_use",
      "1 for a replica that is read now, 0 for one that lags, does not answer, or is not wanted.",
      "replica",
      ofReplicas(({ isInUse }) => Number(isInUse)),
    );
    new Counter({
      name: "gateway_replica_reads",
      help: "Requests that were read from the replica since the start.",
      labelNames: ["replica"],
      registers: this.registers,
      collect() {
        this.reset();
        for (const { name: replica, reads } of replicas()) this.inc({ replica }, reads);
      },
    });
    this.gauge("gateway_cache_entries", "Entries remembered by each cache.", "cache", caches);
  }

  /** Counts a request that has met a fault. */
  fault(): void {
    this.faults.inc();
  }

  /** Counts a request that was answered. */
  request(trace: RequestTrace, status: number, milliseconds: number): void {
    const { face, statements } = trace;
    const operation = trace.operation.includes(",") ? SEVERAL_FIELDS : trace.operation;
    const code = trace.code ?? (status < 400 ? "OK" : "ERROR");
    const key = `${face} ${operation}`;
    const labels = (): { face: string; operation: string } => ({ face, operation });
    this.countRequest(`${key} ${status} ${code}`, () => ({ face, operation, status, code }));
    if (code === FAULT) trace.fault();
    this.observeDuration(key, labels, milliseconds / 1000);
    if (statements === null) return;
    this.observeStatements(key, labels, statements.length);
    for (const statement of statements) this.statementOf(key, labels, statement);
  }

  /** Counts a statement that was run for no request, or for one that is not known. */
  statement(milliseconds: number): void {
    this.statementOf(NOBODYS_KEY, () => NOBODYS, milliseconds);
  }

  private statementOf(
    key: string,
    labels: () => { face: string; operation: string },
    milliseconds: number,
  ): void {
    this.countStatement(key, labels);
    this.observeStatement(key, labels, milliseconds / 1000);
  }

  private gauge(
    name: string,
    help: string,
    label: string | null,
    read: Readonly<Record<string, () => number>> | (() => Readonly<Record<string, number>>),
  ): void {
    const current =
      typeof read === "function"
        ? read
        : () => Object.fromEntries(Object.entries(read).map(([value, one]) => [value, one()]));
    new Gauge({
      name,
      help,
      labelNames: label === null ? [] : [label],
      registers: this.registers,
      collect() {
        for (const [value, number] of Object.entries(current()))
          this.set(label === null ? {} : { [label]: value }, number);
      },
    });
  }
}

const NOBODYS_KEY = `${NO_OPERATION} ${NO_OPERATION}`;
const NOBODYS = { face: NO_OPERATION, operation: NO_OPERATION } as const;
