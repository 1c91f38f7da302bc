import { Args, Ctx, Query, Resolver } from "type-graphql";
import { SignedIn } from "../../core/access/access.js";
import { Followed } from "../../core/operations/followed.js";
import { Company } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Change, ChangeConnection, ChangesArgs } from "./change.model.js";
import { listChanges } from "./change.service.js";

@Resolver(() => Change)
export class ChangeResolver {
  @SignedIn()
  @Followed(
    "Each change of the company once it is committed, by whatever mutation, import or job, in the order of commit. It begins " +
      "behind the header `Last-Event-ID`, else behind `after`, else now; the id of each event is the cursor of its change. For " +
      "admins and the platform; types whose area the caller may not read are left out, and FORBIDDEN when they are named.",
  )
  @Query(() => ChangeConnection, {
    description:
      "What has changed in the company, by whatever mutation, import or job, in the order of commit: who goes on behind the last " +
      "`endCursor` gets each committed change exactly once. For admins and the platform; types whose area the caller may not " +
      "read are left out, and FORBIDDEN when the filter names them. Who is bound to shops gets changes of rows that it reads, and the one by " +
      "which a row has left them or is gone; a page may then be empty although more follow. CURSOR_EXPIRED (410) for a place behind which not all changes " +
      "are kept any more: read all rows anew.",
  })
  changes(
    @Company() company: CompanyScope,
    @Args(() => ChangesArgs) args: ChangesArgs,
    @Ctx() context: OperationContext,
  ): Promise<ChangeConnection> {
    return listChanges(company, args, context);
  }
}
