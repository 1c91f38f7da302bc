import { Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { Audited } from "../../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../../core/operations/operation-arguments.js";
import { resourceResolvers } from "../../../core/resources/resource-resolver.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { externalIdsExist } from "./external-ids.rule.js";
import {
  CreateClientSegmentInput,
  SegmentClientsInput,
  UpdateClientSegmentInput,
  UploadClientSegmentInput,
} from "./segment.inputs.js";
import { ClientSegment, clientSegmentList, ClientSegmentUpload } from "./segment.model.js";
import * as service from "./segment.service.js";

export const clientSegmentCrud = resourceResolvers({
  model: "ClientSegment",
  type: ClientSegment,
  list: clientSegmentList,
  plural: "clientSegments",
  area: "clients",
  create: CreateClientSegmentInput,
  update: UpdateClientSegmentInput,
  createRule: externalIdsExist,
  updateRule: externalIdsExist,
  service: service.segmentService,
  descriptions: {
    create:
      "Creates a segment of clients, for whom coupons may be (`config.segmentIds`) or not (`config.excludedSegmentIds`).",
    delete:
      "Deletes a segment. CONFLICT while a coupon that is not finished is for it or excludes it; the coupon is named.",
  },
});

@Resolver()
export class ClientSegmentResolver {
  @RequirePermission("can_edit_clients")
  @Audited()
  @Mutation(() => ClientSegment, {
    description: "Adds clients to the list of a segment; who is on it stays.",
  })
  addSegmentClients(
    @Company() company: CompanyScope,
    @EntityId("segmentId", "ClientSegment") segmentId: number,
    @Input(() => SegmentClientsInput, { description: "The clients.", stored: externalIdsExist })
    input: SegmentClientsInput,
  ) {
    return service.addSegmentClients(company, segmentId, input);
  }

  @RequirePermission("can_edit_clients")
  @Audited()
  @Mutation(() => ClientSegment, { description: "Takes clients off the list of a segment." })
  removeSegmentClients(
    @Company() company: CompanyScope,
    @EntityId("segmentId", "ClientSegment") segmentId: number,
    @Input(() => SegmentClientsInput, { description: "The clients.", stored: externalIdsExist })
    input: SegmentClientsInput,
  ) {
    return service.removeSegmentClients(company, segmentId, input);
  }

  @RequirePermission("can_edit_clients")
  @Audited()
  @Mutation(() => ClientSegmentUpload, {
    description:
      "Adds the clients of a file to the list of a segment. The answer comes before the lines are read; a wrong line never " +
      "stops the others.",
  })
  uploadClientSegment(
    @Company() company: CompanyScope,
    @EntityId("segmentId", "ClientSegment") segmentId: number,
    @Input(() => UploadClientSegmentInput, { description: "The file." }) input: UploadClientSegmentInput,
  ) {
    return service.uploadClients(company, segmentId, input);
  }

  @RequirePermission("access_clients")
  @Query(() => ClientSegmentUpload, {
    description:
      "What came of a list of clients so far. It is kept for 30 days after its end. NOT_FOUND when there is none.",
  })
  clientSegmentUpload(@Company() company: CompanyScope, @EntityId("id", "ClientSegmentUpload") id: number) {
    return service.getUpload(company, id);
  }
}
