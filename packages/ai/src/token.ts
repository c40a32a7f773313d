/** BidTokens say of a bid that this server got it, so that its route asks for no other; nothing has to be kept for it. */
export interface BidTokens {
  issue(bidId: string): Promise<string>;
  /** The bid of a token; undefined where it is not ours. */
  read(token: string): Promise<string | undefined>;
}

const PURPOSE = 'conversation-ads sponsored card\n';

/** @param secret a key of this server, never shown: the publisher's API key */
export function createTokens(secret: string): BidTokens {
  const key = () =>
    crypto.subtle.importKey('raw', bytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  return {
    async issue(bidId) {
      const signature = await crypto.subtle.sign('HMAC', await key(), bytes(PURPOSE + bidId));
      return `${bidId}.${hex(new Uint8Array(signature))}`;
    },
    async read(token) {
      const [, bidId, signature] = /^([\w-]{1,64})\.([0-9a-f]{64})$/.exec(token) ?? [];
      if (!bidId || !signature) return undefined;
      const given = Uint8Array.from(signature.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      return (await crypto.subtle.verify('HMAC', await key(), given, bytes(PURPOSE + bidId))) ? bidId : undefined;
    },
  };
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const hex = (data: Uint8Array): string => Array.from(data, (byte) => byte.toString(16).padStart(2, '0')).join('');
