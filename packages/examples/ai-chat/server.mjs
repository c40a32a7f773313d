import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { findService, serve } from '../serve.mjs';
import { createChat } from './chat.mjs';

const routes = createChat(await findService());
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

serve({
  name: 'A chat',
  port: 3100,
  files: {
    '/': ['text/html', await readFile(`${here}/page.html`)],
    '/page.js': ['text/javascript', outputFiles[0].contents],
    '/favicon.ico': ['image/svg+xml', await readFile(`${here}/icon.svg`)],
  },
  routes,
});
