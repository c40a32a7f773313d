import { h, options, render } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AdsError } from '../../../packages/client/src/index.ts';
import { useAct, useLive } from '../../../web/parts/live.ts';
import { FailureText } from '../../../web/parts/problem.tsx';
import { openSession, type Session, SessionContext } from '../../../web/session.ts';
import { createToasts } from '../../../web/toasts.ts';

const MINUTE_MS = 60_000;

// Run effects without waiting for a paint.
options.requestAnimationFrame = queueMicrotask;

/** The next response of the fake service, and the number of requests. */
let answer: () => Promise<unknown>;
let asked = 0;
let isHidden = false;
let session: Session;

/** Always responds with something new. */
const changing = () => Promise.resolve(`fine ${asked}`);
const toError = (status: number, retryAfter: number | null = null) =>
  new AdsError({ status, code: 'refused', error: 'Refused', message: `No, ${status}`, retryAfter });
const failing = (status: number) => () => Promise.reject(toError(status));
/** Reports the refusal as the session does for each 429. */
const refused = (seconds: number) => () => {
  session.health.refuse(seconds * 1_000);
  return Promise.reject(toError(429, seconds));
};

beforeEach(() => {
  vi.useFakeTimers();
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
  [asked, isHidden] = [0, false];
  answer = changing;
  session = openSession({ kind: 'demo', user: 'alice', apiKey: 'ak_test_1' }, createToasts());
});
afterEach(() => {
  render(null, document.body);
  Reflect.deleteProperty(document, 'hidden');
  vi.useRealTimers();
});

let again: () => Promise<void>;

interface PartProps {
  id: string;
  everyMs?: Parameters<typeof useLive>[2];
}

/** A component that shows the data that it loads. */
function Part({ id, everyMs }: PartProps) {
  const { again: reload, ...state } = useLive<unknown>(
    () => {
      asked++;
      return answer();
    },
    [id],
    everyMs,
  );
  again = reload;
  return h('p', null, JSON.stringify(state));
}

const shown = () => JSON.parse(document.body.textContent);
const show = async (props: Partial<PartProps> = {}) => {
  render(h(SessionContext.Provider, { value: session }, h(Part, { id: 'one', ...props })), document.body);
  await vi.advanceTimersByTimeAsync(0);
};
/** Advances the clock, and returns the number of requests in that time. */
const askedIn = async (ms: number) => {
  const before = asked;
  await vi.advanceTimersByTimeAsync(ms);
  return asked - before;
};
/** The number of requests in each minute. */
const askedInMinutes = async (count: number) => {
  const counts: number[] = [];
  for (let minute = 0; minute < count; minute++) counts.push(await askedIn(MINUTE_MS));
  return counts;
};
const look = (hidden: boolean) => {
  isHidden = hidden;
  document.dispatchEvent(new Event('visibilitychange'));
};
const idle = () => {
  answer = () => Promise.resolve('the same');
};

