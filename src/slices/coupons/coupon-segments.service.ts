import { DomainError, type FieldError, validationFailed } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { keepSegments } from "../clients/segments/segment.sql.js";
import type { CouponConfig } from "./coupon-config.model.js";

type Segments = Partial<Pick<CouponConfig, "segmentIds" | "excludedSegmentIds">>;

/**
 * Keeps the segments that an input names until the transaction ends, so that none is removed before the coupon is there.
 *
 * @throws DomainError VALIDATION_FAILED (rule `exists`).
 */
export async function keepNamedSegments(
  inside: CompanyScope,
  config: Segments | null | undefined,
): Promise<void> {
  const errors = await goneSegments(inside, config ?? {});
  if (errors.length > 0) throw validationFailed(errors);
}

/** Keeps the segments of a coupon that is stored, as `keepNamedSegments`. @throws DomainError CONFLICT when one is gone. */
export async function keepSegmentsOf(
  inside: CompanyScope,
  { config }: { readonly config: unknown },
): Promise<void> {
  const [gone] = await goneSegments(inside, config as Segments);
  if (gone === undefined) return;
  throw new DomainError("CONFLICT", `The segment of \`${gone.field}\` is gone: ${gone.message}.`);
}

async function goneSegments(
  inside: CompanyScope,
  { segmentIds, excludedSegmentIds }: Segments,
): Promise<readonly FieldError[]> {
  const named = Object.entries({ segmentIds, excludedSegmentIds }).flatMap(([key, ids]) =>
    (ids ?? []).map((id, place) => ({ field: `config.${key}[${place}]`, id })),
  );
  if (named.length === 0) return [];
  const kept = await keepSegments(
    inside,
    named.map(({ id }) => id),
  );
  return named
    .filter(({ id }) => !kept.has(id))
    .map(({ field, id }) => ({ field, rule: "exists", message: `${id} does not exist` }));
}
