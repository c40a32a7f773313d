/**
 * `npm run bench -- memory`: how much memory hostile campaigns use in a bidding instance, compared with the estimate; and how much the
 * rejected campaigns would use.
 */
import {
  configure,
  findHeaviest,
  getWeight,
  HOSTILE,
  measureHeapPerCampaign,
  sharedByTwo,
} from './hostile-campaigns.ts';

const CAMPAIGNS = 200;
const kib = (bytes: number) => (bytes / 1024).toFixed(1);

for (const [name, make] of Object.entries(HOSTILE))
  for (const shared of [false, true]) {
    const of = shared ? sharedByTwo(make) : make;
    const most = findHeaviest(make);
    console.log(
      name.padEnd(30),
      shared ? 'shared by two' : 'unique       ',
      `most accepted ${String(most).padStart(3)}: reckoned ${kib(getWeight(configure(make(most))))} KiB, measured`,
      `${kib(measureHeapPerCampaign(CAMPAIGNS, () => of(most)))} KiB`,
      most === 200 ? '' : `; 200 of them: reckoned ${kib(getWeight(configure(make(200))))} KiB`,
    );
  }
