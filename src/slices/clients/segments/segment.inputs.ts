import { SheetField } from "../../../core/files/sheet-field.js";
import type { SheetRule } from "../../../core/files/sheet-rule.js";
import type { UploadedFile } from "../../../core/files/upload.js";
import {
  IdsField,
  InputObject,
  ObjectField,
  partialInput,
  TextsField,
} from "../../../core/inputs/input-fields.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import { NameField } from "../../../core/resources/resource-fields.js";
import { clientList } from "../client.model.js";

/** What a list of clients may be. */
export const CLIENT_FILE: SheetRule = { formats: ["csv", "tsv", "txt"], maxKiB: 102_400 };

/** Clients by their ids, those of this service and their owner's. */
class ClientsInput {
  @IdsField("Client", { description: "Clients by their ids, at most 1,000.", optional: true })
  clientIds?: number[];

  @TextsField({
    description: "Clients by their `externalId`, at most 1,000; rule `exists` for one that no client has.",
    optional: true,
    itemMin: 1,
    itemMax: 64,
  })
  externalIds?: string[];
}

@InputObject({ description: "A segment. Without a client and a filter nobody is in it." })
export class CreateClientSegmentInput extends ClientsInput {
  @NameField()
  name!: string;

  @ObjectField(() => clientList.Filter(), {
    description:
      "Clients besides those on the list, judged when it is asked whether a client is in the segment; null: none besides.",
    nullable: true,
  })
  filter?: Filter | null;
}

export const UpdateClientSegmentInput = partialInput(CreateClientSegmentInput, "UpdateClientSegmentInput", {
  description:
    "Changes of a segment. `clientIds` and `externalIds` together replace its list where one of them is sent.",
});
export type UpdateClientSegmentInput = Partial<CreateClientSegmentInput>;

@InputObject({ description: "Clients." })
export class SegmentClientsInput extends ClientsInput {}

@InputObject({ description: "A list of clients." })
export class UploadClientSegmentInput {
  @SheetField({
    description:
      "A CSV with up to 1,000,000 lines below its header, whose first column is `client_id` or `external_id`.",
    sheet: CLIENT_FILE,
  })
  file!: UploadedFile;
}
