/** Where everything goes that is not answered here: the service in its region. */
export interface Origin {
  url: string;
}

/**
 * The origin's answer to a request, passed on as it came and streamed both ways; undefined when there is none in time.
 * @param limitMs how long its first byte is waited for; for ever unless told
 */
export async function passOn(request: Request, { url }: Origin, limitMs?: number): Promise<Response | undefined> {
  const { pathname, search } = new URL(request.url);
  // Joined as texts: a path that begins with two slashes would name another host, who would be sent the credentials.
  const there = new Request(`${url}${pathname}${search}`, request);
  // The runtime would ask for compressed answers of its own accord, and hand them to who did not.
  if (!there.headers.has('accept-encoding')) there.headers.set('accept-encoding', 'identity');
  try {
    return await fetch(there, {
      redirect: 'manual',
      signal: limitMs === undefined ? null : AbortSignal.timeout(limitMs),
    });
  } catch {
    return undefined;
  }
}
