import { readFile } from 'node:fs/promises';

/** What wrangler.jsonc says. */
export const wranglerSettings = async () =>
  JSON.parse((await readFile(`${import.meta.dirname}/wrangler.jsonc`, 'utf8')).replaceAll(/^\s*\/\/.*$/gm, ''));
