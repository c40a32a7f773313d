import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Day } from './range.ts';
import { pickTicks } from './ticks.ts';

const DARK = '(prefers-color-scheme: dark)';
const short = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Axis steps: 1, 2, and 5 times each power of ten, from 1e-4 to 1e10. */
const STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => Number(`${step}e${power - 4}`))).flat();

interface PlotProps {
  title: string;
  days: readonly Day[];
  /** The current day, which is incomplete. */
  today: string;
  /** Whether values are integers, so that the axis has no fractions. */
  isWhole: boolean;
  format(value: number | null): string;
  formatAxis(value: number, step: number): string;
}

/** A column chart of one daily metric. */
export default function Plot(properties: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const { title, days, today } = properties;

  // Created again when its data changes. Without days, the empty place is the placeholder.
  useEffect(() => {
    if (days.length === 0) return;
    const element = place.current!;
    let plot = draw(element, properties);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, properties);
    };
    const scheme = matchMedia(DARK);
    scheme.addEventListener('change', redraw);
    const sizes = new ResizeObserver(() => {
      if (element.clientWidth !== plot.width) redraw();
    });
    sizes.observe(element);
    return () => {
      scheme.removeEventListener('change', redraw);
      sizes.disconnect();
      plot.destroy();
    };
  }, [title, today, JSON.stringify(days)]);

  return <div ref={place} class="plot" role="img" aria-label={`${title} by day. The table below has the numbers.`} />;
}

function draw(element: HTMLElement, { days, today, isWhole, format, formatAxis }: PlotProps): uPlot {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name);
  // The chart scales with the page's font size.
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const axis = {
    stroke: colour('--quiet'),
    font: `${0.8 * rem}px ${getComputedStyle(element).fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const bars = (fill: string): uPlot.Series => ({
    fill,
    width: 0,
    paths: uPlot.paths.bars!({ size: [0.7, 3 * rem], radius: 0.15 }),
    points: { show: false },
  });
  return new uPlot(
    {
      width: element.clientWidth,
      height: 16 * rem,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        // Days by their position in the list. Half a day on both sides completes the outer columns.
        x: { time: false, range: () => [-0.5, days.length - 0.5] },
        y: { range: (_, __, most) => [0, findAxisEnd(most ?? 0, isWhole)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 2.5 * rem,
          gap: 0.6 * rem,
          splits: ({ bbox }) => pickTicks(days.length, bbox.width / devicePixelRatio / (4.2 * rem)),
          values: (_, ticks) => ticks.map((place) => short.format(Date.parse(days[place]!.date))),
        },
        {
          ...axis,
          size: 3.5 * rem,
          space: 2.6 * rem,
          incrs: isWhole ? STEPS.filter((step) => step >= 1) : STEPS,
          values: (_, ticks) => ticks.map((tick) => formatAxis(tick, ticks[1]! - ticks[0]!)),
        },
      ],
      series: [{}, bars(colour('--accent')), bars(colour('--accent-soft'))],
      plugins: [
        tooltip(
          (index) =>
            `${long.format(Date.parse(days[index]!.date))}: ${format(days[index]!.value)}${days[index]!.date === today ? ', so far' : ''}`,
        ),
      ],
    },
    [
      days.map((_, place) => place),
      days.map(({ date, value }) => (date === today ? null : value)),
      days.map(({ date, value }) => (date === today ? value : null)),
    ],
    element,
  );
}

/** The end of the axis: the smallest multiple of a step that reaches the highest column in at most five steps. */
function findAxisEnd(most: number, isWhole: boolean): number {
  const steps = isWhole ? STEPS.filter((step) => step >= 1) : STEPS;
  const step = steps.find((size) => most <= 5 * size) ?? most;
  return Math.max(1, Math.ceil(most / step)) * (most ? step : 1);
}

/** Shows the day's value next to the cursor. */
function tooltip(getText: (index: number) => string): uPlot.Plugin {
  const box = document.createElement('div');
  box.className = 'tooltip';
  box.hidden = true;
  return {
    hooks: {
      init: ({ over }) => {
        over.append(box);
        over.addEventListener('mouseleave', () => {
          box.hidden = true;
        });
      },
      setCursor: ({ cursor: { idx, left = -1 }, over }) => {
        box.hidden = idx == null || left < 0;
        if (idx == null) return;
        box.textContent = getText(idx);
        box.style.left = `${Math.min(left + 12, over.clientWidth - box.offsetWidth)}px`;
      },
    },
  };
}
