import { Args, Mutation, Query, Resolver } from "type-graphql";
import { Open, RequirePermission } from "../access/access.js";
import type { Area } from "../access/permissions.js";
import type { Connection } from "../lists/connection.js";
import { ValueCount } from "../lists/list-counts.js";
import type { CountArguments, ListArguments, ListDefinition } from "../lists/list-definition.js";
import { lowerFirst } from "../names.js";
import { Audited } from "../operations/audited.js";
import { bulkResolver, type BulkAccess, type BulkAction } from "../operations/bulk-operation.js";
import { Company, EntityId, Input, WithDeleted, type StoredRule } from "../operations/operation-arguments.js";
import type { CompanyScope } from "../scope/company-scope.js";
import { isSoftDeleted, type ModelName } from "../scope/tenant-models.js";
import { resourceService } from "./resource-service.js";

/** The five operations of a resource. */
type OperationName = "list" | "show" | "create" | "update" | "delete";

type ResolverClass = new () => object;

/** Describes a resource; only what differs from a plain one has to be given. */
export interface Resource<Row extends object> {
  readonly model: ModelName;
  readonly type: new () => Row;
  readonly list: ListDefinition<Row>;
  /** Name of the list, such as `serviceCharges`. */
  readonly plural: string;
  /** Reading needs `access_<area>`, writing `can_edit_<area>`. */
  readonly area: Area;
  /**
   * `everyone`: nobody needs a token to read. `clients`: clients read and write, and the service shows them only
   * their own rows.
   */
  readonly openTo?: "everyone" | "clients";
  /** Input of the operation `create`; without it there is no such operation. */
  readonly create?: new () => object;
  /** Input of the operation `update`; without it there is no such operation. */
  readonly update?: new () => object;
  /** `false` when there is no operation `delete`. */
  readonly deletable?: boolean;
  /** Actions on many rows, besides their deletion. */
  readonly bulk?: readonly Omit<BulkAction, "type">[];
  /** Finds wrong fields of the input of `create` that only stored rows can show. */
  readonly createRule?: StoredRule;
  /** Finds wrong fields of the input of `update` that only stored rows can show. */
  readonly updateRule?: StoredRule;
  /** Descriptions in place of the plain ones. */
  readonly descriptions?: Partial<Record<OperationName, string>>;
  /** Functions with rules of their own; the others are those of `resourceService`. */
  readonly service?: Partial<ResourceFunctions>;
}

/** The functions of a service that the operations call; they answer rows. */
interface ResourceFunctions {
  list(scope: CompanyScope, args: ListArguments): Promise<Connection<object>>;
  counts(scope: CompanyScope, args: CountArguments): Promise<ValueCount[]>;
  get(scope: CompanyScope, id: number, withDeleted?: boolean): Promise<object>;
  create(scope: CompanyScope, input: object): Promise<object>;
  update(scope: CompanyScope, id: number, input: object): Promise<object>;
  remove(scope: CompanyScope, id: number): Promise<object>;
}

/** A resource with every default in its place. */
interface Whole<Row extends object> extends Omit<Resource<Row>, "service"> {
  readonly service: ResourceFunctions;
  readonly describe: (operation: OperationName, plain: string) => string;
  /** The model's name in words: `service charge`. */
  readonly one: string;
  readonly aOne: string;
}

/**
 * The resolvers of a resource: `branches`, `branch`, `createBranch`, `updateBranch`, `deleteBranch` and
 * `deleteBranches` for the model `Branch`, and its bulk actions.
 */
export function resourceResolvers<Row extends object>(resource: Resource<Row>): ResolverClass[] {
  const { model, list, service, descriptions = {}, bulk = [] } = resource;
  const one = words(model);
  const whole: Whole<Row> = {
    ...resource,
    service: { ...resourceService<Row>(model, list), ...service },
    describe: (operation, plain) => descriptions[operation] ?? plain,
    one,
    aOne: `${/^[aeiou]/u.test(one) ? "an" : "a"} ${one}`,
  };
  return [
    listResolver(whole),
    ...(list.CountArgs === null ? [] : [countsResolver(whole, list.CountArgs)]),
    showResolver(whole),
    ...(resource.create === undefined ? [] : [createResolver(whole, resource.create)]),
    ...(resource.update === undefined ? [] : [updateResolver(whole, resource.update)]),
    ...(resource.deletable === false
      ? []
      : [deleteResolver(whole), bulkResolver(bulkDeletion(whole), writingAccess(resource))]),
    ...bulk.map((action) => bulkResolver({ ...action, type: resource.type }, writingAccess(resource))),
  ];
}

