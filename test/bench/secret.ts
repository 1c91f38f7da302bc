/** The secret of the gateways that are measured. */
export const SECRET = "a secret for benchmarks alone: 32 bytes";
