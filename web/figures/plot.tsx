import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { Metric } from './metrics.ts';
import { pickTicks } from './ticks.ts';

const DARK = '(prefers-color-scheme: dark)';
const short = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** Axis steps: 1, 2, and 5 times each power of ten, from 1e-4 to 1e10. */
const STEPS = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map((step) => Number(`${step}e${power - 4}`))).flat();
/** The strength of the color of the current day, which is incomplete. */
const FADED = 0.35;

type Values = readonly (number | null)[];

export interface Series {
  name: string;
  /** The name of a CSS variable. */
  color: string;
  /** By day. Null for a ratio whose divisor is zero. */
  values: Values;
}

interface PlotProps {
  /** What a screen reader says instead of the plot. */
  title: string;
  dates: readonly string[];
  /** Drawn as columns, stacked from the bottom if they are several; several ratios as lines, because ratios do not add up. */
  series: readonly Series[];
  /** The current day. */
  today: string;
  metric: Pick<Metric<never>, 'isSum' | 'isWhole' | 'format' | 'formatAxis'>;
}

/** A chart of daily values. */
export default function Plot(properties: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const { title, dates, series, today } = properties;

  // Created again when its data changes. Without days, the empty place is the placeholder.
  useEffect(() => {
    if (dates.length === 0) return;
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
  }, [title, today, JSON.stringify(dates), JSON.stringify(series)]);

  return <div ref={place} class="plot" role="img" aria-label={title} />;
}

function draw(element: HTMLElement, { dates, series, today, metric }: PlotProps): uPlot {
  const style = getComputedStyle(element);
  // A canvas knows no light-dark(). As the color of an element, the browser resolves it.
  const colour = (name: string) => {
    element.style.color = `var(${name})`;
    const { color } = style;
    element.style.color = '';
    return color;
  };
  // The chart scales with the page's font size.
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const axis = {
    stroke: colour('--quiet'),
    font: `${0.8 * rem}px ${style.fontFamily}`,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  const drawn =
    series.length > 1 && !metric.isSum ? toLines(series, colour) : toColumns(series, dates, today, colour, rem);
  return new uPlot(
    {
      width: element.clientWidth,
      height: 16 * rem,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      scales: {
        // Days by their position in the list. Half a day on both sides completes the outer columns.
        x: { time: false, range: () => [-0.5, dates.length - 0.5] },
        y: { range: (_, __, most) => [0, findAxisEnd(most ?? 0, metric.isWhole)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 2.5 * rem,
          gap: 0.6 * rem,
          splits: ({ bbox }) => pickTicks(dates.length, bbox.width / devicePixelRatio / (4.2 * rem)),
          values: (_, ticks) => ticks.map((place) => short.format(Date.parse(dates[place]!))),
        },
        {
          ...axis,
          size: 3.5 * rem,
          space: 2.6 * rem,
          incrs: metric.isWhole ? STEPS.filter((step) => step >= 1) : STEPS,
          values: (_, ticks) => ticks.map((tick) => metric.formatAxis(tick, ticks[1]! - ticks[0]!)),
        },
      ],
      series: [{}, ...drawn.map(({ options }) => options)],
      plugins: [tooltip((index) => describeDay(index, dates, series, today, metric))],
    },
    [dates.map((_, place) => place), ...drawn.map(({ values }) => [...values])],
    element,
  );
}

interface Drawn {
  options: uPlot.Series;
  values: Values;
}

/** Columns: the highest sums first, so that the lower ones cover their lower parts. */
function toColumns(
  series: readonly Series[],
  dates: readonly string[],
  today: string,
  colour: (name: string) => string,
  rem: number,
): Drawn[] {
  const isStacked = series.length > 1;
  const sums = dates.map(() => 0);
  const bars = (fill: string): uPlot.Series => ({
    fill,
    // Separates the parts of a column for those who cannot tell their colors apart.
    ...(isStacked ? { stroke: colour('--raised'), width: 1 } : { width: 0 }),
    paths: uPlot.paths.bars!({ size: [0.7, 3 * rem], radius: isStacked ? 0 : 0.15 }),
    points: { show: false },
  });
  const columns = series.map(({ color, values }): Drawn[] => {
    const tops = isStacked ? values.map((value, day) => (sums[day]! += value ?? 0)) : values;
    const only = (isToday: boolean) => tops.map((top, day) => ((dates[day] === today) === isToday ? top : null));
    const full = colour(color);
    return [
      { options: bars(full), values: only(false) },
      { options: bars(mix(full, colour('--raised'), FADED)), values: only(true) },
    ];
  });
  return columns.toReversed().flat();
}

/** Lines: the first series last, on top of the others. */
const toLines = (series: readonly Series[], colour: (name: string) => string): Drawn[] =>
  series.toReversed().map(({ color, values }) => ({
    options: { stroke: colour(color), width: 2, points: { show: true, size: 4, fill: colour(color) } },
    values,
  }));

/** Mixes two colors as computed styles write them: `rgb(52, 81, 209)`. An opaque one, because columns lie on each other. */
function mix(color: string, ground: string, part: number): string {
  const [one = [], other = []] = [color, ground].map((text) => text.match(/[\d.]+/g)?.map(Number));
  return `rgb(${one.slice(0, 3).map((value, at) => Math.round(value * part + (other[at] ?? 0) * (1 - part)))})`;
}

/** The values of a day, in the order in which they lie on each other. */
function describeDay(
  index: number,
  dates: readonly string[],
  series: readonly Series[],
  today: string,
  { isSum, format }: PlotProps['metric'],
): string {
  const date = dates[index]!;
  const day = long.format(Date.parse(date));
  const end = date === today ? ', so far' : '';
  const lines = series.map(({ name, values }) => `${name}: ${format(values[index] ?? null)}`).toReversed();
  if (series.length === 1) return `${day}: ${format(series[0]!.values[index] ?? null)}${end}`;
  const total = series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
  return [day + end, ...lines, ...(isSum ? [`Total: ${format(total)}`] : [])].join('\n');
}

/** The end of the axis: the smallest multiple of a step that reaches the highest column in at most five steps. */
function findAxisEnd(most: number, isWhole: boolean): number {
  const steps = isWhole ? STEPS.filter((step) => step >= 1) : STEPS;
  const step = steps.find((size) => most <= 5 * size) ?? most;
  return Math.max(1, Math.ceil(most / step)) * (most ? step : 1);
}

/** Shows the day's values next to the cursor. */
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
