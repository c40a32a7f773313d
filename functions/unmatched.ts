import { type Endpoint, endpointNames, endpointRow } from '../shared/endpoints.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { methodNotAllowed, notFound } from '../shared/http/errors.ts';

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** Everything that no other operation answers: 405 for a known path, 404 for any other (decisions, section 1). */
export default endpoint('unmatched', () => {
  const rows = endpointNames.map(endpointRow).filter((row): row is Endpoint & { path: string } => row.path !== null);
  const known = rows.map((row) => ({ row, matches: pattern(row.path) }));

  return {
    act({ path }) {
      const here = known.filter(({ matches }) => matches.test(path)).map(({ row }) => row);
      const area = here[0]?.area ?? (path.startsWith('/api/v1/ssp/') ? 'ssp' : 'open');
      if (here.length > 0) throw methodNotAllowed(area, [...new Set(here.flatMap(({ methods }) => methods))]);
      throw notFound(area, 'Route not found');
    },
  };
});
