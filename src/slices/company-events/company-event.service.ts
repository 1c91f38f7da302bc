import { notFound } from "../../core/errors/domain-error.js";
import type { Conditions } from "../../core/lists/compile-filter.js";
import type { Connection } from "../../core/lists/connection.js";
import { listCounts, type ValueCount } from "../../core/lists/list-counts.js";
import type { CountArguments, ListArguments } from "../../core/lists/list-definition.js";
import { listPage, type ListSource } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { statusCondition } from "../../core/schedule/status-filter.js";
import { mergeTimes } from "../../core/schedule/schedule.js";
import type { JsonObject } from "../../core/db/db.js";
import { assertMay } from "./company-event-actions.rules.js";
import { eventConfig, type StoredEventConfig } from "./company-event-config.js";
import { assertInOrder, mergeConfig } from "./company-event-input.rules.js";
import type { CreateCompanyEventInput, UpdateCompanyEventInput } from "./company-event.inputs.js";
import { type CompanyEvent, type CompanyEventRow, companyEventList } from "./company-event.model.js";
import { lockEvent } from "./company-event.sql.js";

/** A page of events. A condition on their status counts their exact run times. */
export function listCompanyEvents(
  scope: CompanyScope,
  args: ListArguments,
): Promise<Connection<CompanyEvent>> {
  return listPage(companyEventList, eventsOf(scope), args);
}

/** Counts events by the values of a field; by status, it counts their exact run times. */
export function countCompanyEvents(scope: CompanyScope, args: CountArguments): Promise<ValueCount[]> {
  return listCounts(companyEventList, eventsOf(scope), args);
}

function eventsOf({ db, companyId, at }: CompanyScope): ListSource {
  const rewrites = { status: (conditions: Conditions) => statusCondition(conditions, at) };
  return { delegate: db.companyEvent, where: { companyId, deletedAt: null }, rewrites };
}

/** @throws DomainError NOT_FOUND. */
export async function getCompanyEvent({ db, companyId }: CompanyScope, id: number): Promise<CompanyEventRow> {
  const event = await db.companyEvent.findFirst({ where: { companyId, id, deletedAt: null } });
  if (event === null) throw notFound("CompanyEvent");
  return event;
}

/** Creates an event, which is pending until it is set ready. */
export async function createCompanyEvent(
  { db, companyId, company }: CompanyScope,
  input: CreateCompanyEventInput,
): Promise<CompanyEventRow> {
  const offset = input.timezone ?? company.timeZoneOffset;
  return db.companyEvent.create({
    data: {
      companyId,
      name: input.name,
      type: input.type,
      ...mergeTimes({ startsAt: null, endsAt: null }, input, offset),
      config: asJson(mergeConfig({}, input.config ?? {}, offset)),
    },
  });
}

/**
 * Changes an event that is pending; what is absent stays as it is.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE; VALIDATION_FAILED when it would end before it starts.
 */
export function updateCompanyEvent(
  scope: CompanyScope,
  id: number,
  input: UpdateCompanyEventInput,
): Promise<CompanyEventRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, company, at } = inside;
    if (!(await lockEvent(inside, id))) throw notFound("CompanyEvent");
    const stored = await getCompanyEvent(inside, id);
    assertMay("update", stored, at);
    const offset = input.timezone ?? company.timeZoneOffset;
    const times = mergeTimes(stored, input, offset);
    assertInOrder(times, input);
    return db.companyEvent.update({
      where: { companyId_id: { companyId, id } },
      data: {
        ...(input.name !== undefined && { name: input.name }),
        ...(input.type !== undefined && { type: input.type }),
        ...times,
        ...(input.config !== undefined && {
          config: asJson(
            mergeConfig(input.config === null ? {} : eventConfig(stored), input.config ?? {}, offset),
          ),
        }),
      },
    });
  });
}

function asJson(config: StoredEventConfig): JsonObject {
  return { ...config } as JsonObject;
}
