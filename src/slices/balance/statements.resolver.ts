import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { ReadersOnly, RequirePermission } from "../../core/access/access.js";
import { ExpectedWork } from "../../core/operations/expected-work.js";
import { Company, EntityId } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Client } from "../clients/client.model.js";
import {
  BalanceStatement,
  BalanceStatementArgs,
  BalanceStatementRow,
  ClientStatementArgs,
} from "./balance.model.js";
import { HolderStatementConnection, HolderStatementsArgs } from "./books.model.js";
import * as reading from "./balance-reading.service.js";
import { balanceMovementList, ClientMovementsArgs, ClientMovementsPage } from "./movement.model.js";
import { listStatements } from "./statements.service.js";

const { Connection: MovementConnection } = balanceMovementList;
const OWN = "Its own movements and statements are for the client itself, too.";

@Resolver()
export class StatementsResolver {
  @RequirePermission("access_balance")
  @Query(() => [BalanceStatementRow], {
    description: "The rows of `balanceStatement` alone, for spreadsheets.",
  })
  async balanceStatementRows(
    @Company() company: CompanyScope,
    @Args(() => BalanceStatementArgs) args: BalanceStatementArgs,
  ) {
    return (await reading.statementOf(company, args)).rows;
  }

  @RequirePermission("access_balance")
  @ExpectedWork(5)
  @Query(() => HolderStatementConnection, {
    description:
      "What the movements of a period come to, by holder, deleted ones too, with opening and closing balance, in the order of " +
      "type, key and currency; with a second period, such as the year before, its sums beside. A period that goes on ends " +
      "with the first page, so that all pages by cursor are of one moment, and by `offset` with its `asOf`. INVALID_STATE when a sum leaves 53 bits.",
  })
  balanceStatements(
    @Company() company: CompanyScope,
    @Args(() => HolderStatementsArgs) args: HolderStatementsArgs,
  ) {
    return listStatements(company, args);
  }

  @RequirePermission("access_balance", { orClient: "clientId" })
  @Query(() => MovementConnection, {
    description: `Movements of a client in one currency, newest first unless ordered. ${OWN}`,
  })
  clientBalanceMovements(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Args(() => ClientMovementsArgs) args: ClientMovementsArgs,
  ) {
    return reading.listMovementsOfClient(company, clientId, args);
  }

  @RequirePermission("access_balance", { orClient: "clientId" })
  @Query(() => BalanceStatement, {
    description: `The movements of a client in a period of at most 400 days, summed up by day or by kind. ${OWN}`,
  })
  clientBalanceStatement(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Args(() => ClientStatementArgs) args: ClientStatementArgs,
  ) {
    return reading.statementOfClient(company, clientId, args);
  }

  @RequirePermission("access_balance", { orClient: "clientId" })
  @Query(() => [BalanceStatementRow], {
    description: `The rows of \`clientBalanceStatement\` alone, for spreadsheets. ${OWN}`,
  })
  async clientBalanceStatementRows(
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
    @Args(() => ClientStatementArgs) args: ClientStatementArgs,
  ) {
    return (await reading.statementOfClient(company, clientId, args)).rows;
  }
}

const READERS = "Needs `access_balance` or `can_edit_balance`; the client itself needs none.";

@Resolver(() => Client)
export class ClientBooksResolver {
  @ReadersOnly("balance", { orItself: true })
  @FieldResolver(() => MovementConnection, {
    description: `Its movements in one currency, newest first. ${READERS}`,
  })
  balanceMovements(
    @Root() client: Client,
    @Ctx() context: OperationContext,
    @Args(() => ClientMovementsPage) args: ClientMovementsPage,
  ) {
    const scope = context.companyScope(client.companyId);
    return reading.listMovementsOfClient(
      scope,
      client.id,
      { ...args, first: args.first ?? null, after: args.after ?? null },
      { isWhole: true },
    );
  }

  @ReadersOnly("balance", { orItself: true })
  @FieldResolver(() => BalanceStatement, {
    description: `Its movements in a period of at most 400 days, summed up by day or by kind. ${READERS}`,
  })
  balanceStatement(
    @Root() client: Client,
    @Ctx() context: OperationContext,
    @Args(() => ClientStatementArgs) args: ClientStatementArgs,
  ) {
    const scope = context.companyScope(client.companyId);
    return reading.statementOfClient(scope, client.id, args);
  }
}
