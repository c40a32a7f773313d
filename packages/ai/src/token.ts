/** Signed bid IDs. The route accepts only bids that this server received, and the server does not have to store them. */
export interface BidTokens {
  issue(bidId: string): Promise<string>;
  /** Returns the token's bid ID; undefined if this server did not issue the token. */
  verify(token: string): Promise<string | undefined>;
}

const PURPOSE = 'conversation-ads sponsored card\n';

/** @param secret the publisher's API key, which never leaves the server */
export function createTokens(secret: string): BidTokens {
  const key = () =>
    crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  return {
    async issue(bidId) {
      const signature = await crypto.subtle.sign('HMAC', await key(), bytes(PURPOSE + bidId));
      return `${bidId}.${hex(new Uint8Array(signature))}`;
    },
    async verify(token) {
      const [, bidId, signature] = /^([\w-]{1,64})\.([0-9a-f]{64})$/.exec(token) ?? [];
      if (!bidId || !signature) return undefined;
      const signed = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      return (await crypto.subtle.verify('HMAC', await key(), signed, bytes(PURPOSE + bidId))) ? bidId : undefined;
    },
  };
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hex = (data: Uint8Array): string => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
