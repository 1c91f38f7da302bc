/**
 * Every relation that leads into an area, with the area whose admins may follow it. `clients` may follow besides;
 * `itself`: an admin or a client may follow to its own row.
 */
export const RELATION_AREAS: Readonly<
  Record<string, readonly [area: string, besides?: "clients" | "itself"]>
> = {
  "Admin.adminType": ["admin_types"],
  "Admin.branch": ["company"],
  "Admin.branchGroup": ["company"],
  "Admin.city": ["company"],
  "Admin.client": ["clients", "itself"],
  "AuditEntry.admin": ["admins", "itself"],
  "AuditEntry.client": ["clients", "itself"],
  "AvailableTicket.coupon": ["coupons"],
  "BranchGood.branch": ["company"],
  "BranchGood.branchGoodProperties": ["goods"],
  "BranchGoodProperty.branchGood": ["goods"],
  "Cart.branch": ["company", "clients"],
  "Cart.client": ["clients", "itself"],
  "Client.city": ["company", "clients"],
  "ClientAddress.client": ["clients", "itself"],
  "CompanyEvent.prizes": ["company_events"],
  "Coupon.companyEvent": ["company_events"],
  "CouponCode.coupon": ["coupons"],
  "CouponHold.client": ["clients", "itself"],
  "CouponHold.coupon": ["coupons"],
  "CouponHold.order": ["carts"],
  "CouponRedemption.client": ["clients", "itself"],
  "CouponRedemption.coupon": ["coupons"],
  "CouponRedemption.order": ["carts"],
  "Me.admin": ["admins", "itself"],
  "Me.client": ["clients", "itself"],
  "Order.branch": ["company"],
  "Order.client": ["clients", "itself"],
  "Order.deliverer": ["company"],
  "Order.shopper": ["company"],
  "Provider.branchGroups": ["company"],
  "Provider.city": ["company"],
  "Service.serviceCharges": ["fleet"],
  "ServiceCharge.service": ["fleet"],
};

/** Every relation to rows that are private to a client, which it alone may follow. */
export const PRIVATE_RELATIONS: readonly string[] = ["Client.addresses"];

/** Every relation that whoever may read the row may follow: parts of the row, and what a shop shows to everybody. */
export const OPEN_RELATIONS: readonly string[] = [
  "AdminType.roles",
  "Branch.branchGroup",
  "Branch.city",
  "Branch.geofences",
  "BranchGood.good",
  "BranchGoodProperty.goodProperty",
  "BranchGroup.branchCategory",
  "BranchGroup.branches",
  "Category.children",
  "Category.parent",
  "ClientFavorite.good",
  "Coupon.branch",
  "Coupon.branchGroup",
  "Coupon.branchGroups",
  "Coupon.branches",
  "Geofence.branch",
  "Good.branchGroup",
  "Good.categories",
  "Good.goodType",
  "Good.materials",
  "Good.properties",
  "Good.tags",
  "GoodMaterial.material",
  "GoodProperty.good",
  "GoodProperty.property",
  "Property.branchGroup",
  "Property.propertyOptions",
  "Property.propertyRange",
  "Property.propertyText",
];
