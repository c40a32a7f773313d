import { endpoint } from '../shared/http/endpoint.ts';
import { methodNotAllowed, routeNotFound } from '../shared/http/errors.ts';
import { areaAt, operationsAt } from '../shared/http/unmatched.ts';

/** Everything that no other operation answers: 405 for a known path, 404 for any other (api 1.2). */
export default endpoint('unmatched', () => ({
  act({ path, method }) {
    const area = areaAt(path);
    const allowed = [...new Set(operationsAt(path).flatMap(({ methods }) => methods))];
    // A path that the gateway did not know as it was spelled can come here under a method that it has.
    if (allowed.length === 0 || allowed.some((name) => name === method)) throw routeNotFound(area);
    throw methodNotAllowed(area, allowed);
  },
}));
