/**
 * What is outside (the store, a queue) refuses or cannot be reached for now; a client may try again.
 * In a file of its own, so that whoever only asks what an error is loads no SDK.
 */
export class Unavailable extends Error {}
