import { Args, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../access/access.js";
import type { Area } from "../access/permissions.js";
import { Company, EntityId, Input, WithDeleted } from "../operations/operation-arguments.js";
import type { ListArguments, ListDefinition } from "../lists/list-definition.js";
import type { CompanyScope } from "../scope/company-scope.js";
import { isSoftDeleted, type ModelName } from "../scope/tenant-models.js";
import { referenceService, type ReferenceService } from "./resource-service.js";

/** What the five operations of a plain resource are made of. */
export interface ReferenceResource<Row extends object> {
  readonly model: ModelName;
  readonly type: new () => Row;
  readonly list: ListDefinition<Row>;
  /** Name of the list, such as `serviceCharges`. */
  readonly plural: string;
  /** Reading needs `access_<area>`, writing `can_edit_<area>`. */
  readonly area: Area;
  /** Clients of the company need no permission; the service shows them their own rows alone. */
  readonly forClients?: boolean;
  readonly create: new () => object;
  readonly update: new () => object;
  /** Reads and writes rows without further rules when absent. */
  readonly service?: ReferenceService<Row>;
}

/**
 * The resolver of a plain resource: `branches`, `branch`, `createBranch`, `updateBranch` and `deleteBranch`
 * for the model `Branch`.
 */
export function referenceResolver<Row extends object>(resource: ReferenceResource<Row>): new () => object {
  const { model, type, list, plural, area } = resource;
  const softDeleted = isSoftDeleted(model);
  const service = resource.service ?? referenceService<Row>(model, list);
  const clients = { orAnyClient: resource.forClients ?? false };
  const [one, many] = [words(model), words(plural)];
  const aOne = `${/^[aeiou]/u.test(one) ? "an" : "a"} ${one}`;
  const order = list.defaultOrder[0]?.field === "id" ? "newest first" : "in their order";

  @Resolver(() => type)
  class ReferenceResolver {
    @RequirePermission(`access_${area}`, clients)
    @Query(() => list.Connection, {
      name: plural,
      description: `The company's ${many}, ${order} unless ordered.`,
    })
    list(@Company() company: CompanyScope, @Args(() => list.Args) args: ListArguments) {
      return service.list(company, args);
    }

    @RequirePermission(`access_${area}`, clients)
    @Query(() => type, { name: camelCase(model), description: `One ${one}. NOT_FOUND when there is none.` })
    show(@Company() company: CompanyScope, @EntityId("id", model) id: number, withDeleted?: boolean | null) {
      return service.get(company, id, withDeleted ?? false);
    }

    @RequirePermission(`can_edit_${area}`, clients)
    @Mutation(() => type, { name: `create${model}`, description: `Creates ${aOne}.` })
    create(
      @Company() company: CompanyScope,
      @Input(() => resource.create, { description: `The ${one}.` }) input: object,
    ) {
      return service.create(company, input);
    }

    @RequirePermission(`can_edit_${area}`, clients)
    @Mutation(() => type, {
      name: `update${model}`,
      description: `Changes ${aOne}; what is absent stays as it is.`,
    })
    update(
      @Company() company: CompanyScope,
      @EntityId("id", model) id: number,
      @Input(() => resource.update, { description: "The changes." }) input: object,
    ) {
      return service.update(company, id, input);
    }

    @RequirePermission(`can_edit_${area}`, clients)
    @Mutation(() => type, {
      name: `delete${model}`,
      description: softDeleted
        ? `Deletes ${aOne}; it can be restored. Answers what it is.`
        : `Deletes ${aOne}; answers what it was. What belongs to it goes with it, links too; CONFLICT while other records refer to it.`,
    })
    delete(@Company() company: CompanyScope, @EntityId("id", model) id: number) {
      return service.remove(company, id);
    }
  }

  if (softDeleted) {
    WithDeleted(area)(ReferenceResolver.prototype, "show", 2);
  }
  return ReferenceResolver;
}

function camelCase(model: string): string {
  return model.charAt(0).toLowerCase() + model.slice(1);
}

function words(name: string): string {
  return name.replace(/(?<=[a-z])([A-Z])/gu, " $1").toLowerCase();
}
