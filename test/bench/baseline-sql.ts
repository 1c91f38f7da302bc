const moment = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

const OPTIONS = `(SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'priceE2', o.price_e2) ORDER BY o.in_order, o.id)
  FROM property_options o WHERE o.company_id = p.company_id AND o.property_id = p.id)`;
const PROPERTIES = `(SELECT json_agg(json_build_object('id', gp.id, 'displayName', gp.display_name,
  'property', json_build_object('id', p.id, 'name', p.name, 'propertyOptions', ${OPTIONS})) ORDER BY gp.in_order, gp.id)
  FROM good_properties gp JOIN properties p ON p.company_id = gp.company_id AND p.id = gp.property_id
  WHERE gp.company_id = g.company_id AND gp.good_id = g.id)`;
const FLAT = `'id', g.id, 'name', g.name, 'shortDetails', g.short_details, 'priceE2', g.price_e2, 'sku', g.sku, 'type', g.type,
  'unit', g.unit, 'maxQuantity', g.max_quantity, 'keywords', g.keywords, 'createdAt', ${moment("g.created_at")}`;

/** The relations of a good with everything that REST shows of them, since `load` embeds whole resources. */
const OPTION_RESOURCES = `(SELECT json_agg(json_build_object('id', o.id, 'name', o.name, 'price_e2', o.price_e2,
    'in_order', o.in_order, 'created_at', ${moment("o.created_at")}, 'updated_at', ${moment("o.updated_at")},
    'property_id', o.property_id, 'is_default', o.is_default) ORDER BY o.in_order, o.id)
  FROM property_options o WHERE o.company_id = p.company_id AND o.property_id = p.id)`;
const RANGE_RESOURCE = `(SELECT json_build_object('min', r.min, 'max', r.max, 'decimates', r.decimates, 'step', r.step,
    'default', r.default_value, 'base_price_e2', r.base_price_e2, 'step_price_e2', r.step_price_e2, 'unit', r.unit)
  FROM property_ranges r WHERE r.company_id = p.company_id AND r.property_id = p.id)`;
const TEXT_RESOURCE = `(SELECT json_build_object('regex', t.regex, 'hint', t.hint)
  FROM property_texts t WHERE t.company_id = p.company_id AND t.property_id = p.id)`;

const bit = (mask: string, bits: number): string => `${mask} & ${bits} <> 0`;
const names = (mask: string, bits: Readonly<Record<string, number>>): string => {
  const parts = Object.entries(bits).map(
    ([name, value]) => `CASE WHEN ${bit(mask, value)} THEN '${name}' END`,
  );
  return `coalesce(nullif(concat_ws('+', ${parts.join(", ")}), ''), 'none')`;
};
const TYPES = `'is_type_options', ${bit("MASK", 0x100)}, 'is_type_range', ${bit("MASK", 0x200)}, 'is_type_text', ${bit("MASK", 0x400)}`;
const USES = `'is_dynamic', ${bit("gp.options", 0x1000)}, 'is_free', ${bit("gp.options", 0x2000)},
  'is_consumable', ${bit("gp.options", 0x4000)}, 'min_count', (gp.options & ${0xf00000}) >> 20, 'max_count', (gp.options & ${0xf0000}) >> 16,
  'stack_count', (gp.options & ${0xf000000}) >> 24, 'is_admin_customizable', ${bit("gp.options", 0x10000000)}`;
