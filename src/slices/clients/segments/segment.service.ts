import { NO_JSON, type Row } from "../../../core/db/db.js";
import { DomainError, notFound, validationFailed } from "../../../core/errors/domain-error.js";
import { formatOf } from "../../../core/files/sheet-rule.js";
import { shownName } from "../../../core/files/shown-name.js";
import { compileFilter } from "../../../core/lists/compile-filter.js";
import { filterErrors } from "../../../core/lists/filter-errors.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import { resourceService, type ResourceService } from "../../../core/resources/resource-service.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { clientList } from "../client.model.js";
import { segmentUploads } from "./segment-upload.jobs.js";
import {
  CLIENT_FILE,
  type CreateClientSegmentInput,
  type SegmentClientsInput,
  type UpdateClientSegmentInput,
  type UploadClientSegmentInput,
} from "./segment.inputs.js";
import { type ClientSegment, clientSegmentList } from "./segment.model.js";
import {
  addClients,
  couponOfSegment,
  type ListChange,
  lockSegment,
  removeClients,
  replaceClients,
} from "./segment.sql.js";

type UploadRow = Row<"ClientSegmentUpload">;

const segments = resourceService<ClientSegment>("ClientSegment", clientSegmentList, {
  refuseRemoval: async (scope, id) => {
    const coupon = await couponOfSegment(scope, id);
    if (coupon === null) return;
    throw new DomainError(
      "CONFLICT",
      `Coupon ${coupon.id} (${coupon.name}) is for the segment or excludes it.`,
    );
  },
});

/** Segments with their lists of clients, which are written along. */
export const segmentService: ResourceService<ClientSegment> = {
  ...segments,
  create: (scope, input) => {
    const { clientIds, externalIds, filter, ...values } = input as CreateClientSegmentInput;
    assertFilter(filter);
    return scope.transaction(async (inside) => {
      const { id } = await segments.create(inside, { ...values, ...(filter != null && { filter }) });
      // The list of a new segment belongs to its first version.
      await addNamed(inside, id, { clientIds, externalIds }, { movesVersion: false });
      return segments.get(inside, id);
    });
  },
  update: (scope, id, input) => {
    const { clientIds, externalIds, filter, ...values } = input as UpdateClientSegmentInput;
    assertFilter(filter);
    const stored = filter === undefined ? {} : { filter: filter ?? NO_JSON };
    return scope.transaction(async (inside) => {
      const before = await lockSegment(inside, id);
      if (before === null) throw notFound("ClientSegment");
      const { version } = await segments.update(inside, id, { ...values, ...stored });
      if (clientIds !== undefined || externalIds !== undefined) {
        const clients = { clientIds: clientIds ?? [], externalIds: externalIds ?? [] };
        await replaceClients(inside, id, clients, { movesVersion: version === before });
      }
      return segments.get(inside, id);
    });
  },
};

/** Adds clients to the list of a segment. @throws DomainError NOT_FOUND. */
export const addSegmentClients = (scope: CompanyScope, id: number, input: SegmentClientsInput) =>
  changeList(scope, id, (inside) => addNamed(inside, id, input));

/** Takes clients off the list of a segment. @throws DomainError NOT_FOUND. */
export const removeSegmentClients = (scope: CompanyScope, id: number, input: SegmentClientsInput) =>
  changeList(scope, id, async (inside) => {
    await removeClients(inside, id, {
      clientIds: input.clientIds ?? [],
      externalIds: input.externalIds ?? [],
    });
  });

function changeList(
  scope: CompanyScope,
  id: number,
  change: (inside: CompanyScope) => Promise<void>,
): Promise<ClientSegment> {
  return scope.transaction(async (inside) => {
    if ((await lockSegment(inside, id)) === null) throw notFound("ClientSegment");
    await change(inside);
    return segments.get(inside, id);
  });
}

async function addNamed(
  inside: CompanyScope,
  id: number,
  { clientIds = [], externalIds = [] }: SegmentClientsInput,
  change?: ListChange,
): Promise<void> {
  if (clientIds.length + externalIds.length > 0)
    await addClients(inside, id, { clientIds, externalIds }, change);
}

/** @throws DomainError VALIDATION_FAILED. */
function assertFilter(filter: Filter | null | undefined): void {
  const errors = filter == null ? [] : filterErrors(filter, clientList.fields);
  if (errors.length > 0) throw validationFailed(errors);
}

/** Returns those of some clients that the filter of a segment fits. */
export async function clientsThatFit(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  filter: Filter,
  clientIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const AND = compileFilter(filter, clientList.fields);
  const found = await db.client.findMany({
    where: { companyId, id: { in: [...clientIds] }, deletedAt: null, AND },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}

/** Those of some clients who are in one of some segments: on its list, or fitting its filter by now. */
export async function clientsIn(
  scope: Pick<CompanyScope, "db" | "companyId">,
  segmentIds: readonly number[],
  clientIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { db, companyId } = scope;
  if (segmentIds.length === 0 || clientIds.length === 0) return new Set();
  const segments = await db.clientSegment.findMany({ where: { companyId, id: { in: [...segmentIds] } } });
  const listed = await db.clientSegmentMember.findMany({
    where: { companyId, segmentId: { in: [...segmentIds] }, clientId: { in: [...clientIds] } },
    select: { clientId: true },
  });
  const found = new Set(listed.map(({ clientId }) => clientId));
  for (const { filter } of segments)
    if (filter !== null)
      for (const id of await clientsThatFit(scope, filter as Filter, clientIds)) found.add(id);
  return found;
}

/**
 * Keeps a list of clients and adds the job for it, in one transaction.
 *
 * @throws DomainError NOT_FOUND.
 */
export function uploadClients(
  scope: CompanyScope,
  segmentId: number,
  { file }: UploadClientSegmentInput,
): Promise<UploadRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if ((await lockSegment(inside, segmentId)) === null) throw notFound("ClientSegment");
    const upload = await db.clientSegmentUpload.create({
      data: {
        companyId,
        segmentId,
        fileName: shownName(file.name),
        format: formatOf(file.name, CLIENT_FILE) as string,
        fileKey: file.key,
      },
    });
    await segmentUploads.schedule(inside, upload.id);
    return upload;
  });
}

/** @throws DomainError NOT_FOUND. */
export async function getUpload({ db, companyId }: CompanyScope, id: number): Promise<UploadRow> {
  const upload = await db.clientSegmentUpload.findFirst({ where: { companyId, id } });
  if (upload === null) throw notFound("ClientSegmentUpload");
  return upload;
}
