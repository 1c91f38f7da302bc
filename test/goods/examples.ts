/** The smallest body that creates a good, with REST names. */
export const GOOD_BODY = {
  name: "Espresso",
  short_details: "A small coffee",
  details: "Strong.\nServed hot.",
  price_e2: 250,
  type: 0,
};

/** The smallest input of GraphQL that creates a good. */
export const GOOD_INPUT = {
  name: "Espresso",
  shortDetails: "A small coffee",
  details: "Strong.\nServed hot.",
  priceE2: 250,
  type: 0,
};

export const UNIT_CONFIG = {
  enabled: true,
  unit_name: "kg",
  fraction: 1000,
  min_quantity: 250,
  step_quantity: 50,
  max_quantity: 5000,
  display_mode: "decimal",
};

/** The fields that a good shows when nothing else is set, without those that differ between goods. */
export const PLAIN_GOOD = {
  ...GOOD_BODY,
  picture_urls: [],
  vertical_picture_urls: [],
  rating_e2: 0,
  rating_sum: 0,
  rating_count: 0,
  eta: null,
  eta_config_id: null,
  provider_fee_e2: 0,
  provider_fee_prc: 0,
  sku: null,
  external_id: null,
  compare_at_price_e2: null,
  good_type_id: null,
  notes_enabled: false,
  branch_group_id: null,
  unit: "",
  max_quantity: null,
  limit_type: null,
  unit_config: null,
  keywords: [],
  barcodes: [],
  weight: null,
  label: null,
  deleted_at: null,
  is_type_service: false,
  is_type_custom_pickup: false,
  is_type_digital: false,
  is_type_list: false,
  is_combo: false,
  is_digital_custom: false,
  is_digital_balance: false,
  type_class: 0,
  digital_class: 0,
};
