/** Why the local stack cannot start, in one line for the developer. */
export class StartError extends Error {}
