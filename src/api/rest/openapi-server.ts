/** The address of a service with the default port, which the committed OpenAPI document names. */
export const DEFAULT_SERVER = "http://127.0.0.1:4000/api";
