/** Those who flood have machines of their own: here they get what the service and its database leave. */
export const NICENESS = 10;
