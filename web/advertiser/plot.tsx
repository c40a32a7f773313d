import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ReportDayBody } from './data.ts';

const HEIGHT = 120;
const dayOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(5, 10);
const DARK = '(prefers-color-scheme: dark)';

interface PlotProps {
  title: string;
  days: readonly ReportDayBody[];
  of: 'spend' | 'impressions' | 'clicks';
}

/** One figure by day, as columns. */
export function Plot({ title, days, of }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const total = days.reduce((sum, day) => sum + day[of], 0);
  const data: uPlot.AlignedData = [days.map(({ date }) => Date.parse(date) / 1000), days.map((day) => day[of])];

  // Drawn anew when what it shows has changed.
  useEffect(() => {
    const element = place.current!;
    let plot = draw(element, data);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, data);
    };
    const scheme = matchMedia(DARK);
    scheme.addEventListener('change', redraw);
    addEventListener('resize', redraw);
    return () => {
      scheme.removeEventListener('change', redraw);
      removeEventListener('resize', redraw);
      plot.destroy();
    };
  }, [JSON.stringify(data)]);

  return (
    <figure>
      <figcaption>
        {title} <small>{Number(total.toFixed(6))} in all</small>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title} by day, ${Number(total.toFixed(6))} in all`} />
    </figure>
  );
}

function draw(element: HTMLElement, data: uPlot.AlignedData): uPlot {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name);
  const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } };
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, most) => [0, most || 1] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map(dayOf) },
        { ...axis, size: 56 },
      ],
      series: [
        {},
        {
          fill: colour('--accent'),
          stroke: colour('--accent'),
          paths: uPlot.paths.bars!({ size: [0.7] }),
          points: { show: false },
        },
      ],
    },
    data,
    element,
  );
}
