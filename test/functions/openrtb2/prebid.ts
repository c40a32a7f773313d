import { build } from 'esbuild';

/** The parts of a Prebid bid request and its result that the tests use. */
interface PrebidRequest {
  id: string;
  imp: { id: string; native: { request: string } }[];
}
interface PrebidBid {
  mediaType: string;
  requestId: string;
  cpm: number;
  currency: string;
  ttl: number;
  creativeId: string;
  burl?: string;
  meta: { advertiserDomains: string[] };
  native: { ortb: object };
}
interface Converter {
  toORTB(request: object): PrebidRequest;
  fromORTB(exchanged: { request: object; response: unknown }): { bids: PrebidBid[] };
}

/** The parts of Prebid.js that convert its ad units to OpenRTB and back. */
interface Prebid {
  ortbConverter(options: object): Converter;
  toOrtbNativeRequest(assets: object): object;
  toLegacyResponse(ortb: object, request: object): Record<string, unknown>;
  /** Stops its timers, which would fire during other tests. */
  close(): void;
}

/** These modules are outside its package exports. */
const SOURCES = './node_modules/prebid.js/dist/src';
/** It has no types. */
const JSDOM = 'jsdom';

/** Prebid.js with a window of its own, because it assumes a browser. */
export async function loadPrebid(): Promise<Prebid> {
  const { outputFiles } = await build({
    stdin: {
      resolveDir: `${import.meta.dirname}/../../..`,
      contents: `
        export { ortbConverter } from '${SOURCES}/libraries/ortbConverter/converter.js';
        export { toLegacyResponse, toOrtbNativeRequest } from '${SOURCES}/src/native.js';`,
    },
    bundle: true,
    format: 'iife',
    globalName: 'prebid',
    legalComments: 'none',
    write: false,
  });
  const { JSDOM: Dom } = await import(JSDOM);
  const { window } = new Dom('', { url: 'https://chat.example/', runScripts: 'outside-only' });
  return { ...window.eval(`${outputFiles[0]!.text};prebid`), close: () => window.close() };
}
