import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from "type-graphql";
import { ReadersOnly, RequirePermission } from "../../core/access/access.js";
import { Audited, NotAudited } from "../../core/operations/audited.js";
import { Company, EntityId, Input, Offset } from "../../core/operations/operation-arguments.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import {
  AdjustBalanceInput,
  GiveChangeInput,
  ReverseMovementInput,
  SetBalanceFloorInput,
  SetBalanceTypeFloorInput,
  TransferBalanceInput,
} from "./balance.inputs.js";
import {
  BalanceAtArgs,
  BalanceHolder,
  BalanceStatement,
  BalanceStatementArgs,
  BalanceTypeFloor,
  HolderArgs,
  Money,
} from "./balance.model.js";
import { isLane, shownKey } from "./account.rules.js";
import { counterpartIdOf, counterpartOf, holderOfLane, proofOf } from "./movement.loaders.js";
import { nameOfHolder } from "./holder-names.loaders.js";
import { PrincipalKindEnum } from "../auth/auth.model.js";
import { mayReadArea } from "../../core/access/has-permission.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import * as reading from "./balance-reading.service.js";
import { holderIsThere, rolesAreThere, sidesAreThere } from "./balance.rule.js";
import * as balanceService from "./balance.service.js";
import {
  BalanceMovement,
  BalanceMovementsArgs,
  balanceMovementList,
  CurrentMovementArgs,
  MovementProof,
  recordMovementList,
  RelatedRecord,
  type StoredMovement,
} from "./movement.model.js";

const { Connection: MovementConnection } = balanceMovementList;
const { Args: RecordMovementsArgs } = recordMovementList;
type RecordMovementsArgs = InstanceType<typeof RecordMovementsArgs>;

const IS_RECORD = "The movement is its record.";
const REFUSED =
  "INVALID_STATE below a holder's floor, or when a balance would leave 53 bits; FORBIDDEN for an amount above `mostPostedE2` of " +
  "the caller's admin type.";

