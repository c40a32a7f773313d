// Runs one bundled bidding function as a new process: bids until every campaign is loaded and a bid is correct, then prints the
// measurements. Processor time covers all threads of the process since its start.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [, , file, fixture] = process.argv;
const event = JSON.parse(readFileSync(fixture, 'utf8'));
/** The log entry that the function wrote after loading all campaigns. */
let read;
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk) => {
  for (const line of String(chunk).split('\n').filter(Boolean)) {
    const entry = JSON.parse(line);
    if (entry.message === 'campaigns read') read = { ...entry, at: performance.now() };
    if (entry.level === 'warn' || entry.level === 'error') process.stderr.write(`${line}\n`);
  }
  return true;
};

/** The longest turn of the event loop by wall-clock time, and by processor time of this thread. */
const stalls = { wall: 0, cpu: 0 };
const { handler } = await import(file);
const loaded = processorMs();
let [at, used] = [performance.now(), threadMs()];
setInterval(() => {
  const [now, spent] = [performance.now(), threadMs()];
  stalls.wall = Math.max(stalls.wall, now - at - 2);
  stalls.cpu = Math.max(stalls.cpu, spent - used);
  [at, used] = [now, spent];
}, 2).unref();

let first;
for (;;) {
  const wasRead = read !== undefined;
  const askedAt = performance.now();
  const { statusCode, body } = await handler(event);
  if (statusCode !== 200) throw new Error(body);
  first ??= performance.now() - askedAt;
  if (wasRead && !JSON.parse(body)?.bid)
    throw new Error(`All ${read.count} campaigns are loaded, but none bids: ${body}`);
  if (wasRead) break;
  await pause(70); // a key may make 15 bids per second
}
const [processor, right] = [processorMs(), performance.now()];
await pause(100);
for (let i = 0; i < 3; i++) globalThis.gc();
const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
const { from, count, at: complete } = read;
write(
  JSON.stringify({
    from,
    count,
    loaded,
    first,
    complete,
    right,
    processor,
    stalls,
    held: heapUsed + arrayBuffers,
    rss,
  }),
  () => process.exit(),
);

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function threadMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
