/** Something that whoever runs the service can correct, such as a wrong setting. The message says what, and needs no stack. */
export abstract class OperatorError extends Error {}
