import { type EndpointName, endpointNames, endpointRow } from '../operations/endpoints.ts';

const routes = endpointNames.flatMap((name) => {
  const { path, methods } = endpointRow(name);
  return path === null ? [] : [{ name, methods, segments: path.split('/') }];
});

const isVariable = (segment: string): boolean => segment.startsWith('{');

/**
 * Finds the operation for a method and a path that is not decoded. Hono would answer 404 for another method, and HEAD for every GET. The
 * contract requires 405, so every runtime looks up the table instead.
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

/** Decodes a path, or returns it unchanged if it is malformed. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
