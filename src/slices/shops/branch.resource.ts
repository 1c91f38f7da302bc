import {
  BooleanField,
  IdField,
  InputObject,
  JsonField,
  OffsetField,
  ZoneField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { Branch, branchList, type OpeningHours } from "./branch.model.js";
import { branchService } from "./branch.service.js";
import { OPENING_HOURS_SCHEMA } from "./opening-hours.schema.js";
import { LatitudeField, LongitudeField, NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";
import { ExternalIdField } from "../../core/resources/external-id.js";

@InputObject({ description: "A branch." })
class CreateBranchInput {
  @NameField()
  name!: string;

  @ExternalIdField()
  externalId?: string | null;

  @IdField("BranchGroup", { description: "The shop it belongs to.", nullable: true })
  branchGroupId?: number | null;

  @IdField("City", { description: "The city it lies in.", nullable: true })
  cityId?: number | null;

  @TextField({ description: "Postal address.", nullable: true, max: 255 })
  address?: string | null;

  @LatitudeField()
  latitudeE6?: number | null;

  @LongitudeField()
  longitudeE6?: number | null;

  @OffsetField({
    description: "Time zone offset such as `-04:00`; without it and `timeZone` its zone is the company's.",
    nullable: true,
  })
  timeZoneOffset?: string | null;

  @ZoneField({
    description: "IANA name of its time zone, such as `Europe/Berlin`, which wins over the offset.",
    nullable: true,
  })
  timeZone?: string | null;

  @JsonField(
    {
      description:
        'By weekday, "0" (Sunday) to "6", lists of at most 12 `{from, to}` clock times `HH:MM`; a day that is ' +
        "missing is closed.",
      nullable: true,
    },
    OPENING_HOURS_SCHEMA,
  )
  openingHours?: OpeningHours | null;

  @BooleanField({ description: "Whether it takes orders at all, true when absent.", optional: true })
  enabled?: boolean;
}

export const branchCrud = resourceResolvers({
  model: "Branch",
  type: Branch,
  list: branchList,
  plural: "branches",
  area: "company",
  create: CreateBranchInput,
  update: partialInput(CreateBranchInput, "UpdateBranchInput", { description: "Changes of a branch." }),
  service: branchService,
  descriptions: {
    delete:
      "Removes a branch, with what it has of goods, its geofences, its imports and its associations of fleets. CONFLICT while other rows refer to it; INVALID_STATE while it has a balance, which it names.",
  },
});
