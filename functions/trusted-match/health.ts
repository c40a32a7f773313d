import { endpoint } from '../../shared/http/endpoint.ts';
import { ok } from '../../shared/http/response.ts';

/** Says that the provider is ready, where routers of Trusted Match look (api 11.3). */
export default endpoint('trusted-match/health', () => ({ act: () => ok({ status: 'ok' }) }));
