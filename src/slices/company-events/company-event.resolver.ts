import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { Ctx, FieldResolver, Mutation, Resolver, Root } from "type-graphql";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { hasPermission } from "../../core/access/has-permission.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { writesOf } from "../../core/scope/row-reach.sql.js";
import { ACTIONS_BY_STATUS, eventStatusAt, type CompanyEventAction } from "./company-event-actions.rules.js";
import { shownConfig } from "./company-event-config.js";
import * as lifecycle from "./company-event-lifecycle.service.js";
import {
  CreateCompanyEventInput,
  SetCompanyEventReadyInput,
  UpdateCompanyEventInput,
} from "./company-event.inputs.js";
import {
  CompanyEvent,
  CompanyEventActionEnum,
  CompanyEventConfig,
  CompanyEventStatusEnum,
  type CompanyEventRow,
  companyEventList,
} from "./company-event.model.js";
import * as companyEventService from "./company-event.service.js";
import { seedHash } from "./draw.rules.js";

const isWritten = writesOf("CompanyEvent");

/** Lists, shows, creates and changes events; none is ever deleted. */
export const companyEventCrud = resourceResolvers({
  model: "CompanyEvent",
  type: CompanyEvent,
  list: companyEventList,
  plural: "companyEvents",
  area: "company_events",
  create: CreateCompanyEventInput,
  update: UpdateCompanyEventInput,
  deletable: false,
  descriptions: {
    list: "The company's events, newest first unless ordered. The seed of a finished one can be seen.",
    create: "Creates an event, pending until it is set ready.",
    update: "Changes a pending event; what is absent stays as it is. INVALID_STATE in any other status.",
  },
  service: {
    list: companyEventService.listCompanyEvents,
    counts: companyEventService.countCompanyEvents,
    get: companyEventService.getCompanyEvent,
    create: companyEventService.createCompanyEvent,
    update: companyEventService.updateCompanyEvent,
  },
});

@Resolver(() => CompanyEvent)
export class CompanyEventResolver {
  @RequirePermission("can_edit_company_events")
  @Audited()
  @Mutation(() => CompanyEvent, {
    description:
      "Sets a pending event ready: it runs from `startsAt` on, or at once when that is not in the future. Its " +
      "secret seed is made now, and `seedHash` published. INVALID_STATE in any other status.",
  })
  setCompanyEventReady(
    @Company() company: CompanyScope,
    @EntityId("companyEventId", "CompanyEvent") companyEventId: number,
    @Input(() => SetCompanyEventReadyInput, { nullable: true, description: "When it runs, to change that." })
    input: SetCompanyEventReadyInput | null | undefined,
  ) {
    return lifecycle.setCompanyEventReady(company, companyEventId, input ?? {});
  }

  @RequirePermission("can_edit_company_events")
  @Audited()
  @Mutation(() => CompanyEvent, {
    description: "Ends a running event now and reveals its seed. INVALID_STATE in any other status.",
  })
  setCompanyEventFinished(
    @Company() company: CompanyScope,
    @EntityId("companyEventId", "CompanyEvent") companyEventId: number,
  ) {
    return lifecycle.setCompanyEventFinished(company, companyEventId);
  }

  @FieldResolver(() => CompanyEventStatusEnum, {
    description: "Where it stands. Due times count from their very moment.",
  })
  status(@Root() event: CompanyEventRow, @Ctx() { at }: OperationContext): string {
    return eventStatusAt(event, at);
  }

  @FieldResolver(() => CompanyEventConfig, { description: "What it gives away and what it says." })
  config(@Root() event: CompanyEventRow): CompanyEventConfig {
    return shownConfig(event);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "SHA-256 of the secret seed in hexadecimal, from the moment the event is set ready; null before.",
  })
  seedHash(@Root() { seed }: CompanyEventRow): string | null {
    return seed === null ? null : seedHash(seed);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The secret seed in hexadecimal, after the event is finished; null before: who knows it knows all draws.",
  })
  seed(@Root() event: CompanyEventRow, @Ctx() { at }: OperationContext): string | null {
    if (event.seed === null || eventStatusAt(event, at) !== "finished") return null;
    return Buffer.from(event.seed).toString("hex");
  }

  @FieldResolver(() => [CompanyEventActionEnum], {
    description: "What the status and the caller's permissions allow now.",
  })
  async allowedActions(
    @Root() event: CompanyEventRow,
    @Ctx() context: OperationContext,
  ): Promise<readonly CompanyEventAction[]> {
    const { id, companyId } = event;
    const mayEdit = await hasPermission(context, companyId, "can_edit_company_events");
    if (!mayEdit || !(await isWritten(context.companyScope(companyId), id))) return [];
    return ACTIONS_BY_STATUS[eventStatusAt(event, context.at)];
  }
}
