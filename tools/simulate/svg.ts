import { type BidStrategy, dailyLimit } from '../../shared/campaigns/campaign.ts';
import { BID_STRATEGIES } from '../../shared/campaigns/schema.ts';
import type { Course } from './day.ts';

const PANEL = { width: 400, height: 220, left: 44, top: 46, gapX: 64, gapY: 74 };
const WIDTH = PANEL.left + 2 * PANEL.width + PANEL.gapX + 20;
const HEIGHT = PANEL.top + 2 * PANEL.height + PANEL.gapY + 56;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #444c56 }
  .title { font-weight: 600; font-size: 14px; fill: #1f2328 }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .line { fill: none; stroke-width: 1.3; stroke-opacity: .75 }
  .plan { stroke: #57606a; stroke-width: 1.5; stroke-dasharray: 5 4 }
  .auto { stroke: #0969da } .manual { stroke: #bc4c00 } .target_cpa { stroke: #8250df } .maximize_clicks { stroke: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    text { fill: #b1bac4 } .title { fill: #f0f6fc } .grid { stroke: #30363d } .plan { stroke: #8b949e }
    .auto { stroke: #58a6ff } .manual { stroke: #f0883e } .target_cpa { stroke: #bc8cff } .maximize_clicks { stroke: #3fb950 }
  }
`;

const CAPTIONS: Record<BidStrategy, string> = {
  auto: 'auto: paced',
  maximize_clicks: 'maximize_clicks: paced',
  manual: 'manual: spends as it wins',
  target_cpa: 'target_cpa: spends as it wins',
};
const ORDER: readonly BidStrategy[] = ['auto', 'maximize_clicks', 'manual', 'target_cpa'];

/** Spend against time, a line for each campaign, a panel for each strategy; readable on light and on dark paper. */
export function drawSpend(courses: readonly Course[]): string {
  const panels = ORDER.filter((strategy) => BID_STRATEGIES.includes(strategy)).map((strategy, index) => {
    const x = PANEL.left + (index % 2) * (PANEL.width + PANEL.gapX);
    const y = PANEL.top + Math.floor(index / 2) * (PANEL.height + PANEL.gapY);
    const own = courses.filter(({ account }) => account.campaign.bidStrategy === strategy);
    return `<g transform="translate(${x} ${y})">\n${panel(strategy, own)}\n</g>`;
  });
  const legend = `<path class="plan" d="M${PANEL.left} ${HEIGHT - 20}h36"/><text x="${PANEL.left + 44}" y="${HEIGHT - 16}">the straight line of a whole day; each line is a campaign</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">`,
    '<title id="title">Spend of each campaign over a day, in parts of its daily budget, by strategy</title>',
    `<style>${STYLE}</style>`,
    ...panels,
    legend,
    '</svg>\n',
  ].join('\n');
}

function panel(strategy: BidStrategy, courses: readonly Course[]): string {
  const { width, height } = PANEL;
  const rows = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const y = round(height * (1 - part));
    return `<path class="grid" d="M0 ${y}H${width}"/><text x="-8" y="${y + 4}" text-anchor="end">${part * 100}%</text>`;
  });
  const hours = [0, 6, 12, 18, 24].map((hour) => {
    const x = round((width * hour) / 24);
    return `<path class="grid" d="M${x} 0V${height}"/><text x="${x}" y="${height + 18}" text-anchor="middle">${hour}:00</text>`;
  });
  return [
    `<text class="title" x="0" y="-14">${CAPTIONS[strategy]}</text>`,
    ...rows,
    ...hours,
    `<path class="plan" d="M0 ${height}L${width} 0"/>`,
    ...courses.map(
      (course) =>
        `<path class="line ${strategy}" d="${path(course)}"><title>${course.account.campaign.name}</title></path>`,
    ),
  ].join('\n');
}

function path({ account, spent }: Course): string {
  const daily = dailyLimit(account.campaign);
  const points = spent.map((amount, index) => {
    const x = round((PANEL.width * index) / (spent.length - 1));
    return `${x} ${round(PANEL.height * (1 - amount / daily))}`;
  });
  return `M${points.join('L')}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
