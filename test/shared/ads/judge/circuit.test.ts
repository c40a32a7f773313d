import { expect, it } from 'vitest';
import { createCircuit } from '../../../../shared/ads/judge/circuit.ts';
import { createTestClock } from '../../../service.ts';

it('stays closed while one request in ten fails', () => {
  const circuit = createCircuit(createTestClock());
  for (let count = 0; count < 1_000; count++) {
    expect(circuit.mayAsk()).toBe(true);
    circuit.note(count % 10 !== 0);
  }
});

it('opens when half of the last twenty requests failed, and allows one request after ten seconds', () => {
  const clock = createTestClock();
  const circuit = createCircuit(clock);
  for (let count = 0; count < 10; count++) circuit.note(false);
  expect(circuit.mayAsk()).toBe(false);
  clock.advance(9_999);
  expect(circuit.mayAsk()).toBe(false);
  clock.advance(1);
  expect([circuit.mayAsk(), circuit.mayAsk()]).toEqual([true, false]);
});

it('closes if that request succeeds, otherwise stays open', () => {
  const clock = createTestClock();
  const circuit = createCircuit(clock);
  for (let count = 0; count < 10; count++) circuit.note(false);
  clock.advance(10_000);
  circuit.mayAsk();
  circuit.note(false);
  expect(circuit.mayAsk()).toBe(false);
  clock.advance(10_000);
  circuit.mayAsk();
  circuit.note(true);
  expect([circuit.mayAsk(), circuit.mayAsk()]).toEqual([true, true]);
  circuit.note(false);
  expect(circuit.mayAsk()).toBe(true);
});
