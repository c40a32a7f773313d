import { endpoint } from '../shared/http/endpoint.ts';
import { ok } from '../shared/http/response.ts';

/** Says that the service is up (api 9). */
export default endpoint('health', () => ({ act: () => ok({ status: 'ok' }) }));
