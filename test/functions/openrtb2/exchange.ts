import type { useServiceInMemory } from '../../memory/stack.ts';
import { type Response, runningShoes } from '../../service.ts';

export const TITLE = { id: 7, required: 1, title: { len: 90 } };
export const toNative = (assets: object[] = [TITLE], more: object = {}) => ({
  request: JSON.stringify({ ver: '1.2', assets, ...more }),
});
export const imp = (more: object = {}) => ({ id: '1', native: toNative(), ...more });
export const toExt = (content: string) => ({ conversation: { messages: [{ role: 'user', content }] } });

/** An exchange and its advertisers. */
export function createExchange(
  service: Pick<ReturnType<typeof useServiceInMemory>, 'call' | 'campaign' | 'key' | 'user'>,
) {
  let count = 0;
  /** A campaign with a topic of its own, a key, and an exchange's requests for it. */
  async function openMarket({ campaign = {}, key = {} }: { campaign?: object; key?: object } = {}) {
    const word = `zither${'abcdefghijklmnopqrstuvwxyz'[count++ % 26]}${count}`;
    const { creative } = runningShoes();
    const made = await service.campaign({ targetAudience: { keywords: [word] }, creative, ...campaign });
    const secret = await service.key(key);
    const ask = (request: object = {}, headers: Record<string, string> = {}): Promise<Response> =>
      service.call('POST', '/api/v1/openrtb2/bid', {
        headers: { 'x-api-key': secret, 'x-openrtb-version': '2.6', ...headers },
        body: { id: 'r1', imp: [imp()], ext: toExt(`Where do I buy a ${word}?`), ...request },
      });
    return {
      word,
      campaign: made,
      key: secret,
      ask,
      getBid: async (request?: object) => (await ask(request)).body.seatbid[0].bid[0],
    };
  }

  /** Calls a notice with the price filled in, or with the macro unreplaced. */
  function sendNotice(url: string, price?: string, headers: Record<string, string> = {}) {
    const [path = '', query = ''] = url.replace('https://ads.test', '').split('?');
    return service.call('GET', path, {
      headers,
      query: price === undefined ? query : query.replace(/\$\{\w+\}/, price),
    });
  }
  const getSpend = async ({ campaign }: { campaign: { id: string } }) =>
    (await service.user()('GET', `/campaigns/${campaign.id}`)).body.spentBudget;
  return { openMarket, sendNotice, getSpend };
}