function listResolver<Row extends object>(resource: Whole<Row>): ResolverClass {
  const { type, list, plural, service } = resource;
  const order = list.defaultOrder[0]?.field === "id" ? "newest first" : "in their order";
  const description = resource.describe("list", `The company's ${words(plural)}, ${order} unless ordered.`);

  @Resolver(() => type)
  class ListResolver {
    @Reading(resource)
    @Query(() => list.Connection, { name: plural, description })
    list(@Company() company: CompanyScope, @Args(() => list.Args) args: ListArguments) {
      return service.list(company, args);
    }
  }
  return ListResolver;
}

function countsResolver<Row extends object>(
  resource: Whole<Row>,
  CountArgs: new () => CountArguments,
): ResolverClass {
  const { model, type, plural, service } = resource;
  const description = `How many ${words(plural)} there are for each value of a field, the most frequent first, at most 1,000.`;

  @Resolver(() => type)
  class CountsResolver {
    @Reading(resource)
    @Query(() => [ValueCount], { name: `${lowerFirst(model)}Counts`, description })
    counts(@Company() company: CompanyScope, @Args(() => CountArgs) args: CountArguments) {
      return service.counts(company, args);
    }
  }
  return CountsResolver;
}

function showResolver<Row extends object>(resource: Whole<Row>): ResolverClass {
  const { model, type, area, one, service } = resource;
  const description = resource.describe("show", `One ${one}. NOT_FOUND when there is none.`);

  @Resolver(() => type)
  class ShowResolver {
    @Reading(resource)
    @Query(() => type, { name: lowerFirst(model), description })
    show(@Company() company: CompanyScope, @EntityId("id", model) id: number, withDeleted?: boolean) {
      return service.get(company, id, withDeleted);
    }
  }
  if (isSoftDeleted(model) && resource.list.asksForDeleted)
    WithDeleted(area)(ShowResolver.prototype, "show", 2);
  return ShowResolver;
}

function createResolver<Row extends object>(resource: Whole<Row>, input: new () => object): ResolverClass {
  const { model, type, one, aOne, service, createRule } = resource;
  const description = resource.describe("create", `Creates ${aOne}.`);
  const body = { description: `The ${one}.`, ...(createRule !== undefined && { stored: createRule }) };

  @Resolver(() => type)
  class CreateResolver {
    @Writing(resource)
    @Audited()
    @Mutation(() => type, { name: `create${model}`, description })
    create(@Company() company: CompanyScope, @Input(() => input, body) values: object) {
      return service.create(company, values);
    }
  }
  return CreateResolver;
}

function updateResolver<Row extends object>(resource: Whole<Row>, input: new () => object): ResolverClass {
  const { model, type, aOne, service, updateRule } = resource;
  const description = resource.describe("update", `Changes ${aOne}; what is absent stays as it is.`);
  const body = { description: "The changes.", ...(updateRule !== undefined && { stored: updateRule }) };

  @Resolver(() => type)
  class UpdateResolver {
    @Writing(resource)
    @Audited()
    @Mutation(() => type, { name: `update${model}`, description })
    update(
      @Company() company: CompanyScope,
      @EntityId("id", model) id: number,
      @Input(() => input, body) changes: object,
    ) {
      return service.update(company, id, changes);
    }
  }
  return UpdateResolver;
}

function deleteResolver<Row extends object>(resource: Whole<Row>): ResolverClass {
  const { model, type, aOne, service } = resource;
  const plain = isSoftDeleted(model)
    ? `Deletes ${aOne}; it can be restored. Answers what it is.`
    : `Deletes ${aOne}; answers what it was. What belongs to it goes with it, links too; CONFLICT while other rows refer to it.`;

  @Resolver(() => type)
  class DeleteResolver {
    @Writing(resource)
    @Audited()
    @Mutation(() => type, { name: `delete${model}`, description: resource.describe("delete", plain) })
    delete(@Company() company: CompanyScope, @EntityId("id", model) id: number) {
      return service.remove(company, id);
    }
  }
  return DeleteResolver;
}

function bulkDeletion<Row extends object>({ model, type, plural, service }: Whole<Row>): BulkAction {
  return {
    type,
    name: `delete${plural.charAt(0).toUpperCase()}${plural.slice(1)}`,
    description: `Deletes ${words(plural)}, each as \`delete${model}\` does.`,
    each: (scope, id) => service.remove(scope, id),
  };
}

function Reading({ area, openTo }: Pick<Resource<object>, "area" | "openTo">): MethodDecorator {
  if (openTo === "everyone") return Open();
  return RequirePermission(`access_${area}`, { orAnyClient: openTo === "clients" });
}

function Writing(resource: Pick<Resource<object>, "area" | "openTo">): MethodDecorator {
  const { permission, ...options } = writingAccess(resource);
  return RequirePermission(permission, options);
}

function writingAccess({ area, openTo }: Pick<Resource<object>, "area" | "openTo">): BulkAccess {
  return { permission: `can_edit_${area}`, orAnyClient: openTo === "clients" };
}

function words(name: string): string {
  return name.replace(/(?<=[a-z])([A-Z])/gu, " $1").toLowerCase();
}
