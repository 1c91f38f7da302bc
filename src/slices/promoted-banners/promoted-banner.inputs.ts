import { PictureField } from "../../core/files/picture-field.js";
import type { UploadedFile } from "../../core/files/upload.js";
import {
  BooleanField,
  ChoiceField,
  ClockField,
  InputObject,
  IntField,
  LongTextField,
  OffsetField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { BannerActionEnum, type BannerTargetType, BannerTargetTypeEnum } from "./promoted-banner.model.js";

const DayField = (day: string) =>
  BooleanField({
    description: `Whether its hours begin on ${day}s: this bit of \`days\`, whatever that says. Null: not given.`,
    nullable: true,
  });

@InputObject({ description: "A promoted banner." })
export class CreatePromotedBannerInput {
  @ChoiceField(BannerActionEnum, { description: "What happens when a client chooses it." })
  action!: string;

  @ChoiceField(BannerTargetTypeEnum, { description: "What it leads to." })
  targetType!: BannerTargetType;

  @IntField({
    description:
      "Id of what it leads to, which exists in the company; for the target type company the company's own.",
    min: 1,
  })
  targetId!: number;

  @IntField({ description: "Place among the banners, the lowest first; 0 unless given.", optional: true })
  inOrder?: number;

  @BooleanField({ description: "Whether clients are shown it at all; true unless given.", optional: true })
  enabled?: boolean;

  @TextField({ description: "Name; empty unless given.", optional: true, max: 64 })
  name?: string;

  @LongTextField({ description: "What it is about.", nullable: true, max: 255 })
  description?: string | null;

  @ClockField({
    description: "Clock time `HH:MM` from which it is shown; 00:00 unless given.",
    optional: true,
  })
  hourFrom?: string;

  @ClockField({
    description:
      "Clock time `HH:MM` at which it ends; 23:59, which lasts until midnight, unless given. Before `hourFrom`: on the " +
      "next day; the same: the whole day.",
    optional: true,
  })
  hourTo?: string;

  @OffsetField({
    description: "Offset such as `-04:00` by which its days and hours are read; null: the company's zone.",
    nullable: true,
  })
  tz?: string | null;

  @IntField({
    description:
      "Bit mask of the days on which its hours begin, 0x1 Sunday to 0x40 Saturday. A new banner has every day unless this " +
      "or a day that is true is given.",
    optional: true,
    min: 0,
    max: 127,
  })
  days?: number;

  @DayField("Sunday")
  daySunday?: boolean | null;

  @DayField("Monday")
  dayMonday?: boolean | null;

  @DayField("Tuesday")
  dayTuesday?: boolean | null;

  @DayField("Wednesday")
  dayWednesday?: boolean | null;

  @DayField("Thursday")
  dayThursday?: boolean | null;

  @DayField("Friday")
  dayFriday?: boolean | null;

  @DayField("Saturday")
  daySaturday?: boolean | null;
}

export const UpdatePromotedBannerInput = partialInput(
  CreatePromotedBannerInput,
  "UpdatePromotedBannerInput",
  {
    description: "Changes of a promoted banner; what is absent stays as it is.",
  },
);
export type UpdatePromotedBannerInput = InstanceType<typeof UpdatePromotedBannerInput>;

@InputObject({ description: "The picture of a promoted banner." })
export class UploadBannerInput {
  @PictureField({
    description: "The picture.",
    picture: { types: ["jpeg", "png", "bmp"], maxKiB: 8192, minWidth: 868, minHeight: 868 },
  })
  image!: UploadedFile;
}
