const PRINTABLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * A valid URL in ASCII, as the URL standard writes it: percent-encoded, its host in Punycode. What is ASCII already stays to the
 * letter: an address may be signed, and spelling it anew would break the signature.
 */
export const asciiUrl = (url: string): string => (PRINTABLE_ASCII.test(url) ? url : new URL(url).href);
