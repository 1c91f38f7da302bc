import type { FastifyReply, FastifyRequest } from "fastify";
import type { CompanyFacts } from "../../core/scope/company-scope.js";
import { progressName, type JobProgress } from "../../core/jobs/followed-job.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import { presentError } from "../../engine/errors/present.js";
import { ownerOf } from "../../engine/idempotency/idempotent-request.js";
import { expiryOf } from "../../engine/request/authenticate.js";
import type { Request } from "../../engine/request/request.js";
import type { JobNews } from "../../engine/worker/job-news.js";
import { EventStream, STREAM_HEADERS } from "../http/event-stream.js";
import type { OpenStreams } from "../http/open-streams.js";
import { dataOf } from "./result-data.js";
import { RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";
import { WrongParameters } from "./wrong-parameters.js";

/** A job is looked at no more often than this for one stream, however fast it comes on. */
const PAUSE_MS = 500;
/** It is looked at this often without news, so that a stream goes on when no news arrive. */
const POLL_MS = 2_000;

export interface JobEventsOptions {
  readonly news: JobNews;
  readonly streams: OpenStreams;
  readonly requestOf: (request: FastifyRequest) => Promise<Request>;
}

/**
 * Answers with the progress of a job as it comes on. Each look at the job runs the route's operation anew, so it is
 * decided each time whether the caller still may; between two looks the stream holds neither a turn nor a connection.
 */
export class JobEvents {
  private readonly handler: RestHandler;
  private readonly operation: PreparedOperation;

  constructor(
    private readonly route: RestRoute,
    engines: RestEngines,
    private readonly options: JobEventsOptions,
  ) {
    this.handler = new RestHandler(route, engines, ({ url }) => url, []);
    this.operation = engines.documents.ownOperation(`${route.name} events`, () =>
      route.document(route.selection, null),
    );
  }

  async answer(request: FastifyRequest, reply: FastifyReply, asked: Request): Promise<FastifyReply> {
    const progress = await this.look(request, asked);
    const told = request.headers["last-event-id"]?.toString() ?? null;
    // An end that the client knows already: this status asks it not to come back.
    if (progress.state !== "running" && told === idOf(progress)) return reply.code(204).send();
    if (request.method === "HEAD") return reply.headers(STREAM_HEADERS).send();
    const lifeMs = expiryOf(request.headers.authorization) - Date.now();
    const caller = ownerOf(asked.caller, asked.address);
    const { id: companyId } = request.rest?.company as CompanyFacts;
    const stream = this.options.streams.open({ caller, companyId }, () => new EventStream(reply, lifeMs));
    request.turn?.end();
    const bell = new Bell();
    const name = progressName(companyId, (request.params as { jobId: string }).jobId);
    const stopHearing = this.options.news.listen(name, bell.ring);
    stream.signal.addEventListener("abort", bell.stop);
    await this.follow(request, stream, { progress, told, bell }).finally(stopHearing);
    stream.end();
    return reply;
  }

  private async follow(
    request: FastifyRequest,
    stream: EventStream,
    { progress, told, bell }: { progress: JobProgress; told: string | null; bell: Bell },
  ): Promise<void> {
    let known: JobProgress | null = progress;
    let last = told;
    while (known !== null && !stream.signal.aborted) {
      const { state, done, total } = known;
      const id = idOf(known);
      if (id !== last) stream.send({ id, event: EVENTS[state], data: { done, total } });
      if (state !== "running") return;
      last = id;
      await bell.wait();
      known = await this.lookAgain(request, stream, known);
    }
  }

  /** @returns what was known before when nothing can be read now; `null` when the caller may not follow any more. */
  private async lookAgain(
    request: FastifyRequest,
    { signal }: EventStream,
    before: JobProgress,
  ): Promise<JobProgress | null> {
    const { turn } = request;
    if (signal.aborted) return null;
    if (turn?.begin() === false && !(await turn.wait(POLL_MS))) return before;
    try {
      return await this.look(request, await this.options.requestOf(request));
    } catch (error) {
      const { status, unexpected } = presentError(error);
      if (unexpected) request.log.error({ err: error }, "unexpected error");
      if (status === 404) return { ...before, state: "failed" };
      return status >= 500 ? before : null;
    } finally {
      turn?.end();
    }
  }

  private async look(request: FastifyRequest, asked: Request): Promise<JobProgress> {
    const wrong = new WrongParameters();
    const { variables, inputErrors } = this.handler.variables.bind(request, null, wrong);
    wrong.assertNone();
    const result = await this.operation.run(asked, variables, { inputErrors });
    return dataOf(result)[this.route.root] as JobProgress;
  }
}

const EVENTS = { running: "progress", done: "done", failed: "failed" } as const;

/** The id of an event is the progress itself, so any instance can see whether a client knows it. */
function idOf({ state, done }: JobProgress): string {
  return `${state}-${done}`;
}

/** Wakes up whoever waits for news: some time after the last look, else after a while; at once when it is stopped. */
class Bell {
  private hasRung = false;
  private isPatient = false;
  private isStopped = false;
  private wake: () => void = () => undefined;

  readonly ring = (): void => {
    this.hasRung = true;
    if (this.isPatient) this.wake();
  };

  readonly stop = (): void => {
    this.isStopped = true;
    this.wake();
  };

  async wait(): Promise<void> {
    await this.pause(PAUSE_MS);
    this.isPatient = true;
    if (!this.hasRung && !this.isStopped) await this.pause(POLL_MS - PAUSE_MS);
    this.isPatient = false;
    this.hasRung = false;
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
