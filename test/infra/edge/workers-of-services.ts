import { createEdge, type EdgeOperations } from '../../../shared/runtimes/edge.ts';
import type { Bindings } from '../../../shared/runtimes/edge-settings.ts';
import { requests, type Told } from './told.ts';
import { HEADERS } from './told-headers.ts';

type Worker = ReturnType<typeof createEdge>;

/** Measurements, as points of the runtime's own store. */
const METRICS = {
  writeDataPoint({ indexes: [name = ''], doubles: [value = 0] }: { indexes: string[]; doubles: number[] }) {
    requests.getStore()?.measured.push({ name, value });
  },
};

/** Workers in one isolate, one for each service of the tests: each is made as the one that is deployed. */
export function workersOfServices(operations: EdgeOperations) {
  const services = new Map<string, { worker: Worker; bindings: Bindings }>();
  return {
    async fetch(request: Request): Promise<Response> {
      const service = request.headers.get(HEADERS.service) ?? '';
      const { pathname } = new URL(request.url);
      if (pathname === '/begin') {
        const bindings = { ...((await request.json()) as Bindings), METRICS };
        services.set(service, { worker: createEdge(operations), bindings });
        return new Response();
      }
      if (pathname === '/end') return new Response(String(services.delete(service)));
      const { worker, bindings } = services.get(service)!;
      const told: Told = { now: Number(request.headers.get(HEADERS.now)), lines: [], measured: [] };
      const begun: Promise<unknown>[] = [];
      const waitUntil = (work: Promise<unknown>) => void begun.push(work);
      const answer = await requests.run(told, () => worker.fetch(request, bindings, { waitUntil }));
      // Between two requests a test may let minutes pass: nothing that one has begun lasts into them.
      for (const work of begun) await work;
      if (answer.headers.has('x-runtime')) answer.headers.set(HEADERS.told, encodeURIComponent(JSON.stringify(told)));
      return answer;
    },
  };
}
