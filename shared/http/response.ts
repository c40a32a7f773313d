/** What every response of the API carries: no cache may keep it, and no client may take it for another type than it says. */
export const NEVER_KEPT = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

export const CSV = { 'content-type': 'text/csv; charset=utf-8' } as const;
