import { build } from 'esbuild';

/** A request for bids, and what came of it, as far as the tests look at them. */
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

/** The parts of Prebid.js that turn its ad units into OpenRTB and back. */
interface Prebid {
  ortbConverter(options: object): Converter;
  toOrtbNativeRequest(assets: object): object;
  toLegacyResponse(ortb: object, request: object): Record<string, unknown>;
  /** Ends its timers, which would fire during other tests. */
  close(): void;
}

/** They are outside its exports. */
const SOURCES = './node_modules/prebid.js/dist/src';
/** Not typed. */
const JSDOM = 'jsdom';

/** Prebid.js in a window of its own: it takes a browser for granted. */
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
