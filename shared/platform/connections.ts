import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** As the SDK's own agents: connections are kept for the next call. */
const KEPT = { keepAlive: true, maxSockets: 50 };

/** Connections to the store that are kept between calls, and a way to be rid of those that wait for the next one. */
export function createConnections() {
  const agents = { httpAgent: new HttpAgent(KEPT), httpsAgent: new HttpsAgent(KEPT) };
  return {
    agents,
    /**
     * Closes what is kept. An instance that was frozen finds all of its connections dead at once, so after one failure none of the
     * others is tried: the next call makes a new one.
     */
    dropIdle(): void {
      for (const { freeSockets } of Object.values(agents)) {
        for (const socket of Object.values(freeSockets).flat()) socket?.destroy();
      }
    },
  };
}
