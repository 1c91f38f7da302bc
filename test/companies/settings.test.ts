import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";

/** The keys of a company's settings (contract §9.2). */
const KEYS = `uid slogan mail_footer mail_from pay_in_store enable_multi_providers enable_invoices enable_phone_login
  enable_coupons invoice_format terms_of_service nearby_branches_distance nearby_providers_distance
  provider_collecting_distance provider_arriving_distance tip_threshold min_nearby_branches_count
  max_nearby_branches_count subcategories_count branch_invoice_tax_name branch_invoice_tax_prc
  branch_closing_soon_message_delay assignable_orders_mask auto_assign_delay_minutes auto_assign_bid_count
  auto_assign_bid_attempts order_expiration_minutes auto_assign_prepared_mode cancel_on_payment_failure
  disable_reports disable_balance sms_notifications_enabled sms_enabled_for_clients_tracking disable_payment_emails
  is_verification_required is_full_verification_required contact_phone contact_phone_messenger_b
  default_promoted_banner sms_providers sms_expiration_in_minutes sms_cooldown_in_seconds messenger_a_token
  messenger_b_phone_id messenger_b_messaging_token checkout_disclaimer qr_logo use_providers_balance_payouts
  partner_account_json linked_servers first_purchase_bonus_e2 system_expiration_hours sockette_keys
  service_app_name service_app_modifiers taxes sms_default_provider sms_login_provider is_marketplace currency_iso
  search_languages`;

describe("settings", () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it("shows every key, switches off and currency USD unless they were set", async () => {
    const company = await createCompany(gateway);

    const { status, body } = await company.owner.rest("GET", `/companies/${company.id}/settings`);

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(KEYS.split(/\s+/).sort());
    expect(body).toMatchObject({
      currency_iso: "USD",
      is_marketplace: false,
      disable_reports: false,
      slogan: null,
    });
    expect(body.use_providers_balance_payouts).toBeNull();
  });

  it("shows what was set", async () => {
    const company = await createCompany(gateway, {
      settings: {
        slogan: "Fresh",
        isMarketplace: true,
        currencyIso: "VES",
        branchInvoiceTaxPrc: 0.16,
        firstPurchaseBonusE2: 5_000_000_000,
        smsProviders: [{ Key_Of: "somebody" }],
        invoiceFormat: {
          head: "h",
          body: "b",
          item: "i",
          dateFormat: "d",
          paper: "A4",
          orientation: "portrait",
        },
        taxes: [{ name: "VAT", priceMinE2: 29, layer: 2 }],
      },
    });

    const { body } = await company.owner.rest("GET", `/companies/${company.id}/settings`);

    expect(body).toMatchObject({
      slogan: "Fresh",
      is_marketplace: true,
      currency_iso: "VES",
      branch_invoice_tax_prc: 0.16,
      first_purchase_bonus_e2: 5_000_000_000,
      sms_providers: [{ Key_Of: "somebody" }],
      invoice_format: { date_format: "d", paper: "A4" },
      taxes: [
        { name: "VAT", price_min_e2: 29, human_price_min_e2: 0.29, human_price_max_e2: null, layer: 2 },
      ],
    });
  });

  it("never shows a secret", async () => {
    const company = await createCompany(gateway);
    await gateway.db.companySettings.update({
      where: { companyId: company.id },
      data: {
        secrets: {
          messengerAToken: "cipher-1",
          socketteKeys: "cipher-2",
          acme_settings: "cipher-3",
          partnerAccountJson: "cipher-4",
        },
      },
    });

    const { body } = await company.owner.rest("GET", `/companies/${company.id}/settings`);

    expect(body).toMatchObject({
      messenger_a_token: "********",
      messenger_b_messaging_token: null,
      sockette_keys: ["********"],
      partner_account_json: ["********"],
      acme_settings: ["********"],
    });
    expect(JSON.stringify(body)).not.toContain("cipher");
  });

  it("needs the permission of the area, in the own company", async () => {
    const company: TestCompany = await createCompany(gateway);
    const other = await createCompany(gateway);
    const reader = await adminWith(gateway, company.id, "access_settings");
    const editor = await adminWith(gateway, company.id, "can_edit_settings", "access_company");

    const statuses = [];
    for (const caller of [reader, editor, other.owner, gateway.anonymous, gateway.platform]) {
      statuses.push((await caller.rest("GET", `/companies/${company.id}/settings`)).status);
    }

    expect(statuses).toEqual([200, 403, 403, 401, 200]);
  });
});
