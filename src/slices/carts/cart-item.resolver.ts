import { Args, Ctx, FieldResolver, Float, Mutation, Query, Resolver, Root } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { CreateCartItemInput, UpdateCartItemInput } from "./cart-item.inputs.js";
import { CartItem, cartItemList, type CartItemRow, CartItemSnapshot } from "./cart-item.model.js";
import * as cartItemService from "./cart-item.service.js";

const { Args: CartItemsArgs, Connection: CartItemConnection } = cartItemList;
type CartItemsArgs = InstanceType<typeof CartItemsArgs>;

@Resolver(() => CartItem)
export class CartItemResolver {
  @RequirePermission("access_carts", { orAnyClient: true })
  @Query(() => CartItemConnection, {
    description: "The goods in a cart, newest first unless ordered. A client sees those of its own carts.",
  })
  cartItems(
    @Company() company: CompanyScope,
    @EntityId("cartId", "Cart") cartId: number,
    @Args(() => CartItemsArgs) args: CartItemsArgs,
  ) {
    return cartItemService.listCartItems(company, cartId, args);
  }

  @RequirePermission("access_carts", { orAnyClient: true })
  @Query(() => CartItem, { description: "One good in a cart. NOT_FOUND when there is none." })
  cartItem(@Company() company: CompanyScope, @EntityId("id", "CartItem") id: number) {
    return cartItemService.getCartItem(company, id);
  }

  @RequirePermission("can_edit_carts", { orAnyClient: true })
  @Audited()
  @Mutation(() => CartItem, {
    description:
      "Puts a good into a cart, at what it costs there now; each call makes a row of its own. What promos give is " +
      "shared among all rows of the cart. INVALID_STATE beyond 200 rows.",
  })
  createCartItem(
    @Company() company: CompanyScope,
    @EntityId("cartId", "Cart") cartId: number,
    @Input(() => CreateCartItemInput, { description: "The good." }) input: CreateCartItemInput,
  ) {
    return cartItemService.createCartItem(company, cartId, input);
  }

  @RequirePermission("can_edit_carts", { orAnyClient: true })
  @Audited()
  @Mutation(() => CartItem, {
    description:
      "Changes a good in a cart and prices it anew, at what it costs there now; what is absent stays as it is. " +
      "INVALID_STATE when the good is not sold any more.",
  })
  updateCartItem(
    @Company() company: CompanyScope,
    @EntityId("id", "CartItem") id: number,
    @Input(() => UpdateCartItemInput, { description: "The changes." }) input: UpdateCartItemInput,
  ) {
    return cartItemService.updateCartItem(company, id, input);
  }

  @RequirePermission("can_edit_carts", { orAnyClient: true })
  @Audited()
  @Mutation(() => CartItem, {
    description:
      "Takes a good out of its cart; answers what it was. What promos give is shared anew among the others.",
  })
  deleteCartItem(@Company() company: CompanyScope, @EntityId("id", "CartItem") id: number) {
    return cartItemService.deleteCartItem(company, id);
  }

  @FieldResolver(() => Float, {
    description:
      "How much of the branch's stock it takes, to three decimals: what was sent, else what its quantity and choices take.",
  })
  stock(@Root() { stock, stockTaken }: CartItemRow): number {
    return Number(stock ?? stockTaken);
  }

  @FieldResolver(() => CartItemSnapshot, {
    description:
      "What the good was and cost when the row was written; its `totalPriceE2` and `promoId` are those of now: they are found " +
      "anew after a promo has begun, ended, been paused or changed, and each minute while promos run.",
  })
  snapshot(@Root() row: CartItemRow, @Ctx() context: OperationContext): Promise<CartItemSnapshot> {
    return cartItemService.snapshotNow(context.companyScope(row.companyId), row);
  }

  @FieldResolver(() => Boolean, {
    description:
      "Whether it can still be bought as it was written: false after the good or the branch good is deleted or disabled, its " +
      "price or that of a choice has changed, or the branch has not enough of it for the cart. Judged at each answer.",
  })
  isValid(@Root() { companyId, id }: CartItemRow, @Ctx() context: OperationContext): Promise<boolean> {
    return cartItemService.isValidNow(context.companyScope(companyId), id);
  }
}
