import { type EndpointName, endpointNames, endpointRow } from '../operations/endpoints.ts';

const routes = endpointNames.flatMap((name) => {
  const { path, methods } = endpointRow(name);
  return path === null ? [] : [{ name, methods, segments: path.split('/') }];
});

const isVariable = (segment: string): boolean => segment.startsWith('{');

/**
 * The operation that answers a method and a path as it stands in the request line. Hono would answer 404 for another method, and HEAD for
 * every GET; the contract wants 405, so the table decides in every runtime.
 */
export function findRoute(method: string, path: string): EndpointName {
  const given = path.split('/');
  const found = routes.find(
    ({ methods, segments }) =>
      methods.some((one) => one === method) &&
      segments.length === given.length &&
      segments.every((segment, at) => (isVariable(segment) ? given[at] !== '' : segment === given[at])),
  );
  return found?.name ?? 'unmatched';
}

/** A decoded path; one that cannot be decoded stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
