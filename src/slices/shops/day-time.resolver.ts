import { Query, Resolver } from "type-graphql";
import { Open } from "../../core/access/access.js";
import { isUnchanged, UnlessChangedSince } from "../../core/operations/changed-since.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { DayTime } from "./day-time.model.js";
import { getDayTime } from "./day-time.service.js";

@Resolver()
export class DayTimeResolver {
  @Open()
  @Query(() => DayTime, {
    description:
      "Day and time at a branch, and whether it is open. Null when neither the branch nor the company whose zone it " +
      "goes by has changed since `updatedAt`: the clock goes on by itself. NOT_FOUND when there is no such branch.",
  })
  async dayTime(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @UnlessChangedSince() since: Date | null,
  ): Promise<DayTime | null> {
    const dayTime = await getDayTime(company, branchId);
    return isUnchanged(dayTime, since) ? null : dayTime;
  }
}
