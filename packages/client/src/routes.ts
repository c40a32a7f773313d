import type { Operations } from './operations.ts';

/** An operation as its method and path: `POST /api/v1/ssp/bid`. */
export type Route = keyof Operations;

/** The input of an operation: its path variables, query, and body. */
export type Input<R extends Route> = Operations[R]['input'];

/** The response body of an operation. */
export type Result<R extends Route> = Operations[R]['result'];

/** Lists with pages (`limit` and `offset`). */
export type ListRoute = 'GET /api/v1/campaigns' | 'GET /api/v1/reports/campaigns';

/** Reports that are available as CSV. */
export type CsvRoute =
  | 'GET /api/v1/campaigns/{id}/report'
  | 'GET /api/v1/auth/api-keys/{id}/report'
  | 'GET /api/v1/reports/campaigns'
  | 'GET /api/v1/reports/terms'
  | 'GET /api/v1/statements';
