import { Mutation, Resolver } from "type-graphql";
import { ClientOnly } from "../../core/access/access.js";
import { NotAudited } from "../../core/operations/audited.js";
import { Company } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Shake } from "./shake.model.js";
import { shake } from "./shake.service.js";

@Resolver(() => Shake)
export class ShakeResolver {
  @ClientOnly()
  @NotAudited("The draw is its record.")
  @Mutation(() => Shake, {
    description:
      "Draws once for the calling client in the event that runs; of several, in the one that started first and in which the " +
      "client has not won and a coupon can be won now. A client " +
      "wins at most once an event and draws no more after that. NOT_FOUND when no event runs.",
  })
  shake(@Company() company: CompanyScope) {
    return shake(company);
  }
}
