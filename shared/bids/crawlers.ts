import { createIsbotFromList, isbotPatterns, list } from 'isbot';

/** How plain HTTP clients name themselves: programs of publishers that follow a link for a person. */
const PLAIN_CLIENTS = [
  'curl/8.5.0',
  'Wget/1.21.4',
  'HTTPie/3.2.2',
  'PostmanRuntime/7.36.1',
  'insomnia/8.6.1',
  'python-requests/2.31.0',
  'Python-urllib/3.12',
  'python-httpx/0.27.0',
  'Python/3.12 aiohttp/3.9.3',
  'node',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'undici',
  'axios/1.6.7',
  'got (https://github.com/sindresorhus/got)',
  'Deno/1.40.5',
  'Bun/1.0.26',
  'Go-http-client/2.0',
  'okhttp/4.12.0',
  'Java/21.0.2',
  'Java-http-client/21.0.2',
  'Apache-HttpClient/5.3 (Java/21.0.2)',
  'Ruby',
  'Faraday v2.9.0',
  'GuzzleHttp/7',
  'libwww-perl/6.76',
  'reqwest/0.11.24',
  'Dart/3.3 (dart:io)',
];

/** Crawlers declare themselves with an address where one can read about them. */
const DECLARED = '\\+https?://(?!github\\.com/bitinn/node-fetch)';

/**
 * Tells declared crawlers and link-preview bots from people and from plain HTTP clients (decisions, section 5):
 * isbot's list less the patterns by which it takes plain clients for bots.
 */
export function createIsCrawler(): (userAgent: string) => boolean {
  const plain = new Set(PLAIN_CLIENTS.flatMap(isbotPatterns));
  return createIsbotFromList([...list.filter((pattern) => !plain.has(pattern)), DECLARED]);
}
