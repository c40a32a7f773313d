/** What any operation takes, as the wide type that building its request wants. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** What is sent, whole but for the signal. */
export interface OutgoingRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** @param route an operation: its method and the template of its path @throws TypeError if a variable of the path is missing */
export function requestOf(
  baseUrl: string,
  route: string,
  input: AnyInput,
  headers: OutgoingRequest['headers'],
): OutgoingRequest {
  const [method = '', template = ''] = route.split(' ');
  const request = { url: addressOf(baseUrl, route, template, input), method };
  if (input.body === undefined) return { ...request, headers };
  return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(input.body) };
}

/** The address of an operation below a base address, which may end with a slash and have a path of its own. */
function addressOf(baseUrl: string, route: string, template: string, { params = {}, query = {} }: AnyInput): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[name];
    // An empty one would name the list, and dots another path.
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new TypeError(`${route} needs params.${name}${value == null ? '' : `, which is "${value}"`}`);
    }
    return encodeURIComponent(String(value));
  });
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = given.length > 0 ? `?${new URLSearchParams(given)}` : '';
  return `${baseUrl.replace(/\/+$/, '')}${path}${search}`;
}
