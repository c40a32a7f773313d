/**
 * `npm run bench -- match`: the duration of a match compared with tokenizing, MiniSearch, and FlexSearch, on generated markets of 1k,
 * 10k, and 100k campaigns. Only ratios within one run are comparable.
 */
import { Index } from 'flexsearch';
import MiniSearch from 'minisearch';
import { getLexicon as load } from '../../shared/ads/catalog/lexicon.ts';
import { buildMatchingProfile, MatchIndex, type Message, splitWords, stem } from '../../shared/matching/index.ts';
import { type BenchMarket, generateConversation, generateMarket } from './market.ts';

/** The tokenizer for comparison caches stems, as one in production would. */
const stems = new Map<string, string>();

interface Figures {
  median: number;
  p95: number;
}

const lexicon = load();
/** An index without campaigns. */
const emptyIndex = new MatchIndex(lexicon);
const SHORT = 1_200;
const LONG = 40_000;
const rows: Record<string, unknown>[] = [];
const medians = new Map<number, number>();
let tokenising = 0;

for (const size of [1_000, 10_000, 100_000]) {
  const market = generateMarket(size);
  const short = Array.from({ length: 60 }, () => generateConversation(market, SHORT, isPlaceForAds));
  const long = Array.from({ length: 3 }, () => generateConversation(market, LONG, isPlaceForAds));
  engine(market, short, long);
  if (!process.argv.includes('--engine')) {
    miniSearch(market, short);
    flexSearch(market, short, long);
  }
}
console.table(rows);
const growth = Math.log(medians.get(100_000)! / medians.get(1_000)!) / Math.log(100);
console.log(`Growth exponent of this engine from 1k to 100k campaigns: ${growth.toFixed(2)}`);

function engine({ campaigns }: BenchMarket, short: Message[][], long: Message[][]): void {
  const profiles = campaigns.map((campaign) => buildMatchingProfile(campaign.audience, lexicon));
  const before = memory();
  const started = performance.now();
  const index = new MatchIndex(lexicon);
  for (const [i, { id, ceiling }] of campaigns.entries()) index.set(id, profiles[i]!, ceiling);
  const build = performance.now() - started;
  const heap = memory() - before;
  const ceilings = new Map(campaigns.map(({ id, ceiling }) => [id, ceiling]));
  const bid = (id: string) => ceilings.get(id)!;
  const [match, alone] = measureAlternately(
    each(short, (messages) => index.match(messages, { bid })),
    each(short, tokenize),
    600,
  );
  const matchLong = measure(
    each(long, (messages) => index.match(messages, { bid })),
    21,
  );
  let next = 0;
  const update = measure(() => {
    const i = next++ % campaigns.length;
    index.set(campaigns[i]!.id, profiles[(i + 1) % campaigns.length]!, 1_000 * (1 + (i % 9_000)));
  }, 500);
  const [quiet, quietAlone] = measureBest(short, (messages) => index.match(messages, { bid }), tokenize);
  medians.set(campaigns.length, match.median);
  tokenising = alone.median;
  report(campaigns.length, 'tokenising alone', alone, measure(each(long, tokenize), 21));
  report(campaigns.length, 'this engine', match, matchLong, build, update.median, heap);
  const ratio = (time: number) => `${(time / alone.median).toFixed(1)}x`;
  console.log(
    `${campaigns.length} campaigns, against tokenising: match ${ratio(match.median)}, p95 ${ratio(match.p95)}, update ${ratio(update.median)}`,
  );
  console.log(
    `  undisturbed (each conversation's best of 30 rounds): match ${(quiet.median / quietAlone.median).toFixed(1)}x, p95 of conversations ${(quiet.p95 / quietAlone.median).toFixed(1)}x`,
  );
}

function miniSearch({ campaigns }: BenchMarket, short: Message[][]): void {
  const before = memory();
  const started = performance.now();
  const index = new MiniSearch({ fields: ['text'] });
  index.addAll(campaigns.map(({ id, audience }) => ({ id, text: audience.keywords.join(' ') })));
  const build = performance.now() - started;
  const heap = memory() - before;
  // Only three conversations of 1.2 KB: with 100,000 campaigns, each takes seconds, and a 40 KB one exceeds Node's memory.
  const found = measure(
    each(short, (messages) => index.search(text(messages))),
    3,
  );
  let next = 0;
  const update = measure(() => {
    const { id, audience } = campaigns[next++]!;
    index.replace({ id, text: audience.keywords.join(' ') });
  }, 20);
  report(campaigns.length, 'MiniSearch', found, undefined, build, update.median, heap);
}

