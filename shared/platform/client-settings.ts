import type { Readable } from 'node:stream';
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';

/**
 * What the SDK would look for in the environment and in files of a home directory at every start, and the address, for which it would work
 * through rules for all kinds of regions and addresses: a twentieth of a cold bid's processor time, a tenth of a click's.
 */
export const CLIENT_SETTINGS: DynamoDBClientConfig = {
  accountIdEndpointMode: 'disabled',
  authSchemePreference: [],
  defaultsMode: 'standard',
  endpointDiscoveryEnabled: false,
  endpointProvider: ({ Endpoint, Region }) => ({ url: new URL(Endpoint ?? addressIn(Region!)) }),
  ignoreConfiguredEndpointUrls: true,
  retryMode: 'standard',
  streamCollector: collect,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: '',
};

const addressIn = (region: string): string =>
  `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

/** The bytes of an answer. The SDK's own way asks first whether it is a stream of the web, for which Node loads all that these are made of. */
function collect(stream: Readable): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    stream
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('error', reject)
      .on('end', () => resolve(Buffer.concat(chunks)));
  });
}
