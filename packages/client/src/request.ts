/** The input of any operation. `Input` is the precise type of one operation. */
export interface AnyInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A complete request, except for its abort signal. */
export interface OutgoingRequest {
  /** Its method and path template, for the log. */
  route: string;
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** Builds the request of an operation. @param route its method and path template @throws TypeError if a path variable is missing */
export function buildRequest(
  baseUrl: string,
  route: string,
  input: AnyInput,
  headers: OutgoingRequest['headers'],
): OutgoingRequest {
  const [method = '', template = ''] = route.split(' ');
  const request = { route, url: buildUrl(baseUrl, route, template, input), method };
  if (input.body === undefined) return { ...request, headers };
  return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(input.body) };
}

/** `baseUrl` may have a path and may end with a slash. */
function buildUrl(baseUrl: string, route: string, template: string, { params = {}, query = {} }: AnyInput): string {
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = params[name];
    // An empty value would address the list, and "." or ".." would address another path.
    if (value === undefined || value === null || /^\.{0,2}$/.test(String(value))) {
      throw new TypeError(`${route} needs params.${name}${value == null ? '' : `, which is "${value}"`}`);
    }
    return encodeURIComponent(String(value));
  });
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : '';
  return `${baseUrl.replace(/\/+$/, '')}${path}${search}`;
}
