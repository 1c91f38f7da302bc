import type { FastifyRequest } from "fastify";
import { progressName, type JobProgress } from "../../core/jobs/followed-job.js";
import { forbidden } from "../../core/errors/domain-error.js";
import { presentError } from "../../engine/errors/present.js";
import { Admissions } from "../../engine/request/admissions.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import type { StreamEvent } from "../http/event-stream.js";
import type { Feed, Rights, Seen } from "../http/event-route.js";
import { dataOf } from "./result-data.js";
import { RestHandler, type RestEngines } from "./rest-handler.js";
import type { RestRoute } from "./rest-route.js";
import { WrongParameters } from "./wrong-parameters.js";

/** The progress of a job as it comes on. */
export class JobEvents implements Feed {
  private readonly handler: RestHandler;
  private readonly operation: PreparedOperation;

  constructor(
    private readonly route: RestRoute,
    engines: RestEngines,
  ) {
    this.handler = new RestHandler(route, engines, ({ url }) => url, []);
    this.operation = engines.documents.ownOperation(`${route.name} events`, () =>
      route.document(route.selection, null),
    );
  }

  newsName(companyId: number, { params }: FastifyRequest): string {
    return progressName(companyId, (params as { jobId: string }).jobId);
  }

  async look(
    request: FastifyRequest,
    asked: Request,
    place: string | null,
    before?: Rights | null,
  ): Promise<Seen> {
    const progress = await this.progress(request, asked).catch(async (error: unknown) => {
      throw before !== undefined && (await this.isBeyond(request, asked, error))
        ? forbidden("The job is beyond the shops of its follower.")
        : error;
    });
    const event = eventOf(progress);
    return {
      events: event.id === place ? [] : [event],
      place: event.id,
      isPlaceSent: false,
      hasMore: false,
      isOver: progress.state !== "running",
      rights: null,
      last: ({ status }) => (status === 404 ? [eventOf({ ...progress, state: "failed" })] : []),
    };
  }

  private async progress(request: FastifyRequest, asked: Request): Promise<JobProgress> {
    const wrong = new WrongParameters();
    const { variables, inputErrors } = this.handler.variables.bind(request, null, wrong);
    wrong.assertNone();
    const result = await this.operation.run(asked, variables, { inputErrors });
    return dataOf(result)[this.route.root] as JobProgress;
  }

  /** Whether a job that is not found is there all the same, and the caller who is bound to shops does not reach it any more. */
  private async isBeyond(request: FastifyRequest, asked: Request, error: unknown): Promise<boolean> {
    if (presentError(error).status !== 404 || asked.admissions.boundsOfCaller() === null) return false;
    const { runtime, at } = asked;
    const admissions = new Admissions(PLATFORM, { runtime, at, trace: null });
    return this.progress(request, { ...asked, caller: PLATFORM, admissions }).then(
      () => true,
      (refusal: unknown) => presentError(refusal).status !== 404,
    );
  }
}

const PLATFORM = { kind: "platform" } as const;

const EVENTS = { running: "progress", done: "done", failed: "failed" } as const;

/** The id of an event is the progress itself, so any instance can see whether a client knows it. */
function eventOf({ state, done, total }: JobProgress): StreamEvent & { readonly id: string } {
  return { id: `${state}-${done}`, event: EVENTS[state], data: { done, total } };
}
