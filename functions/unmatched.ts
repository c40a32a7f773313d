import { endpoint } from '../shared/http/endpoint.ts';
import { methodNotAllowed, routeNotFound } from '../shared/http/errors.ts';
import { endpointNames, endpointRow } from '../shared/operations/endpoints.ts';
import type { Area, Endpoint } from '../shared/operations/rows.ts';

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Whose words an unknown path is refused in. */
const areaOf = (path: string): Area =>
  path.startsWith('/api/v1/ssp/') ? 'ssp' : path.startsWith('/api/v1/ad-serving/') ? 'legacy' : 'open';

/** Everything that no other operation answers: 405 for a known path, 404 for any other (api 1.2). */
export default endpoint('unmatched', () => {
  const rows = endpointNames.map(endpointRow).filter((row): row is Endpoint & { path: string } => row.path !== null);
  const known = rows.map((row) => ({ row, matches: pattern(row.path) }));

  return {
    act({ path, method }) {
      const here = known.filter(({ matches }) => matches.test(path)).map(({ row }) => row);
      const area = here[0]?.area ?? areaOf(path);
      const allowed = [...new Set(here.flatMap(({ methods }) => methods))];
      // A path that the gateway did not know as it was spelled can come here under a method that it has.
      if (allowed.length === 0 || allowed.some((name) => name === method)) throw routeNotFound(area);
      throw methodNotAllowed(area, allowed);
    },
  };
});
