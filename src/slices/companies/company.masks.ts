import type { MaskLayout } from "../../core/masks/masks.js";

/** Capability flags of a company, in its mask `options` (contract §9.1). */
export const COMPANY_OPTIONS = {
  canProvidersPickDeliveriesFromPool: { bits: 0x1 },
  canProvidersConfirmDeliveriesFromClients: { bits: 0x2 },
  canClientsPickProvidersForDeliveries: { bits: 0x4 },
  canClientsChooseDeliveriesAfterProviderConfirmation: { bits: 0x8 },
  canProvidersConfirmDeliveriesFromAdmins: { bits: 0x10 },
  canAdminsChooseDeliveriesAfterProviderConfirmation: { bits: 0x20 },
  enableDeliveryOrdersConfirmationByAdminsBeforePayment: { bits: 0x40 },
  canProvidersForfeitFromAssignedDeliveries: { bits: 0x80 },
  enablePickups: { bits: 0x100 },
  disableDeliveries: { bits: 0x200 },
  disableDeliveriesScheduling: { bits: 0x400 },
  enableBotForDeliveries: { bits: 0x800 },
  canProvidersPickServicesFromPool: { bits: 0x1000 },
  canProvidersConfirmServicesFromClients: { bits: 0x2000 },
  canClientsPickProvidersForServices: { bits: 0x4000 },
  canClientsChooseServicesAfterProviderConfirmation: { bits: 0x8000 },
  canProvidersConfirmServicesFromAdmins: { bits: 0x10000 },
  canAdminsChooseServicesAfterProviderConfirmation: { bits: 0x20000 },
  enableServiceOrdersConfirmationByAdminsBeforePayment: { bits: 0x40000 },
  canProvidersForfeitFromAssignedServices: { bits: 0x80000 },
  enableServicesOnBranchLocation: { bits: 0x100000 },
  disableServicesOnClientLocation: { bits: 0x200000 },
  disableServicesScheduling: { bits: 0x400000 },
  enableBotForServices: { bits: 0x800000 },
  // This number stands before the flags that share its bits, so that a flag that is sent along wins.
  enabledPods: { bits: 0xf000000, shift: 24 },
  enablePodCode: { bits: 0x1000000 },
  enablePodPictures: { bits: 0x2000000 },
  enablePodForms: { bits: 0x4000000 },
  enablePodSignature: { bits: 0x8000000 },
  enableBotForShoppers: { bits: 0x40000000 },
} as const satisfies MaskLayout;

/** A flag's name in words: `enablePodCode` → `Enable POD code`. */
export function describeFlag(name: string): string {
  const words = name
    .replace(/(?=[A-Z])/gu, " ")
    .toLowerCase()
    .replace(/\bpods?\b/u, (pod) => pod.replace("pod", "POD"));
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return name === "enabledPods"
    ? "Enabled proofs of delivery (POD) as a mask of their four flags, 0 to 15"
    : sentence;
}
