import type { FastifyRequest } from "fastify";
import { progressName, type JobProgress } from "../../core/jobs/followed-job.js";
import type { PreparedOperation } from "../../engine/execution/documents.js";
import type { Request } from "../../engine/request/request.js";
import type { StreamEvent } from "../http/event-stream.js";
import type { Feed, Seen } from "../http/event-route.js";
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

  async look(request: FastifyRequest, asked: Request, place: string | null): Promise<Seen> {
    const wrong = new WrongParameters();
    const { variables, inputErrors } = this.handler.variables.bind(request, null, wrong);
    wrong.assertNone();
    const result = await this.operation.run(asked, variables, { inputErrors });
    const progress = dataOf(result)[this.route.root] as JobProgress;
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
}

const EVENTS = { running: "progress", done: "done", failed: "failed" } as const;

/** The id of an event is the progress itself, so any instance can see whether a client knows it. */
function eventOf({ state, done, total }: JobProgress): StreamEvent & { readonly id: string } {
  return { id: `${state}-${done}`, event: EVENTS[state], data: { done, total } };
}
