import { AwsV4Signer } from 'aws4fetch';

/** aws4fetch in the place of the signer that the Worker has, for comparison: as its own client does, it keeps what it derives of the key. */
export class SignatureV4 {
  #settings;

  constructor({ service, region, credentials }) {
    this.#settings = { service, region, ...credentials, cache: new Map() };
  }

  sign({ method, protocol, hostname, path, headers, body }) {
    const url = `${protocol}//${hostname}${path}`;
    return new AwsV4Signer({ ...this.#settings, method, url, headers, body }).sign();
  }
}
