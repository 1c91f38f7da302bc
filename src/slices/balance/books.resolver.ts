import { Arg, Args, Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../core/access/access.js";
import { listPage } from "../../core/lists/list-page.js";
import { NotAudited } from "../../core/operations/audited.js";
import { ExpectedWork } from "../../core/operations/expected-work.js";
import { Company } from "../../core/operations/operation-arguments.js";
import { DateTime } from "../../core/scalars/date-time.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import {
  BalanceHolderConnection,
  BalanceHoldersArgs,
  BalancePeriod,
  balancePeriodList,
  BooksArgs,
  GiftCardLiability,
  LedgerHead,
  TrialBalance,
  TrialBalanceRow,
} from "./books.model.js";
import * as books from "./books.service.js";

const { Args: PeriodsArgs, Connection: PeriodConnection } = balancePeriodList;
type PeriodsArgs = InstanceType<typeof PeriodsArgs>;

@Resolver()
export class BooksResolver {
  @RequirePermission("access_balance")
  @ExpectedWork(5)
  @Query(() => TrialBalance, {
    description:
      "What all holders of the company have in one currency at a moment, by type and account. As much was raised as was " +
      "lowered. UNAVAILABLE while movements of old have no counterparts yet; INVALID_STATE when a sum leaves 53 bits; " +
      "FORBIDDEN for admins who are bound to shops.",
  })
  trialBalance(@Company() company: CompanyScope, @Args(() => BooksArgs) args: BooksArgs) {
    return books.trialBalanceOf(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => [TrialBalanceRow], { description: "The rows of `trialBalance` alone, for spreadsheets." })
  async trialBalanceRows(@Company() company: CompanyScope, @Args(() => BooksArgs) args: BooksArgs) {
    return (await books.trialBalanceOf(company, args)).rows;
  }

  @RequirePermission("access_balance")
  @Query(() => BalanceHolderConnection, {
    description:
      "Holders with movements or a floor, deleted ones too, in the order of type, key and currency, with their balances now or " +
      "at a moment.",
  })
  balanceHolders(@Company() company: CompanyScope, @Args(() => BalanceHoldersArgs) args: BalanceHoldersArgs) {
    return books.listHolders(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => PeriodConnection, { description: "Closed periods, the latest first unless ordered." })
  balancePeriods(@Company() company: CompanyScope, @Args(() => PeriodsArgs) args: PeriodsArgs) {
    const { db, companyId } = company;
    const source = {
      delegate: db.balancePeriod,
      where: { companyId },
      select: company.selected("BalancePeriod"),
    };
    return listPage(balancePeriodList, source, args);
  }

  @RequirePermission("can_close_periods")
  @NotAudited("The period is its record.")
  @Mutation(() => BalancePeriod, {
    description:
      "Closes the books up to a moment: from then on no operation dates anything before it. It answers when nothing before it " +
      "can still be committed. VALIDATION_FAILED for a moment that is not past; INVALID_STATE for one that is not later than " +
      "the last period; UNAVAILABLE when other work of the database takes too long.",
  })
  closeBalancePeriod(
    @Company() company: CompanyScope,
    @Arg("until", () => DateTime, {
      description: "The moment, which is past; without an offset the company's.",
    })
    until: string,
  ) {
    return books.closeBalancePeriod(company, until);
  }

  @RequirePermission("access_balance")
  @ExpectedWork(5)
  @Query(() => GiftCardLiability, {
    description:
      "What the company owes in one currency to those who hold its gift cards: codes that were made and not voided, less what was " +
      "redeemed, of all coupons that had been set ready, deleted ones too. INVALID_STATE when a sum leaves 53 bits.",
  })
  giftCardLiability(@Company() company: CompanyScope, @Args(() => BooksArgs) args: BooksArgs) {
    return books.giftCardLiabilityOf(company, args);
  }

  @RequirePermission("access_balance")
  @Query(() => LedgerHead, {
    description:
      "The ends of all chains of movements together. Whoever keeps it can prove later that nothing before it was changed " +
      "(`npm run verify:ledger`).",
  })
  ledgerHead(@Company() company: CompanyScope) {
    return books.ledgerHeadOf(company);
  }
}
