/** What every response of the API carries: none may be kept by a cache, or taken for another type than it says. */
export const NEVER_KEPT = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** What a function answers; the place that sends it adds what every response carries. */
export interface Answer {
  status: number;
  /** Sent as JSON, a text as it is (its type is then among the headers); undefined sends no body. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Fields of the body that could not be set, though its schema knows them. */
  ignored?: string[];
  /** What X-Debug shows besides the request id and the timings. */
  debug?: { timingsMs?: Record<string, number>; [name: string]: unknown };
}

export const ok = (body: unknown, debug?: Answer['debug']): Answer => ({ status: 200, body, debug });
export const created = (body: unknown): Answer => ({ status: 201, body });
export const noContent = (debug?: Answer['debug']): Answer => ({ status: 204, debug });
export const csv = (body: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'text/csv; charset=utf-8' },
  body,
});
export const redirect = (location: string): Answer => ({
  status: 302,
  headers: { location },
});
