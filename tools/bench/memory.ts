/**
 * How much of a bidding instance's memory a campaign takes that is made to take much, against what it is reckoned to take, and what
 * one would take that is refused. Run: npm run bench -- memory
 */
import { configured, HOSTILE, heapEach, heaviest, sharedByTwo, weightOf } from './hostile.ts';

const CAMPAIGNS = 200;
const kib = (bytes: number) => (bytes / 1024).toFixed(1);

for (const [name, make] of Object.entries(HOSTILE))
  for (const shared of [false, true]) {
    const of = shared ? sharedByTwo(make) : make;
    const most = heaviest(make);
    console.log(
      name.padEnd(30),
      shared ? 'by two' : 'alone ',
      `most accepted ${String(most).padStart(3)}: reckoned ${kib(weightOf(configured(make(most))))} KiB, measured`,
      `${kib(heapEach(CAMPAIGNS, () => of(most)))} KiB`,
      most === 200 ? '' : `; 200 of them: reckoned ${kib(weightOf(configured(make(200))))} KiB`,
    );
  }
