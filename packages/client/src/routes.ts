import type { Operations } from './operations.ts';

/** An operation as its method and path: `POST /api/v1/ssp/bid`. */
export type Route = keyof Operations;

/** What an operation takes: the variables of its path, its query and its body. */
export type Input<R extends Route> = Operations[R]['input'];

/** What an operation answers. */
export type Result<R extends Route> = Operations[R]['result'];

/** Lists that come in pages, by `limit` and `offset`. */
export type ListRoute = 'GET /api/v1/campaigns';

/** What can be had as CSV. */
export type CsvRoute = 'GET /api/v1/campaigns/{id}/report' | 'GET /api/v1/auth/api-keys/{id}/report';
