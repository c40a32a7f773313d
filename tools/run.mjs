import { spawnSync } from 'node:child_process';

/** Commands for developers, such as `npm run bench -- cpu`. The entry '' is the default if the first argument is not a name. */
const TOOLS = {
  bench: {
    cpu: 'tools/bench/cpu.ts',
    cold: 'tools/bench/cold-start.ts',
    match: 'tools/bench/match.ts',
    hot: 'test/faults/hot/simulate.ts',
    memory: 'tools/bench/memory.ts',
    deliveries: 'tools/bench/deliveries.ts',
    load: 'tools/bench/load.ts',
    hostile: 'test/contract/text-cost-bench.ts',
  },
  train: {
    fit: 'tools/fit/fit.ts',
    vectors: 'tools/train-vectors.ts',
    review: 'tools/review/review.ts',
    safety: 'tools/safety/safety.ts',
    kinds: 'tools/kinds/kinds.ts',
    lexicon: 'infra/lexicon/make.ts',
    crawlers: 'tools/crawlers.ts',
  },
  check: {
    openapi: 'tools/check-openapi.ts',
    'trusted-match': 'tools/check-trusted-match.ts',
    edge: 'infra/edge/check.ts',
    size: 'tools/check-size.ts',
    readme: 'tools/generate-tables.ts',
  },
  fuzz: {
    http: 'test/contract/fuzz.ts',
    faults: 'test/faults/store/faults.ts',
    budgets: 'test/shared/budgets/shards/all-seeds.ts',
  },
  cost: { '': 'tools/cost/cost.ts', capacity: 'tools/cost/capacity.ts' },
};
/** These build what `infra/ready.mjs` checks, or do not need it, so they start without it. */
const BEFORE_READY = [
  'tools/train-vectors.ts',
  'tools/kinds/kinds.ts',
  'infra/lexicon/make.ts',
  'tools/crawlers.ts',
  'tools/generate-tables.ts',
];

const [kind, ...given] = process.argv.slice(2);
const tools = TOOLS[kind];
const isNamed = given[0] !== undefined && given[0] !== '' && Object.hasOwn(tools, given[0]);
const file = isNamed ? tools[given[0]] : tools[''];
if (!file) {
  console.error(`Usage: npm run ${kind} -- <${Object.keys(tools).join('|')}> […]`);
  process.exit(2);
}
const ready = BEFORE_READY.includes(file) ? './infra/node-version.mjs' : './infra/ready.mjs';
const args = ['--expose-gc', '--import', ready, file, ...given.slice(isNamed ? 1 : 0)];
const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
