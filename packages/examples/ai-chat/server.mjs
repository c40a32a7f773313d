import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { build } from 'esbuild';
import { createChat } from './chat.mjs';

const { ADS_URL: baseUrl = 'http://localhost:3000', ADS_KEY, PORT = '3100' } = process.env;

function exitWith(reason) {
  console.error(reason);
  process.exit(1);
}

/** Gets the key of the local service's demo from the same settings as the service's own web page. */
async function demoKey() {
  const settings = await fetch(`${baseUrl}/assets/settings.json`).then(
    (response) => (response.ok ? response.json() : {}),
    () =>
      exitWith(
        `There is no ad service at ${baseUrl}: run "npm start" in another terminal, and wait until it is ready.`,
      ),
  );
  return (
    settings.demo?.apiKey ?? exitWith(`The ad service at ${baseUrl} has no demo key: set ADS_KEY to a publisher's key.`)
  );
}

const routes = createChat({ baseUrl, apiKey: ADS_KEY ?? (await demoKey()) });
const here = import.meta.dirname;
const entryPoints = [`${here}/page.jsx`];
const { outputFiles } = await build({
  entryPoints,
  bundle: true,
  minify: true,
  format: 'esm',
  jsx: 'automatic',
  write: false,
});
const page = await readFile(`${here}/page.html`);
const icon = await readFile(`${here}/icon.svg`);
const files = {
  '/': ['text/html', page],
  '/page.js': ['text/javascript', outputFiles[0].contents],
  '/favicon.ico': ['image/svg+xml', icon],
};

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

const server = createServer(async (incoming, outgoing) => {
  const { pathname } = new URL(incoming.url, 'http://localhost');
  const [type, content] = files[pathname] ?? [];
  if (content) return outgoing.writeHead(200, { 'content-type': type }).end(content);
  if (!routes[pathname]) return outgoing.writeHead(404).end();
  try {
    const response = await routes[pathname](toRequest(incoming, outgoing));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    Readable.fromWeb(response.body)
      .on('error', () => {})
      .pipe(outgoing);
  } catch (error) {
    console.error(error);
    outgoing.writeHead(500).end();
  }
});
server.on('error', ({ code, message }) =>
  exitWith(code === 'EADDRINUSE' ? `PORT=${PORT} is in use: choose another, e.g. PORT=3101` : message),
);
server.listen(Number(PORT), 'localhost', () =>
  console.log(`A chat with ads from ${baseUrl} is at http://localhost:${server.address().port} (Ctrl-C ends it)`),
);
