import type { useServiceInMemory } from '../../memory/stack.ts';

type Service = ReturnType<typeof useServiceInMemory>;

/** A publisher of the legacy API: requests ads and reports impressions and clicks. */
export function createPublisher(service: Pick<Service, 'call'>, key: string) {
  const headers = (more = {}) => ({ authorization: `Bearer ${key}`, ...more });
  return {
    request: (
      conversation: string,
      more: {
        context?: object;
        preferences?: object | null;
        placement?: object | null;
        conversation?: object;
        variant?: string;
      } = {},
      extra = {},
    ) =>
      service.call('POST', '/api/v1/ad-serving/request', {
        headers: headers(extra),
        body: { ...more, context: { conversation, ...more.context } },
      }),
    impression: (adId: string, query = '') =>
      service.call('GET', `/api/v1/ad-serving/impression/${adId}`, { headers: headers(), query }),
    click: (adId: string, query = '', extra = {}) =>
      service.call('GET', `/api/v1/ad-serving/click/${adId}`, { headers: headers(extra), query }),
  };
}

/** A campaign with a keyword of its own, a publisher, and one ad. */
export async function createLegacyAd(service: Service, word: string, campaign: object = {}, key: object = {}) {
  const publishes = createPublisher(service, await service.key(key));
  const created = await service.campaign({ targetAudience: { keywords: [word] }, ...campaign });
  const { body } = await publishes.request(word);
  const figures = async () => (await service.user()('GET', `/campaigns/${created.id}`)).body;
  const record = () => service.stack.effects.db.get('bids', { id: body.ads[0].id });
  return { ...publishes, campaign: created, ad: body.ads[0], figures, record };
}
