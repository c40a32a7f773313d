import { createApp } from '../shared/http/app.ts';
import { methodNotAllowed, routeNotFound } from '../shared/http/errors.ts';
import { operationsAt } from '../shared/http/operations/endpoints.ts';
import type { Effects } from '../shared/platform/effects.ts';

/** Answers everything that no other operation does: 405 for a known path, 404 for any other (api 1.2). */
export default (effects: Effects) =>
  createApp('unmatched', effects).all('*', (c) => {
    const { path, method } = c.req;
    const allowed = [...new Set(operationsAt(path).flatMap(({ methods }) => methods))];
    // API Gateway may not recognize a path as it was spelled, and sends it here under a method that the path has.
    if (allowed.length === 0 || allowed.some((name) => name === method)) throw routeNotFound();
    throw methodNotAllowed(allowed);
  });
