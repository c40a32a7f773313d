import { type EndpointName, endpointNames, endpointRow } from '../operations/endpoints.ts';

const routes = endpointNames
  .map((name) => ({ name, row: endpointRow(name) }))
  .filter(({ row }) => row.path !== null)
  .map(({ name, row }) => ({ name, methods: row.methods, segments: row.path!.split('/') }));

/** The row that answers a method and a path as it stands in the request line, and the path's parameters, decoded. */
export function findRoute(method: string, path: string): { name: EndpointName; parameters: Record<string, string> } {
  const given = path.split('/');
  for (const { name, methods, segments } of routes) {
    if (!methods.some((one) => one === method) || segments.length !== given.length) continue;
    const parameters: Record<string, string> = {};
    const fits = segments.every((segment, index) => {
      const variable = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (!variable) return segment === given[index];
      parameters[variable] = decode(given[index]!);
      return given[index] !== '';
    });
    if (fits) return { name, parameters };
  }
  return { name: 'unmatched', parameters: {} };
}

/** The real gateway hands paths on decoded; what cannot be decoded stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