function flexSearch({ campaigns }: BenchMarket, short: Message[][], long: Message[][]): void {
  const before = memory();
  const started = performance.now();
  const index = new Index({ tokenize: 'strict' });
  for (const [i, { audience }] of campaigns.entries()) index.add(i, audience.keywords.join(' '));
  const build = performance.now() - started;
  const heap = memory() - before;
  let next = 0;
  const update = measure(() => {
    index.update(next, campaigns[next]!.audience.keywords.join(' '));
    next++;
  }, 20);
  // FlexSearch requires every word of a query. With `suggest`, words may be missing, but it stops at the first unranked results.
  const suggest = (messages: Message[]) => index.search(text(messages), { suggest: true, limit: 20 });
  report(
    campaigns.length,
    'FlexSearch, suggest',
    measure(each(short, suggest), 30),
    measure(each(long, suggest), 3),
    build,
    update.median,
    heap,
  );
  // Search word by word and rank campaigns by hits, as FlexSearch users do to rank by a whole text.
  const count = (messages: Message[]) => {
    const found = new Map<number, number>();
    for (const word of new Set(text(messages).split(' ')))
      for (const id of index.search(word, { limit: campaigns.length }))
        found.set(Number(id), (found.get(Number(id)) ?? 0) + 1);
    return [...found].sort(([, one], [, other]) => other - one).slice(0, 20);
  };
  report(campaigns.length, 'FlexSearch, ranked', measure(each(short, count), 30), measure(each(long, count), 3));
}

/** Whether a conversation allows ads. Half of the random conversations of 1.2 KB do not, and would be answered without a search. */
function isPlaceForAds(messages: Message[]): boolean {
  return emptyIndex.match(messages, { bid: () => 0 }).noBid !== 'sensitive_context';
}

/** A function that calls with the next conversation each time. */
function each(conversations: Message[][], use: (messages: Message[]) => unknown): () => unknown {
  let next = 0;
  return () => use(conversations[next++ % conversations.length]!);
}

function tokenize(messages: Message[]): number {
  let sum = 0;
  for (const { content } of messages)
    for (const { word } of splitWords(content)) {
      const root = stems.get(word) ?? stem(word);
      stems.set(word, root);
      sum += root.length;
    }
  return sum;
}

function text(messages: Message[]): string {
  return messages.map(({ content }) => content).join(' ');
}

/** Milliseconds per call over `runs` calls, after warming up. */
function measure(call: () => unknown, runs: number): Figures {
  for (let i = 0; i < Math.min(300, runs); i++) call();
  const times = Array.from({ length: runs }, () => {
    const from = performance.now();
    call();
    return performance.now() - from;
  });
  return toFigures(times);
}

function toFigures(times: number[]): Figures {
  const sorted = times.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, p95: sorted[Math.floor(0.95 * sorted.length)]! };
}

/** Like `measure`, but alternates two calls, so that caches and other load on the machine affect both equally. */
function measureAlternately(one: () => unknown, other: () => unknown, runs: number): [Figures, Figures] {
  for (let i = 0; i < 300; i++) [one, other].map((call) => call());
  const times: [number[], number[]] = [[], []];
  for (let i = 0; i < runs; i++)
    [one, other].forEach((call, which) => {
      const from = performance.now();
      call();
      times[which]!.push(performance.now() - from);
    });
  return [toFigures(times[0]), toFigures(times[1])];
}

/** Like `measureAlternately`, but takes the best of 30 rounds per conversation, to exclude the time of other programs. */
function measureBest(
  conversations: Message[][],
  one: (messages: Message[]) => unknown,
  other: (messages: Message[]) => unknown,
): [Figures, Figures] {
  const best = [one, other].map(() => conversations.map(() => Number.POSITIVE_INFINITY));
  for (let round = 0; round < 30; round++)
    for (const [i, messages] of conversations.entries())
      [one, other].forEach((use, which) => {
        const from = performance.now();
        use(messages);
        best[which]![i] = Math.min(best[which]![i]!, performance.now() - from);
      });
  return [toFigures(best[0]!), toFigures(best[1]!)];
}

function memory(): number {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function report(
  size: number,
  what: string,
  short: Figures,
  long?: Figures,
  build?: number,
  update?: number,
  heap?: number,
): void {
  const fixed = (value: number | undefined, digits: number) => (value === undefined ? '' : value.toFixed(digits));
  rows.push({
    campaigns: size,
    what,
    '1.2 KB ms': fixed(short.median, 3),
    p95: fixed(short.p95, 3),
    'x tokenising': fixed(short.median / tokenising, 1),
    '40 KB ms': fixed(long?.median, 2),
    'build ms': fixed(build, 0),
    'update ms': fixed(update, 4),
    'heap MB': fixed(heap, 1),
  });
}