const PROPERTY_RESOURCES = `(SELECT json_agg(json_build_object('id', gp.id, 'display_name', gp.display_name, 'options', gp.options,
    'disabled', gp.disabled, 'in_order', gp.in_order, 'created_at', ${moment("gp.created_at")}, 'updated_at', ${moment("gp.updated_at")},
    'good_id', gp.good_id, 'property_id', gp.property_id, 'prop_type', gp.options & ${0xfff}, ${TYPES.replaceAll("MASK", "gp.options")},
    'is_multi_selection', ${bit("gp.options", 0x80)}, ${USES},
    'options_data', json_build_object('use_value', gp.options & ${0x7000},
      'use_name', ${names("gp.options", { dynamic: 0x1000, free: 0x2000, consumable: 0x4000 })}, 'type_value', gp.options & ${0x700},
      'type_name', ${names("gp.options", { options: 0x100, range: 0x200, text: 0x400 })},
      'is_multi_options', ${bit("gp.options", 0x80)}, ${USES}),
    'property', json_build_object('id', p.id, 'name', p.name, 'type', p.type, 'disabled', p.disabled,
      'created_at', ${moment("p.created_at")}, 'updated_at', ${moment("p.updated_at")}, 'property_group_id', p.property_group_id,
      'branch_group_id', p.branch_group_id, ${TYPES.replaceAll("MASK", "p.type")}, 'property_options', ${OPTION_RESOURCES},
      'property_range', ${RANGE_RESOURCE}, 'property_text', ${TEXT_RESOURCE})) ORDER BY gp.in_order, gp.id)
  FROM good_properties gp JOIN properties p ON p.company_id = gp.company_id AND p.id = gp.property_id
  WHERE gp.company_id = g.company_id AND gp.good_id = g.id)`;

/** Twenty goods with their properties and options, after a place in the list. */
const nested = (place: string): string =>
  `SELECT json_build_object('data', json_build_object('goods', json_build_object('nodes', coalesce(json_agg(row), '[]'))))::text AS body
    FROM (SELECT json_build_object('id', g.id, 'name', g.name, 'priceE2', g.price_e2, 'properties', coalesce(${PROPERTIES}, '[]')) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND ${place} ORDER BY g.id DESC LIMIT 20) AS page`;

/**
 * Prepared statements that build the whole answer as JSON, one for each workload. The parameters are company and
 * id.
 */
export const BASELINE_SQL = {
  nested: nested("$2::int IS NOT NULL"),
  nestedDeep: nested("g.id < $2"),
  resources: `SELECT coalesce(json_agg(row), '[]')::text AS body
    FROM (SELECT json_build_object('id', g.id, 'name', g.name, 'price_e2', g.price_e2, 'properties', coalesce(${PROPERTY_RESOURCES}, '[]')) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND $2::int IS NOT NULL ORDER BY g.id DESC LIMIT 20) AS page`,
  one: `SELECT json_build_object('data', json_build_object('good', json_build_object(${FLAT})))::text AS body
    FROM goods g WHERE g.company_id = $1 AND g.id = $2 AND g.deleted_at IS NULL`,
  flat: `SELECT json_build_object('data', json_build_object('goods', json_build_object('nodes', coalesce(json_agg(row), '[]'))))::text AS body
    FROM (SELECT json_build_object(${FLAT}) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND $2::int IS NOT NULL ORDER BY g.id DESC LIMIT 100) AS page`,
  deep: `SELECT json_build_object('data', json_build_object('goods', json_build_object('nodes', coalesce(json_agg(row), '[]'))))::text AS body
    FROM (SELECT json_build_object(${FLAT}) AS row
      FROM goods g WHERE g.company_id = $1 AND g.deleted_at IS NULL AND g.id < $2 ORDER BY g.id DESC LIMIT 25) AS page`,
  /** The rows of a cart with their goods, newest first. */
  cart: `SELECT json_build_object('data', json_build_object('cartItems', json_build_object('nodes', json_agg(
      json_build_object('id', i.id, 'quantity', i.quantity, 'notes', i.notes, 'extras', i.extras,
        'snapshot', json_build_object('name', i.snapshot->'name', 'basePriceE2', (i.snapshot->>'basePriceE2')::bigint,
                                      'totalPriceE2', (i.snapshot->>'totalPriceE2')::bigint),
        'good', json_build_object('id', g.id, 'name', g.name, 'priceE2', g.price_e2, 'sku', g.sku)) ORDER BY i.id DESC))))::text AS body
    FROM cart_items i JOIN goods g ON g.company_id = i.company_id AND g.id = i.good_id
   WHERE i.company_id = $1 AND i.cart_id = $2`,
  cartUpdate: `UPDATE cart_items SET quantity = 2, updated_at = now() WHERE company_id = $1 AND id = $2
    RETURNING json_build_object('data', json_build_object('updateCartItem', json_build_object('id', id, 'quantity', quantity)))::text AS body`,
} as const;

export type BaselineName = keyof typeof BASELINE_SQL;