@Resolver(() => BalanceMovement)
export class BalanceMovementResolver {
  @RequirePermission("access_balance")
  @Query(() => MovementConnection, {
    description:
      "Movements, newest first unless ordered: of a holder in one currency, of all holders of a type, or of the whole " +
      "company, which sum to 0 in each currency. Moments of the filter without an offset are the company's.",
  })
  balanceMovements(
    @Company() company: CompanyScope,
    @Args(() => BalanceMovementsArgs) args: BalanceMovementsArgs,
  ) {
    return reading.listMovements(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => BalanceMovement, { description: "One movement. NOT_FOUND." })
  balanceMovement(
    @Company() company: CompanyScope,
    @Arg("id", () => SafeInt, { description: "Id of the movement." }) id: number,
  ) {
    return reading.getMovement(company, id);
  }

  @RequirePermission("access_balance")
  @Query(() => BalanceMovement, {
    nullable: true,
    description: "The latest movement of a holder, which has its balance; null when it has none.",
  })
  currentBalanceMovement(
    @Company() company: CompanyScope,
    @Args(() => CurrentMovementArgs) args: CurrentMovementArgs,
  ) {
    return reading.findCurrentMovement(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => MovementConnection, {
    description: "Movements that are about an order, newest first unless ordered.",
  })
  orderBalanceMovements(
    @Company() company: CompanyScope,
    @EntityId("orderId", "Order") orderId: number,
    @Args(() => RecordMovementsArgs) args: RecordMovementsArgs,
  ) {
    return reading.listMovementsOfOrder(company, orderId, args);
  }

  @RequirePermission("access_balance")
  @Query(() => [BalanceMovement], {
    description:
      "Debts of a city, at most 10,000: the latest movements of its holders whose balance is below zero, which are the " +
      "city itself, its clients, providers and branches; newest first.",
  })
  cityDebts(
    @Company() company: CompanyScope,
    @EntityId("cityId", "City") cityId: number,
    @Offset() offset: number,
  ) {
    return reading.listCityDebts(company, cityId, offset);
  }

  @RequirePermission("access_balance")
  @Query(() => Int, { description: "How many holders of a city have a balance below zero." })
  cityDebtCount(@Company() company: CompanyScope, @EntityId("cityId", "City") cityId: number) {
    return reading.countCityDebts(company, cityId);
  }

  @RequirePermission("can_adjust_balance")
  @NotAudited(IS_RECORD)
  @Mutation(() => BalanceMovement, {
    description: `Corrects the balance of a holder; an account of the company is the other side. FORBIDDEN for an amount of 0 without access_balance. ${REFUSED}`,
  })
  async adjustBalance(
    @Company() company: CompanyScope,
    @Input(() => AdjustBalanceInput, { description: "The correction.", stored: holderIsThere })
    input: AdjustBalanceInput,
    @Ctx() context: OperationContext,
  ) {
    const mayRead = input.amountE2 !== 0 || (await mayReadArea(context, company.companyId, "balance"));
    return balanceService.adjustBalance(company, input, mayRead);
  }

  @RequirePermission("can_transfer_balance")
  @NotAudited(IS_RECORD)
  @Mutation(() => BalanceMovement, {
    description:
      "Transfers an amount from one holder to another, for an order: both sides or none. Answers the side that it comes " +
      `from. ${REFUSED}`,
  })
  transferBalance(
    @Company() company: CompanyScope,
    @EntityId("orderId", "Order") orderId: number,
    @Input(() => TransferBalanceInput, { description: "The transfer.", stored: sidesAreThere })
    input: TransferBalanceInput,
  ) {
    return balanceService.transferBalance(company, orderId, input);
  }

  @RequirePermission("can_give_change")
  @NotAudited(IS_RECORD)
  @Mutation(() => BalanceMovement, {
    description:
      "Gives the client of an order change, which the company or a provider of the order pays, and takes the fee of a " +
      "provider back on request. Answers the client's side. INVALID_STATE for a canceled order, one without a client, " +
      `and a fee that was taken back already. ${REFUSED}`,
  })
  giveChange(
    @Company() company: CompanyScope,
    @EntityId("orderId", "Order") orderId: number,
    @Input(() => GiveChangeInput, { description: "The change.", stored: rolesAreThere })
    input: GiveChangeInput,
  ) {
    return balanceService.giveChange(company, orderId, input);
  }

  @RequirePermission("can_adjust_balance")
  @NotAudited(IS_RECORD)
  @Mutation(() => BalanceMovement, {
    description:
      "Takes a movement back by a new one that names it, once; of a transfer both sides. Answers the new one of this " +
      `side. NOT_FOUND; INVALID_STATE for a reversal, and what is reversed already. ${REFUSED}`,
  })
  reverseBalanceMovement(
    @Company() company: CompanyScope,
    @Arg("movementId", () => SafeInt, { description: "Id of the movement." }) movementId: number,
    @Input(() => ReverseMovementInput, { description: "Why.", nullable: true })
    input: ReverseMovementInput | null | undefined,
  ) {
    return balanceService.reverseMovement(company, movementId, input ?? {});
  }

  @FieldResolver(() => Int, {
    description: "Id of the account, client or other holder; 0 of an account of the company.",
  })
  holderKey(@Root() { holderKey }: StoredMovement): number {
    return shownKey(holderKey);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "Name of the account of the company that is the holder; null of other holders.",
  })
  async account(
    @Root() { companyId, holderType, holderKey }: StoredMovement,
    @Ctx() context: OperationContext,
  ): Promise<string | null> {
    if (!isLane(holderKey)) return null;
    const holder = { type: holderType, key: holderKey };
    return (await nameOfHolder(context.companyScope(companyId), holder))?.account ?? null;
  }

  @FieldResolver(() => PrincipalKindEnum, {
    nullable: true,
    description: "What kind of caller caused it; null where that was not kept.",
  })
  actorKind(@Root() { actorKind }: StoredMovement): string | null {
    return actorKind === "completion" ? null : actorKind;
  }

  @FieldResolver(() => SafeInt, { nullable: true, description: "The movement that is its other side." })
  counterpartId(@Root() movement: StoredMovement, @Ctx() context: OperationContext): Promise<bigint | null> {
    return counterpartIdOf(context.companyScope(movement.companyId), movement);
  }

  @ReadersOnly("balance")
  @FieldResolver(() => BalanceMovement, {
    nullable: true,
    description:
      "The movement that is its other side, of another holder or of an account of the company: both sum to 0. Null where it " +
      "is from before all had one, and a job has not written it yet.",
  })
  counterpart(
    @Root() movement: StoredMovement,
    @Ctx() context: OperationContext,
  ): Promise<StoredMovement | null> {
    return counterpartOf(context.companyScope(movement.companyId), movement);
  }

  @FieldResolver(() => BalanceHolder, { nullable: true, description: "The holder, with its balance of now." })
  async holder(
    @Root() { companyId, holderType, holderKey, currencyIso }: StoredMovement,
    @Ctx() context: OperationContext,
  ): Promise<BalanceHolder | null> {
    return holderOfLane(context.companyScope(companyId), { type: holderType, key: holderKey, currencyIso });
  }

  @FieldResolver(() => DateTime, {
    nullable: true,
    description: "When it was changed last, which is when it was posted.",
  })
  updatedAt(@Root() { createdAt }: StoredMovement): Date {
    return createdAt;
  }

  @FieldResolver(() => Int, { description: "Always 1: a movement never changes." })
  version(): number {
    return 1;
  }

  @FieldResolver(() => RelatedRecord, {
    nullable: true,
    description: "The record that it is about; null when there is none.",
  })
  relatedModel(@Root() { relatedType, relatedId }: StoredMovement): RelatedRecord | null {
    return relatedType === null ? null : { type: relatedType, id: relatedId as bigint };
  }

  @FieldResolver(() => Money, { description: "What it changes." })
  amount(@Root() { amountE2, currencyIso }: StoredMovement): Money {
    return reading.moneyOf(amountE2, currencyIso);
  }

  @FieldResolver(() => Money, { description: "Balance after it." })
  finalBalance(@Root() { finalBalanceE2, currencyIso }: StoredMovement): Money {
    return reading.moneyOf(finalBalanceE2, currencyIso);
  }

  @FieldResolver(() => Money, {
    nullable: true,
    description: "What the other side of its transfer changes; null for a movement that is no side of one.",
  })
  relatedAmount(@Root() { transferId, amountE2, currencyIso }: StoredMovement): Money | null {
    return transferId === null ? null : reading.moneyOf(-amountE2, currencyIso);
  }

  @FieldResolver(() => Money, {
    nullable: true,
    description:
      "Balance of the other holder after the transfer, for who may read balances; null for others, and for a movement that is no " +
      "side of one.",
  })
  async relatedFinalBalance(
    @Root() { companyId, counterpartFinalE2, currencyIso }: StoredMovement,
    @Ctx() context: OperationContext,
  ): Promise<Money | null> {
    if (counterpartFinalE2 === null || !(await mayReadArea(context, companyId, "balance"))) return null;
    return reading.moneyOf(counterpartFinalE2, currencyIso);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "What the holder is called; null when there is no such row any more.",
  })
  async holderName(
    @Root() { companyId, holderType, holderKey }: StoredMovement,
    @Ctx() context: OperationContext,
  ): Promise<string | null> {
    const holder = { type: holderType, key: holderKey };
    return (await nameOfHolder(context.companyScope(companyId), holder))?.name ?? null;
  }

