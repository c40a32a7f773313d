import { h, render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdsError } from '../../../packages/client/src/index.ts';
import { useAct, useLive } from '../../../web/parts/live.ts';
import { openSession } from '../../../web/session.ts';

const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;

/** The next response of the fake service, and the number of requests. */
let answer: () => Promise<string>;
let asked = 0;
let isHidden = false;

const refused = (retryAfter: number | null) => () =>
  Promise.reject(new AdsError({ status: 429, code: 'rate_limited', error: 'Too Many', message: 'Slow', retryAfter }));

beforeEach(() => {
  vi.useFakeTimers();
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
  [asked, isHidden] = [0, false];
  answer = () => Promise.resolve('fine');
});
afterEach(() => {
  render(null, document.body);
  Reflect.deleteProperty(document, 'hidden');
  vi.useRealTimers();
});

/** A component that shows the data that it loads. */
function Part({ id = 'one' }: { id?: string }) {
  const { value, problem, isMissing } = useLive(
    () => {
      asked++;
      return answer();
    },
    [id],
    EVERY_MS,
  );
  return h('p', null, JSON.stringify({ value, problem, isMissing }));
}

const shown = () => JSON.parse(document.body.textContent);
const show = async (id?: string) => {
  render(h(Part, id === undefined ? {} : { id }), document.body);
  await vi.advanceTimersByTimeAsync(100);
};
/** Advances the clock, and returns the number of requests in that time. */
const askedIn = async (ms: number) => {
  const before = asked;
  await vi.advanceTimersByTimeAsync(ms);
  return asked - before;
};
const look = (hidden: boolean) => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
};

describe('useLive', () => {
  it('polls while it is on the page, and stops when it is removed', async () => {
    await show();
    expect([asked, shown().value]).toEqual([1, 'fine']);
    expect(await askedIn(MINUTE_MS)).toBe(6);
    render(null, document.body);
    look(false);
    dispatchEvent(new Event('online'));
    expect(await askedIn(10 * MINUTE_MS)).toBe(0);
  });

  it('polls six times less often while the page is hidden, and at once when it becomes visible', async () => {
    await show();
    look(true);
    await askedIn(EVERY_MS); // the timer that was already running
    expect(await askedIn(6 * MINUTE_MS)).toBe(6);
    const before = asked;
    look(false);
    expect(asked - before).toBe(1);
    expect(await askedIn(MINUTE_MS)).toBe(6);
  });

  it('doubles its interval after each 429 until a request succeeds', async () => {
    answer = refused(null);
    await show();
    expect(shown().problem).toBe('Slow');
    expect([await askedIn(20_000), await askedIn(40_000), await askedIn(80_000)]).toEqual([1, 1, 1]);
    expect(await askedIn(20 * MINUTE_MS)).toBe(10);
    answer = () => Promise.resolve('well again');
    await askedIn(2 * MINUTE_MS);
    expect(shown()).toMatchObject({ value: 'well again', problem: null });
    expect(await askedIn(MINUTE_MS)).toBe(6);
  });

  it('waits for Retry-After, even if the page becomes visible or the network returns', async () => {
    answer = refused(300);
    await show();
    look(false);
    dispatchEvent(new Event('online'));
    expect(asked).toBe(1);
    expect(await askedIn(299_000)).toBe(0);
    expect(await askedIn(1_000)).toBe(1);
  });

  it('requests at once when the network returns, and keeps its data until then', async () => {
    await show();
    answer = () => Promise.reject(new AdsError({ status: 0, code: 'network', error: 'Network', message: 'None' }));
    await askedIn(5 * MINUTE_MS);
    expect(shown()).toEqual({ value: 'fine', problem: null, isMissing: false });
    answer = () => Promise.resolve('back');
    dispatchEvent(new Event('online'));
    await askedIn(0);
    expect(shown().value).toBe('back');
  });

  it('reports a missing resource after a 404, but not after a 429', async () => {
    answer = refused(null);
    await show();
    expect(shown().isMissing).toBe(false);
    answer = () =>
      Promise.reject(new AdsError({ status: 404, code: 'not_found', error: 'Not Found', message: 'None' }));
    await askedIn(EVERY_MS * 2);
    expect(shown().isMissing).toBe(true);
  });

  it('ignores a late response about another resource', async () => {
    let tell = (_: string) => {};
    answer = () =>
      new Promise((resolve) => {
        tell = resolve;
      });
    await show('one');
    const tellOfOne = tell;
    answer = () => Promise.resolve('of two');
    await show('two');
    tellOfOne('of one');
    await vi.advanceTimersByTimeAsync(100);
    expect(shown().value).toBe('of two');
  });
});

describe('useAct', () => {
  let did = 0;
  let doing: () => Promise<void>;
  function Deed({ changes }: { changes: boolean }) {
    const { isBusy, problem, act } = useAct(changes);
    return h('button', { 'aria-disabled': isBusy, onClick: () => act(doing) }, problem);
  }
  const push = async (changes: boolean) => {
    render(h(Deed, { changes }), document.body);
    document.querySelector('button')!.click();
    await vi.advanceTimersByTimeAsync(0);
    return document.body.textContent;
  };
  beforeEach(() => {
    did = 0;
  });

  it('reports an uncertain result after a lost response, but only if it changes something', async () => {
    doing = () => Promise.reject(new AdsError({ status: 0, code: 'network', error: 'Network', message: 'None' }));
    expect(await push(true)).toMatch(/may have been saved. Check before/);
    render(null, document.body);
    expect(await push(false)).toBe('The service did not respond. Try again in a moment.');
  });

  it('runs once, however often its button is clicked while it is in progress', async () => {
    let finish = () => {};
    doing = () => {
      did++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    await push(true);
    await push(true);
    expect([did, document.querySelector('button')!.ariaDisabled]).toEqual([1, 'true']);
    finish();
    await vi.advanceTimersByTimeAsync(0);
    await push(true);
    expect(did).toBe(2);
  });
});

it('reports a service that times out as unreachable', async () => {
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    return new Promise((_answered, refuse) => signal!.addEventListener('abort', () => refuse(signal!.reason)));
  });
  const { ads, health } = openSession({ kind: 'demo', user: 'alice', apiKey: 'ak_test_1' });
  const refused = expect(ads('GET /api/v1/campaigns')).rejects.toBeInstanceOf(AdsError);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await refused;
  expect(health.now()).toBe('unreachable');
  vi.unstubAllGlobals();
});
