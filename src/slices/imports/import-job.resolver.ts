import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { NeedsRoom } from "../../core/operations/room-rule.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { ImportGoodsInput } from "./import-goods.inputs.js";
import { MOST_ERRORS_KEPT } from "./import-errors.rules.js";
import {
  importErrorList,
  ImportJob,
  ImportPictures,
  importJobList,
  type StoredImportJob,
} from "./import-job.model.js";
import * as importJobService from "./import-job.service.js";
import { optionsRule } from "./import-options.rule.js";

const { Args: ImportJobsArgs, Connection: ImportJobConnection } = importJobList;
type ImportJobsArgs = InstanceType<typeof ImportJobsArgs>;
const { Args: ImportErrorsArgs, Connection: ImportErrorConnection } = importErrorList;
type ImportErrorsArgs = InstanceType<typeof ImportErrorsArgs>;

const INPUT = { description: "The spreadsheet, and how it is read.", stored: optionsRule };

@Resolver(() => ImportJob)
export class ImportJobResolver {
  @RequirePermission("can_import_goods")
  @Query(() => ImportJobConnection, {
    description: "Imports of goods, newest first unless ordered. They are kept for 30 days after their end.",
  })
  importJobs(@Company() company: CompanyScope, @Args(() => ImportJobsArgs) args: ImportJobsArgs) {
    return importJobService.listImports(company, args);
  }

  @RequirePermission("can_import_goods")
  @Query(() => ImportJob, { description: "One import of goods. NOT_FOUND when there is none." })
  importJob(@Company() company: CompanyScope, @EntityId("id", "ImportJob") id: number) {
    return importJobService.getImport(company, id);
  }

  @RequirePermission("can_import_goods")
  @Query(() => ImportErrorConnection, {
    description: `What was wrong with rows of an import, in the order of the rows unless ordered; the first ${MOST_ERRORS_KEPT.toLocaleString("en")} errors are kept.`,
  })
  importErrors(
    @Company() company: CompanyScope,
    @EntityId("importJobId", "ImportJob") importJobId: number,
    @Args(() => ImportErrorsArgs) args: ImportErrorsArgs,
  ) {
    return importJobService.listErrors(company, importJobId, args);
  }

  @RequirePermission("can_import_goods")
  @NeedsRoom(importJobService.assertRoomToWait)
  @Audited()
  @Mutation(() => ImportJob, {
    description:
      "Imports goods of the shop that the branch belongs to, and puts them on sale at that branch. The answer comes before " +
      "the rows are read. RATE_LIMITED when 20 imports of the company wait already; FORBIDDEN for admins who are bound to " +
      "branches of the shop alone.",
  })
  importBranchGoods(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => ImportGoodsInput, INPUT) input: ImportGoodsInput,
  ) {
    return importJobService.importBranchGoods(company, branchId, input);
  }

  @RequirePermission("can_import_goods")
  @NeedsRoom(importJobService.assertRoomToWait)
  @Audited()
  @Mutation(() => ImportJob, {
    description:
      "Imports goods of one shop. The answer comes before the rows are read. RATE_LIMITED when 20 imports of the company " +
      "wait already.",
  })
  importBranchGroupGoods(
    @Company() company: CompanyScope,
    @EntityId("branchGroupId", "BranchGroup") branchGroupId: number,
    @Input(() => ImportGoodsInput, INPUT) input: ImportGoodsInput,
  ) {
    return importJobService.createImport(company, { branchGroupId, branchId: null }, input);
  }

  @RequirePermission("can_import_goods")
  @Audited()
  @Mutation(() => ImportJob, {
    description:
      "Ends an import that has not ended: it is `failed`, and what was done by then stays. INVALID_STATE when it has ended.",
  })
  cancelImport(@Company() company: CompanyScope, @EntityId("importJobId", "ImportJob") importJobId: number) {
    return importJobService.cancelImport(company, importJobId);
  }

  @FieldResolver(() => [String], { description: "Headers of the columns that are ignored." })
  ignoredColumns(@Root() { columns }: StoredImportJob): string[] {
    return columns.flatMap(({ header, field }) => (field === null && header !== "" ? [header] : []));
  }

  @FieldResolver(() => ImportPictures, {
    description: "The pictures that its rows name. They may still be on their way when it is finished.",
  })
  pictures(@Root() { picturesWanted, picturesFetched, picturesFailed }: StoredImportJob): ImportPictures {
    return { wanted: picturesWanted, fetched: picturesFetched, failed: picturesFailed };
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "URL of a copy of the sheet with one more column, which says what is wrong with each row; null without errors. It " +
      "is signed and ends after a day at most: read the job again for another.",
  })
  reportUrl(@Root() { reportKey }: StoredImportJob, @Ctx() { runtime, at }: OperationContext): string | null {
    return reportKey === null ? null : runtime.files.sheetUrlOf(reportKey, at);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "URL of a table (CSV) of all that a preview of changes found, a line for each field; null until it is finished, and " +
      "without changes. It is signed and ends after a day at most: read the job again for another.",
  })
  changesUrl(
    @Root() { changesKey }: StoredImportJob,
    @Ctx() { runtime, at }: OperationContext,
  ): string | null {
    return changesKey === null ? null : runtime.files.sheetUrlOf(changesKey, at);
  }
}
