import { parseArgs } from 'node:util';
import { table } from '../../tools/text-table.ts';
import { hostileTexts, SCRIPTS } from './hostile-texts.ts';
import { type Cost, getMaxRatio, measureCosts, type Send, TEXT_LENGTH, textOperations } from './text-cost.ts';

const USAGE = 'npm run bench -- hostile [--operation bid] [--script Hangul] [--rounds 2] [--all]';
/** Additional rounds for a text that seems too slow, because other load on the machine may be the cause. */
const ROUNDS_AGAIN = 4;

interface Line {
  operation: string;
  script: string;
  text: string;
  cost: Cost;
  /** Its cost relative to ordinary text. */
  ratio: number;
}

/** `npm run bench -- hostile`: measures hostile texts on every operation that reads text. Fails if one takes too long relative to ordinary text. */
async function bench({ operation, script, rounds, all }: Options): Promise<void> {
  const rows: Line[] = [];
  const slow: Line[] = [];
  for (const [name, send] of Object.entries(select(await textOperations(), operation))) {
    const lines: Line[] = [];
    for (const one of Object.keys(select(SCRIPTS, script))) lines.push(...(await measure(name, send, one, rounds)));
    rows.push(...(all ? lines : [lines.reduce((one, other) => (share(other) > share(one) ? other : one))]));
    slow.push(...lines.filter((line) => share(line) > 1));
    if (process.stderr.isTTY) process.stderr.write(`${name}: ${lines.length} texts\n`);
  }
  show(rows);
  console.log(`\n${slow.length} texts are too slow`);
  if (slow.length === 0) return;
  show(slow);
  process.exitCode = 1;
}

/** The cost as a share of its limit: above 1 is too slow. */
const share = ({ text, ratio }: Line): number => ratio / getMaxRatio(text);

async function measure(operation: string, send: Send, script: string, rounds: number): Promise<Line[]> {
  const texts = hostileTexts(script, TEXT_LENGTH);
  let found = await measureCosts(send, texts, rounds);
  const lines = (): Line[] =>
    Object.entries(found).map(([text, cost]) => ({
      operation,
      script,
      text,
      cost,
      ratio: cost.ms / found.ordinary!.ms,
    }));
  const seen = lines().filter((line) => share(line) > 1);
  if (seen.length === 0) return lines();
  const again = Object.fromEntries(seen.map(({ text }) => [text, texts[text]!]));
  found = { ...found, ...(await measureCosts(send, { ordinary: texts.ordinary, ...again }, ROUNDS_AGAIN)) };
  return lines();
}

function show(lines: readonly Line[]): void {
  const rows = lines.map(({ operation, script, text, cost, ratio }) => [
    operation,
    script,
    text,
    String(cost.status),
    cost.ms.toFixed(1),
    ratio.toFixed(2),
  ]);
  console.log(table(['operation', 'script', 'text', 'status', 'ms', 'times ordinary'], rows).join('\n'));
}

/** The entry with this name, or all. */
function select<T>(all: Readonly<Record<string, T>>, name: string | undefined): Readonly<Record<string, T>> {
  if (name === undefined) return all;
  const one = all[name];
  if (one === undefined) throw new Error(`${name}: must be one of ${Object.keys(all).join(', ')}. Usage: ${USAGE}`);
  return { [name]: one };
}

interface Options {
  operation?: string;
  script?: string;
  rounds: number;
  all: boolean;
}

function options(): Options {
  const { values } = parseArgs({
    options: {
      operation: { type: 'string' },
      script: { type: 'string' },
      rounds: { type: 'string', default: '2' },
      all: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds ${values.rounds}: must be a whole number from 1. Usage: ${USAGE}`);
  return { ...values, rounds };
}

try {
  await bench(options());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
