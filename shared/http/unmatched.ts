import { endpointNames, endpointRow } from './operations/endpoints.ts';
import type { Area, Endpoint } from './operations/rows.ts';

const pattern = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);

/** The operations of a path, whatever their methods. */
export function operationsAt(path: string): Endpoint[] {
  const rows = endpointNames.map(endpointRow);
  return rows.filter((row) => row.path !== null && pattern(row.path).test(path));
}

/** Whose words a path is refused in that no operation answers, or none by that method. */
export const areaAt = (path: string): Area =>
  operationsAt(path)[0]?.area ??
  (path.startsWith('/api/v1/ssp/') ? 'ssp' : path.startsWith('/api/v1/ad-serving/') ? 'legacy' : 'open');