describe('useLive', () => {
  it('polls every ten seconds while something changes, and stops when it is removed', async () => {
    await show();
    expect([asked, shown().value]).toEqual([1, 'fine 1']);
    expect(await askedInMinutes(3)).toEqual([6, 6, 6]);
    render(null, document.body);
    look(false);
    dispatchEvent(new Event('online'));
    await again();
    expect(await askedIn(10 * MINUTE_MS)).toBe(0);
  });

  it('doubles the pause up to a minute while nothing changes, and asks more often again after a change', async () => {
    idle();
    await show();
    expect([await askedIn(10_000), await askedIn(20_000), await askedIn(40_000)]).toEqual([1, 1, 1]);
    expect(await askedInMinutes(5)).toEqual([1, 1, 1, 1, 1]);
    answer = changing;
    await askedIn(MINUTE_MS);
    expect(await askedIn(MINUTE_MS)).toBe(6);
  });

  it("asks more often again after the visitor's own action", async () => {
    idle();
    await show();
    await askedIn(10 * MINUTE_MS);
    await again();
    expect([await askedIn(10_000), await askedIn(20_000), await askedIn(40_000)]).toEqual([1, 1, 1]);
  });

  it('asks for nothing while the page is hidden, and at once when it becomes visible', async () => {
    await show();
    look(true);
    expect(await askedIn(60 * MINUTE_MS)).toBe(0);
    idle();
    const before = asked;
    look(false);
    expect(asked - before).toBe(1);
    await vi.advanceTimersByTimeAsync(0);
    expect([await askedIn(10_000), await askedIn(20_000)]).toEqual([1, 1]);
  });

  it('loads once on a page that is opened hidden', async () => {
    isHidden = true;
    await show();
    expect(shown().value).toBe('fine 1');
    expect(await askedIn(10 * MINUTE_MS)).toBe(0);
  });

  it('starts with the pause that fits what was loaded', async () => {
    await show({ everyMs: () => 120_000 });
    expect(await askedInMinutes(6)).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it('loads what is not polled until it has it', async () => {
    answer = failing(400);
    await show({ everyMs: null });
    expect(shown().problem).toBe('No, 400');
    answer = changing;
    await askedIn(MINUTE_MS);
    expect(shown().value).toMatch('fine');
    expect(await askedIn(10 * MINUTE_MS)).toBe(0);
  });

  it('asks less and less often while the service fails, and keeps its data until it does not', async () => {
    await show();
    answer = failing(503);
    await askedIn(10_000);
    expect([await askedIn(20_000), await askedIn(40_000), await askedIn(60_000)]).toEqual([1, 1, 1]);
    expect(shown()).toEqual({ value: 'fine 1', problem: null, isMissing: false });
    answer = changing;
    dispatchEvent(new Event('online'));
    await askedIn(0);
    expect(shown().value).toMatch('fine');
    expect(await askedIn(MINUTE_MS)).toBe(6);
  });

  it('waits until the service accepts requests again, keeps its data, and then goes on', async () => {
    await show();
    answer = refused(300);
    await askedIn(10_000);
    answer = changing;
    look(false);
    dispatchEvent(new Event('online'));
    expect(await askedIn(299_000)).toBe(0);
    expect(shown()).toEqual({ value: 'fine 1', problem: null, isMissing: false });
    expect(await askedIn(1_000)).toBe(1);
    expect(await askedIn(MINUTE_MS)).toBe(6);
  });

  it("reloads after the visitor's own action, even if polls still wait", async () => {
    await show();
    session.health.refuse(MINUTE_MS);
    await again();
    expect(shown().value).toBe('fine 2');
  });

  it('asks for nothing after the refusal of another part of the page, and loads when it is over', async () => {
    session.health.refuse(30_000);
    await show({ everyMs: null });
    expect([await askedIn(29_000), shown()]).toEqual([0, { value: null, problem: null, isMissing: false }]);
    expect([await askedIn(1_000), shown().value]).toEqual([1, 'fine 1']);
  });

  it('reports a missing resource after a 404, but not after a 429', async () => {
    answer = refused(10);
    await show();
    expect(shown().isMissing).toBe(false);
    answer = failing(404);
    await askedIn(10_000);
    expect(shown().isMissing).toBe(true);
  });

  it('ignores a late response about another resource', async () => {
    let tell = (_: string) => {};
    answer = () =>
      new Promise((resolve) => {
        tell = resolve;
      });
    await show({ id: 'one' });
    const tellOfOne = tell;
    answer = () => Promise.resolve('of two');
    await show({ id: 'two' });
    tellOfOne('of one');
    await vi.advanceTimersByTimeAsync(100);
    expect(shown().value).toBe('of two');
  });
});

describe('useAct', () => {
  let did = 0;
  let doing: () => Promise<unknown>;
  function Deed({ changes }: { changes: boolean }) {
    const { isBusy, problem, act } = useAct(changes);
    return h(
      'button',
      { 'aria-disabled': isBusy, onClick: () => act(doing) },
      problem && h(FailureText, { of: problem }),
    );
  }
  const push = async (changes: boolean) => {
    render(h(SessionContext.Provider, { value: session }, h(Deed, { changes })), document.body);
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

  it('counts down after too many requests, without announcing each second', async () => {
    doing = refused(23);
    expect(await push(true)).toBe('Too many requests. Try again in 23 s.');
    const count = document.querySelector('[role="timer"]')!;
    expect(count.ariaLive).toBe('off');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(count.textContent).toBe('22 s');
    await vi.advanceTimersByTimeAsync(22_000);
    expect(document.body.textContent).toBe('Too many requests. Try again now.');
    doing = () => Promise.resolve();
    expect(await push(true)).toBe('');
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
  const { ads, health } = openSession({ kind: 'demo', user: 'alice', apiKey: 'ak_test_1' }, createToasts());
  const isRefused = expect(ads('GET /api/v1/campaigns')).rejects.toBeInstanceOf(AdsError);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  await isRefused;
  expect(health.now()).toBe('unreachable');
  vi.unstubAllGlobals();
});
