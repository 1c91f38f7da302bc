import { Ctx, Mutation, Query, Resolver } from "type-graphql";
import { Open, RequirePermission } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import { Company, EntityId, Input, WithDeleted } from "../../core/operations/operation-arguments.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { UploadedFile } from "../../core/files/upload.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import {
  RemoveGoodPictureInput,
  UploadGoodPictureInput,
  UploadGoodVerticalPictureInput,
} from "./good-picture.inputs.js";
import { GoodImageSuggestion } from "./good-picture.model.js";
import { hasRoomIn } from "./good-picture.rule.js";
import * as goodPictureService from "./good-picture.service.js";
import { Good } from "./good.model.js";

/** The picture of an input, which the guard has stored, and the field by which it came. */
function cameBy({ image, url }: UploadGoodPictureInput): { key: string; field: string } {
  return { key: (image as UploadedFile).key, field: typeof url === "string" ? "url" : "image" };
}

@Resolver(() => Good)
export class GoodPictureResolver {
  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, {
    description: "Adds a picture to a good, behind its others. A good has at most 20.",
  })
  uploadGoodPicture(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Input(() => UploadGoodPictureInput, { description: "The picture.", stored: hasRoomIn("pictures") })
    input: UploadGoodPictureInput,
  ) {
    return goodPictureService.addPicture(company, goodId, { column: "pictures", ...cameBy(input) });
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, {
    description:
      "Takes a picture from a good. VALIDATION_FAILED with rule `exists` when it has no such picture.",
  })
  removeGoodPicture(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Input(() => RemoveGoodPictureInput, { description: "The picture." }) input: RemoveGoodPictureInput,
  ) {
    return goodPictureService.removePicture(company, goodId, { column: "pictures", ...input });
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, {
    description: "Adds a vertical picture to a good, behind its others. A good has at most 20.",
  })
  uploadGoodVerticalPicture(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Input(() => UploadGoodVerticalPictureInput, {
      description: "The picture.",
      stored: hasRoomIn("verticalPictures"),
    })
    input: UploadGoodVerticalPictureInput,
  ) {
    return goodPictureService.addPicture(company, goodId, { column: "verticalPictures", ...cameBy(input) });
  }

  @RequirePermission("can_edit_goods")
  @Audited()
  @Mutation(() => Good, {
    description:
      "Takes a vertical picture from a good. VALIDATION_FAILED with rule `exists` when it has no such picture.",
  })
  removeGoodVerticalPicture(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Input(() => RemoveGoodPictureInput, { description: "The picture." }) input: RemoveGoodPictureInput,
  ) {
    return goodPictureService.removePicture(company, goodId, { column: "verticalPictures", ...input });
  }

  @RequirePermission("can_edit_goods")
  @Audited({ byService: true })
  @Mutation(() => Good, {
    description:
      "Takes pictures from a good whose files are gone or broken, and has the sizes made anew that others lack.",
  })
  fixGoodImages(
    @Company() company: CompanyScope,
    @EntityId("goodId", "Good") goodId: number,
    @Ctx() { runtime }: OperationContext,
  ) {
    return goodPictureService.fixImages(company, goodId, runtime.files);
  }

  @Open()
  @Query(() => [GoodImageSuggestion], {
    description:
      "Pictures of goods that have a barcode of this one or a like name, best first, at most 20. They may show it as well.",
  })
  queryGoodImages(
    @Company() company: CompanyScope,
    @EntityId("id", "Good", { includesDeleted: true }) id: number,
    @WithDeleted("goods") withDeleted: boolean,
    @Ctx() { runtime }: OperationContext,
  ) {
    return goodPictureService.suggestImages(company, id, { withDeleted, files: runtime.files });
  }
}
