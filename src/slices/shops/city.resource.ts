import { resourceService } from "../../core/resources/resource-service.js";
import { refuseUnsettled } from "../balance/settlement.service.js";
import { BooleanField, InputObject, partialInput, TextField } from "../../core/inputs/input-fields.js";
import { City, cityList } from "./city.model.js";
import { LatitudeField, LongitudeField, NameField } from "../../core/resources/resource-fields.js";
import { resourceResolvers } from "../../core/resources/resource-resolver.js";

@InputObject({ description: "A city." })
class CreateCityInput {
  @NameField()
  name!: string;

  @TextField({
    description: "Country, ISO 3166-1 alpha-2 in capitals.",
    nullable: true,
    pattern: { source: "^[A-Z]{2}$", words: "two capital letters" },
  })
  countryIso?: string | null;

  @LatitudeField()
  latitudeE6?: number | null;

  @LongitudeField()
  longitudeE6?: number | null;

  @BooleanField({ description: "Whether the company works there, true when absent.", optional: true })
  enabled?: boolean;
}

export const cityCrud = resourceResolvers({
  model: "City",
  type: City,
  list: cityList,
  plural: "cities",
  area: "company",
  create: CreateCityInput,
  update: partialInput(CreateCityInput, "UpdateCityInput", { description: "Changes of a city." }),
  service: resourceService<City>("City", cityList, { refuseRemoval: refuseUnsettled("city") }),
  descriptions: {
    delete:
      "Removes a city. CONFLICT while other rows refer to it; INVALID_STATE while it has a balance, which it names.",
  },
});
