/** In a request: which service's Worker it is for, and what time it is there. In an answer: what was logged and measured. */
export const HEADERS = { service: 'x-service', now: 'x-now', told: 'x-told' } as const;
