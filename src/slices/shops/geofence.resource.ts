import {
  BooleanField,
  IdField,
  InputObject,
  JsonField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { Geofence, type GeofenceData, geofenceList } from "./geofence.model.js";
import { GEOFENCE_DATA_SCHEMA } from "./geofence.schema.js";
import { geofenceService } from "./geofence.service.js";
import { NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A geofence." })
class CreateGeofenceInput {
  @NameField()
  name!: string;

  @TextField({ description: "What the area is for, such as `delivery`.", min: 1, max: 32 })
  type!: string;

  @JsonField(
    {
      description:
        "`{shape, radius, coordinates}`: a `circle` of `radius` metres around its one point, or a `polygon` of 3 " +
        "to 1,000 points, the last of which joins the first, within one half of the globe. Points are " +
        "`[longitude, latitude]` in millionths of a degree; the shortest ways between them are the edges.",
    },
    GEOFENCE_DATA_SCHEMA,
  )
  data!: GeofenceData;

  @BooleanField({ description: "Whether it counts, true when absent.", optional: true })
  enabled?: boolean;

  @BooleanField({
    description: "Whether the area is excluded instead of served, false when absent.",
    optional: true,
  })
  inverted?: boolean;

  @IdField("Branch", {
    description: "The branch whose area it is; null: the whole company's.",
    nullable: true,
  })
  branchId?: number | null;
}

export const geofenceCrud = resourceResolvers({
  model: "Geofence",
  type: Geofence,
  list: geofenceList,
  plural: "geofences",
  area: "company",
  create: CreateGeofenceInput,
  update: partialInput(CreateGeofenceInput, "UpdateGeofenceInput", { description: "Changes of a geofence." }),
  descriptions: {
    create:
      "Creates a geofence. A company has at most 1,000 of them, with 20,000 points together; INVALID_STATE beyond.",
  },
  service: geofenceService,
});