  @ReadersOnly("balance")
  @FieldResolver(() => MovementProof, {
    description:
      "What its hash is made of, so that anybody who may read balances can compute the chain again.",
  })
  proof(@Root() movement: StoredMovement, @Ctx() context: OperationContext): Promise<MovementProof> {
    return proofOf(context.companyScope(movement.companyId), movement);
  }

  @FieldResolver(() => String, {
    description:
      "SHA-256 of the movement and of the hash of the holder's movement before it, in hexadecimal digits.",
  })
  hash(@Root() { hash }: StoredMovement): string {
    return Buffer.from(hash).toString("hex");
  }
}

@Resolver(() => BalanceHolder)
export class BalanceHolderResolver {
  @RequirePermission("access_balance")
  @Query(() => BalanceHolder, {
    nullable: true,
    description: "A holder with its floor; null when it has neither movements nor a floor.",
  })
  balanceHolder(@Company() company: CompanyScope, @Args(() => HolderArgs) args: HolderArgs) {
    return reading.findHolder(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => Money, { description: "The balance of a holder at a moment." })
  balanceAt(@Company() company: CompanyScope, @Args(() => BalanceAtArgs) args: BalanceAtArgs) {
    return reading.balanceAt(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => BalanceStatement, {
    description: "The movements of a holder in a period of at most 400 days, summed up by day or by kind.",
  })
  balanceStatement(
    @Company() company: CompanyScope,
    @Args(() => BalanceStatementArgs) args: BalanceStatementArgs,
  ) {
    return reading.statementOf(company, args);
  }

  @RequirePermission("can_edit_balance")
  @Audited()
  @Mutation(() => BalanceHolder, {
    description:
      "Sets the floor of a holder, or removes it by null: no movement lowers the balance below it. A balance that is below " +
      "it already stays.",
  })
  setBalanceFloor(
    @Company() company: CompanyScope,
    @Input(() => SetBalanceFloorInput, { description: "The floor.", stored: holderIsThere })
    input: SetBalanceFloorInput,
  ) {
    return balanceService.setBalanceFloor(company, input);
  }

  @RequirePermission("access_balance")
  @Query(() => [BalanceTypeFloor], {
    description: "Floors of all holders of a type that have none of their own, by type and currency.",
  })
  balanceTypeFloors(@Company() company: CompanyScope) {
    return reading.listTypeFloors(company);
  }

  @RequirePermission("can_edit_balance")
  @Audited()
  @Mutation(() => BalanceTypeFloor, {
    description:
      "Sets the floor of all holders of a type in one currency, or removes it by null. A floor of the holder itself wins, and " +
      "balances that are below it already stay.",
  })
  setBalanceTypeFloor(
    @Company() company: CompanyScope,
    @Input(() => SetBalanceTypeFloorInput, { description: "The floor." }) input: SetBalanceTypeFloorInput,
  ) {
    return balanceService.setBalanceTypeFloor(company, input);
  }

  @FieldResolver(() => Int, {
    description: "Id of the account, client or other holder; 0 of an account of the company.",
  })
  key(@Root() { key }: BalanceHolder): number {
    return shownKey(key);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "Name of an account of the company; null of other holders.",
  })
  async account(@Root() holder: BalanceHolder, @Ctx() context: OperationContext): Promise<string | null> {
    if (!isLane(holder.key)) return null;
    return (await nameOfHolder(context.companyScope(holder.companyId), holder))?.account ?? null;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "What it is called; null when there is no such row any more.",
  })
  async name(@Root() holder: BalanceHolder, @Ctx() context: OperationContext): Promise<string | null> {
    return (await nameOfHolder(context.companyScope(holder.companyId), holder))?.name ?? null;
  }

  @FieldResolver(() => Boolean, { description: "Whether what holds the balance is deleted." })
  async isDeleted(@Root() holder: BalanceHolder, @Ctx() context: OperationContext): Promise<boolean> {
    return (await nameOfHolder(context.companyScope(holder.companyId), holder))?.isDeleted ?? true;
  }
}
