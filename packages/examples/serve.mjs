import { createServer } from 'node:http';
import { Readable } from 'node:stream';

const { ADS_URL: baseUrl = 'http://localhost:3000', ADS_KEY } = process.env;

function exitWith(reason) {
  console.error(reason);
  process.exit(1);
}

/** Returns the URL of the ad service and the API key: yours, or the demo's, from the same settings as the service's own web page. */
export async function findService() {
  if (ADS_KEY) return { baseUrl, apiKey: ADS_KEY };
  const settings = await fetch(`${baseUrl}/assets/settings.json`).then(
    (response) => (response.ok ? response.json() : {}),
    () =>
      exitWith(
        `There is no ad service at ${baseUrl}: run "npm start" in another terminal, and wait until it is ready.`,
      ),
  );
  const apiKey =
    settings.demo?.apiKey ??
    exitWith(`The ad service at ${baseUrl} has no demo key: set ADS_KEY to a publisher's key.`);
  return { baseUrl, apiKey };
}

/** Converts a request of Node's server to the Request that a framework passes to its routes. */
function toRequest(incoming, outgoing) {
  const closed = new AbortController();
  outgoing.on('close', () => closed.abort());
  const { method, headers, url } = incoming;
  const body = method === 'GET' || method === 'HEAD' ? undefined : Readable.toWeb(incoming);
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers,
    body,
    duplex: 'half',
    signal: closed.signal,
  });
}

/**
 * Serves an example, as your framework does.
 * @param files the type and the content by path @param routes functions from a Request to a Response, by path
 */
export function serve({ name, port, files, routes }) {
  const { PORT = port } = process.env;
  const server = createServer(async (incoming, outgoing) => {
    const { pathname } = new URL(incoming.url, 'http://localhost');
    const [type, content] = files[pathname] ?? [];
    if (content) return outgoing.writeHead(200, { 'content-type': type }).end(content);
    if (!routes[pathname]) return outgoing.writeHead(404).end();
    try {
      const response = await routes[pathname](toRequest(incoming, outgoing));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (!response.body) return outgoing.end();
      Readable.fromWeb(response.body)
        .on('error', () => {})
        .pipe(outgoing);
    } catch (error) {
      console.error(error);
      outgoing.writeHead(500).end();
    }
  });
  server.on('error', ({ code, message }) =>
    exitWith(code === 'EADDRINUSE' ? `PORT=${PORT} is in use: choose another, e.g. PORT=${port + 1}` : message),
  );
  server.listen(Number(PORT), 'localhost', () =>
    console.log(`${name} with ads from ${baseUrl} is at http://localhost:${server.address().port} (Ctrl-C ends it)`),
  );
}
