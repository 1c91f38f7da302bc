import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { SignedIn } from "../access/access.js";
import { mayReadArea } from "../access/has-permission.js";
import { areaForbidden, notFound } from "../errors/domain-error.js";
import { isId } from "../integers.js";
import { Company } from "../operations/operation-arguments.js";
import type { OperationContext } from "../operations/operation-context.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { FollowedJob } from "./followed-job.js";
import { Job } from "./job.model.js";

const ID = /^(?<kind>[a-z]+(?:-[a-z]+)*)-(?<row>\d{1,10})$/u;

/** The resolver of the query `job`, which answers how far any of these jobs has come. */
export function jobResolver(jobs: readonly FollowedJob[]): new () => object {
  const byKind = new Map(jobs.map((job) => [job.kind, job]));

  @Resolver(() => Job)
  class JobResolver {
    @SignedIn()
    @Query(() => Job, {
      description:
        "How far a job has come. For whoever may see or edit what it is done for, such as the area `coupons`; " +
        "FORBIDDEN for others. NOT_FOUND when there is none.",
    })
    async job(
      @Ctx() context: OperationContext,
      @Company() company: CompanyScope,
      @Arg("id", () => String, { description: "Id of the job, as `Coupon.generation.jobId` gives it." })
      id: string,
    ): Promise<Job> {
      const { kind = "", row } = ID.exec(id)?.groups ?? {};
      const job = byKind.get(kind);
      const rowId = Number(row);
      if (job === undefined || !isId(rowId)) throw notFound("Job");
      if (!(await mayReadArea(context, company.companyId, job.area))) throw areaForbidden(job.area);
      return { id, ...(await job.progress(company, rowId)) };
    }
  }
  return JobResolver;
}
