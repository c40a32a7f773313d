import { createApp } from '../shared/http/app.ts';
import { methodNotAllowed, routeNotFound } from '../shared/http/errors.ts';
import { operationsAt } from '../shared/http/operations/endpoints.ts';
import type { Effects } from '../shared/platform/effects.ts';

/** Catches every request that matches no operation: 405 if the path exists, 404 otherwise (api 1.2). */
export default (effects: Effects) =>
  createApp('unmatched', effects).all('*', (c) => {
    const { path, method } = c.req;
    const allowed = [...new Set(operationsAt(path).flatMap(({ methods }) => methods))];
    // API Gateway may not match an unusually spelled path, so even an allowed method can arrive here.
    if (allowed.length === 0 || allowed.some((name) => name === method)) throw routeNotFound();
    throw methodNotAllowed(allowed);
  });
