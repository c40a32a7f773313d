import { AwsV4Signer } from 'aws4fetch';

/** aws4fetch in the place of the signer that the Worker has, for comparison: as its own client does, it keeps what it derives of the key. */
export function createStoreSigner(config) {
  const cache = new Map();
  return {
    async sign({ method, protocol, hostname, path, headers, body }) {
      const { credentials, region } = config();
      const settings = { service: 'dynamodb', region: await region(), ...(await credentials()), cache };
      const url = `${protocol}//${hostname}${path}`;
      return new AwsV4Signer({ ...settings, method, url, headers, body }).sign();
    },
  };
}
