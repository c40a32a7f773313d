import { mkdirSync, writeFileSync } from 'node:fs';
import { generator } from '../random.ts';
import { contenders } from './campaigns.ts';
import { simulateDay } from './day.ts';
import { judgePlan } from './plan.ts';
import { drawSpend } from './svg.ts';
import { campaignTable, planSummary } from './table.ts';

const PICTURE = 'docs/spend.svg';
const MIDNIGHT = Date.UTC(2026, 10, 20);
const TOPICS = 12;
const CAMPAIGNS = 50;
const OPPORTUNITIES = 250_000;

/** `npm run simulate`: a day of traffic for 50 campaigns, always the same; a table here, a chart in docs/. */
const random = generator(20_261_120);
const courses = simulateDay(contenders(CAMPAIGNS, TOPICS, MIDNIGHT, random), {
  midnight: MIDNIGHT,
  topics: TOPICS,
  opportunities: OPPORTUNITIES,
  random,
});
const judged = courses.map((course) => judgePlan(course, MIDNIGHT));
mkdirSync('docs', { recursive: true });
writeFileSync(PICTURE, drawSpend(courses));
console.log(`${campaignTable(judged)}\n\n${planSummary(judged)}\n\nwrote ${PICTURE}`);
if (judged.some(({ withinBudgets }) => !withinBudgets)) process.exitCode = 1;
