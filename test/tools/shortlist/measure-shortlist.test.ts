import { describe, expect, it } from 'vitest';
import type { JudgedRow } from '../../../tools/evaluate/folder.ts';
import { isErring } from '../../../tools/evaluate/label-judge.ts';
import {
  chooseThreshold,
  leaveGroupsOut,
  measureAt,
  type Shortlisted,
} from '../../../tools/shortlist/measure-shortlist.ts';

let line = 0;
/** A row on which the stand-in errs, or not. */
function rowOf(gold: string[], errs = false, source = 'a'): JudgedRow {
  const messages = () => [{ role: 'user', content: `${line}` }];
  do line++;
  while (isErring(messages()) !== errs);
  return { id: `${line}`, line, source, slice: '-', countryCode: 'US', messages: messages(), gold, optional: false };
}
const candidates = (...of: [relevance: number, isRight?: boolean][]): Shortlisted['candidates'] =>
  of.map(([relevance, isRight = false]) => ({ relevance, isRight }));

describe('A threshold of the second opinion', () => {
  it('shows the six best over it', () => {
    const behind = candidates(...Array.from({ length: 6 }, (_, i): [number] => [0.9 - i / 100]), [0.4, true]);
    const sixth = behind.slice(1);
    const measured = (list: typeof behind, threshold: number) =>
      measureAt([{ row: rowOf(['x']), candidates: list }], threshold);
    expect(measured(sixth, 0.3)).toMatchObject({ shown: 1, there: 1, asked: 1, recall: 1 });
    expect(measured(behind, 0.3)).toMatchObject({ shown: 0, there: 1, asked: 1, recall: 0 });
    expect(measured(sixth, 0.5)).toMatchObject({ shown: 0, there: 0, asked: 1, recall: 0 });
    expect(measured(sixth, 0.95)).toMatchObject({ asked: 0, bids: 0 });
  });

  it('has the errors of the stand-in where it is asked', () => {
    const wrong = { row: rowOf([], true), candidates: candidates([0.2]) };
    const missed = { row: rowOf(['x'], true), candidates: candidates([0.9, true]) };
    expect(measureAt([wrong, missed], 0.1)).toMatchObject({ falseBids: 1, recall: 0 });
    expect(measureAt([wrong, missed], 0.5)).toMatchObject({ falseBids: 0, recall: 0 });
  });

  const mixed = (source: string): Shortlisted[] => [
    { row: rowOf(['x'], false, source), candidates: candidates([0.2, true]) },
    { row: rowOf(['x'], false, source), candidates: candidates([0.4, true]) },
    { row: rowOf([], true, source), candidates: candidates([0.3]) },
    { row: rowOf([], false, source), candidates: candidates([0.3]) },
  ];

  it('is chosen by F1 within a bound of false bids', () => {
    expect(chooseThreshold(mixed('a'), [0.1, 0.35], 0.5)).toBe(0.1);
    expect(chooseThreshold(mixed('a'), [0.1, 0.35], 0.4)).toBe(0.35);
    expect(chooseThreshold(mixed('a'), [0.1, 0.2], 0.4)).toBe(0.2);
  });

  it('is chosen without the group that it is tried on', () => {
    const easy: Shortlisted[] = [{ row: rowOf(['x'], false, 'b'), candidates: candidates([0.2, true]) }];
    const left = leaveGroupsOut([...mixed('a'), ...easy], ({ source }) => source, [0.1, 0.35], 0);
    // With `a` left out 0.1 is chosen, which bids falsely there; with `b` left out 0.35, which misses its one.
    expect(left).toMatchObject({ least: 0.1, most: 0.35, falseBids: 1, recall: 2 / 3 });
  });
});
