import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { defineList } from "../../core/lists/list-definition.js";
import { AUDITED_MODELS, targetTypeOf } from "../../core/operations/audited-models.js";
import { ToOne } from "../../core/relations/relations.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import type { Row } from "../../core/db/db.js";
import { Admin } from "../admins/admin.model.js";
import { ApiKey } from "../api-keys/api-key.model.js";
import { PrincipalKindEnum } from "../auth/auth.model.js";
import { Client } from "../clients/client.model.js";

type AuditEntryRow = Row<"AuditEntry">;

const AuditActionEnum = defineEnum(
  "AuditAction",
  [
    "create",
    "update",
    "delete",
    "restore",
    "sign_in",
    "sign_in_refused",
    "lock_out",
    "session_end",
    "export",
    "import",
    "erase",
  ],
  {
    description: "What happened to a row.",
    values: {
      create: "It was created.",
      update: "It was changed.",
      delete: "It was deleted, for good or softly.",
      restore: "It was restored.",
      sign_in:
        "It is an admin who has signed in; `devices` is among the changes where the device was not known to be its own.",
      sign_in_refused:
        "It is an admin as whom somebody was refused to sign in, for a wrong password or code.",
      lock_out:
        "It is an admin for whom the attempts to sign in are used up (RATE_LIMITED): said once until some are left again.",
      session_end: "It is an admin of whom a login has ended before its time.",
      export: "It was given out as a file, or such rows were: `rows` says how many.",
      import: "It brought in rows from a file, which has ended: its counts say how many.",
      erase: "It is a client of whom everything personal was erased.",
    },
  },
);

const AuditTargetEnum = defineEnum("AuditTarget", AUDITED_MODELS.map(targetTypeOf), {
  description: "Kinds of rows whose changes are written down.",
  values: Object.fromEntries(
    AUDITED_MODELS.map((model) => [targetTypeOf(model), `A row of the kind \`${model}\`.`]),
  ),
});

@ObjectType({ description: "A changed field of a row." })
export class AuditChange {
  @Field(() => String, {
    description: "The field, such as `priceE2`; within a field that holds an object, such as `config.limit`.",
  })
  field!: string;

  @Field(() => Json, {
    nullable: true,
    description:
      "Value before; null when there was none, and for who may not read such rows: an entry of a coupon needs the area " +
      "`coupons`. Secrets, and hashes of passwords and tokens, are shown as `********`; what is private to a client is null " +
      "for everybody.",
  })
  before!: unknown;

  @Field(() => Json, { nullable: true, description: "Value after, shown as the one before." })
  after!: unknown;
}

@ObjectType({
  description:
    "One change of one row by a mutation of either face: written in the transaction of the change, never changed itself, but that " +
    "`eraseClient` takes out what was known of a person.",
})
export class AuditEntry {
  @Field(() => SafeInt, { description: "Identifier, unique among all of its type in all companies." })
  id!: bigint;

  companyId!: number;

  @Field(() => DateTime, { description: "When it happened." })
  createdAt!: Date;

  @Field(() => String, { description: "The mutation, such as `updateGood`." })
  operation!: string;

  @Field(() => String, {
    description: "The request, as in its answer's header `X-Request-Id` and in the log.",
  })
  requestId!: string;

  @Field(() => PrincipalKindEnum, {
    nullable: true,
    description: "Who acted; null for somebody without a token, such as who sets a first password.",
  })
  actorKind!: keyof typeof PrincipalKindEnum | null;

  @Field(() => Int, { nullable: true, description: "Id of the admin who acted." })
  adminId!: number | null;

  @ToOne(() => Admin, { model: "Admin", via: "adminId", description: "The admin who acted." })
  admin!: Admin | null;

  @Field(() => Int, { nullable: true, description: "Id of the client who acted." })
  clientId!: number | null;

  @ToOne(() => Client, { model: "Client", via: "clientId", description: "The client who acted." })
  client!: Client | null;

  @Field(() => Int, { nullable: true, description: "Id of the key for machines that acted." })
  apiKeyId!: number | null;

  @ToOne(() => ApiKey, {
    model: "ApiKey",
    via: "apiKeyId",
    description: "The key for machines that acted.",
  })
  apiKey!: ApiKey | null;

  @Field(() => AuditActionEnum, { description: "What happened to the row." })
  action!: string;

  @Field(() => AuditTargetEnum, { description: "Kind of the row." })
  targetType!: string;

  @Field(() => SafeInt, { nullable: true, description: "Id of the row; null for a link, which has none." })
  targetId!: bigint | null;

  @Field(() => String, {
    nullable: true,
    description:
      "The network from which somebody has signed in or tried to, of an ended login its last one; null for other actions.",
  })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "What the program called itself there (`User-Agent`), at most 200 characters.",
  })
  device!: string | null;
}

/** The stored forms of what entries show otherwise. */
export type StoredAuditEntry = Pick<
  AuditEntryRow,
  "companyId" | "operation" | "targetType" | "targetKey" | "changes"
>;

export const auditEntryList = defineList(AuditEntry, "AuditEntry", {
  id: { kind: "safeInt" },
  createdAt: { kind: "dateTime" },
  operation: { kind: "word", sortable: false },
  action: { kind: "enum", enum: AuditActionEnum, sortable: false, countable: false },
  field: { kind: "keys", sortable: false },
  requestId: { kind: "word", sortable: false },
  actorKind: {
    kind: "enum",
    enum: PrincipalKindEnum,
    nullable: true,
    sortable: false,
    countable: false,
  },
  adminId: { kind: "int", nullable: true, sortable: false },
  clientId: { kind: "int", nullable: true, sortable: false },
  apiKeyId: { kind: "int", nullable: true, sortable: false, isRare: true },
  targetType: { kind: "enum", enum: AuditTargetEnum, sortable: false, countable: false },
  targetId: { kind: "safeInt", nullable: true, sortable: false },
});
