import { parseArgs } from 'node:util';
import { table } from '../../tools/text-table.ts';
import { type RequestOutcome, sendBadRequests } from './send-requests.ts';

const USAGE = 'npm run fuzz -- http [--requests 100000] [--seed 1]';
/** Requests per service. A new service restores the items that earlier requests deleted. */
const PER_SERVICE = 1_000;
const MAX_RESPONSE_MS = 2_000;
const MAX_SHOWN = 20;

interface Line {
  requests: number;
  statuses: Map<number, number>;
  slowestMs: number;
}

/** `npm run fuzz -- http`: sends invalid and unusual requests to every operation. Fails on a 5xx, a response after 2 s, or a malformed rejection. */
async function fuzz(requests: number, seed: number): Promise<void> {
  const lines = new Map<string, Line>();
  const faults: string[] = [];
  for (let sent = 0; sent < requests; sent += PER_SERVICE) {
    const service = seed + sent / PER_SERVICE;
    for (const outcome of await sendBadRequests(service, Math.min(PER_SERVICE, requests - sent))) {
      note(lines, outcome);
      const slow = outcome.ms > MAX_RESPONSE_MS ? `took ${Math.round(outcome.ms)} ms` : undefined;
      const fault = outcome.fault ?? slow;
      if (fault)
        faults.push(
          `${describe(outcome)}\n  ${fault}\n  npm run fuzz -- http --requests ${PER_SERVICE} --seed ${service}`,
        );
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${sent + PER_SERVICE} of ${requests}, ${faults.length} faults`);
  }
  const rows = [...lines].sort(([a], [b]) => a.localeCompare(b)).map(([name, line]) => [name, ...columns(line)]);
  console.log(table(['operation', 'requests', 'slowest ms', 'statuses'], rows).join('\n'));
  console.log(`\n${faults.length} faults in ${requests} requests, seed ${seed}`);
  for (const fault of faults.slice(0, MAX_SHOWN)) console.log(`\n${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

function note(lines: Map<string, Line>, { request: wire, status, ms }: RequestOutcome): void {
  const line = lines.get(wire.row.name) ?? { requests: 0, statuses: new Map(), slowestMs: 0 };
  line.requests++;
  line.statuses.set(status, (line.statuses.get(status) ?? 0) + 1);
  line.slowestMs = Math.max(line.slowestMs, ms);
  lines.set(wire.row.name, line);
}

const columns = ({ requests, statuses, slowestMs }: Line): string[] => [
  String(requests),
  String(Math.round(slowestMs)),
  [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', '),
];

const describe = ({ request: { method, target, headers, body } }: RequestOutcome): string =>
  [`${method} ${target.slice(0, 300)}`, JSON.stringify(headers).slice(0, 600), (body ?? '').slice(0, 600)].join('\n  ');

const count = (name: string, text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} ${text}: must be a whole number from 1. Usage: ${USAGE}`);
  return value;
};

try {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
  });
  await fuzz(count('requests', values.requests), count('seed', values.seed));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
