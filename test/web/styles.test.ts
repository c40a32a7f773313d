import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const styles = globSync('web/**/*.css').map((path) => [path, readFileSync(path, 'utf8')] as const);

/** Returns the contents of at-rules whose condition contains the text, including nested rules. */
function inside(css: string, condition: string): string[] {
  return [...css.matchAll(/@(?:media|container)\s*([^{]*)\{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}/g)]
    .filter(([, query = '']) => query.includes(condition))
    .map(([, , body = '']) => body);
}

test.each(styles)('%s sets colors only with light-dark(), and changes only sizes by width', (_, css) => {
  expect(css).not.toMatch(/prefers-color-scheme/);
  for (const body of inside(css, 'width'))
    expect(body).not.toMatch(/color|background|opacity|filter|fill|stroke|var\(--(?!small|large|title|gap|round|line)/);
});

test("The viewer's style sheet has no colors that depend on the width either", () => {
  const viewer = readFileSync('node_modules/swagger-ui-dist/swagger-ui.css', 'utf8');
  const bodies = inside(viewer, 'width');
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies)
    expect(body).not.toMatch(/color|background(?!-(size|position|repeat))|opacity|filter|[{;](fill|stroke)/);
});

test.each(styles)('%s uses no left or right, because pages may be right-to-left', (_, css) => {
  expect(css).not.toMatch(
    /(?<![\w-])(left|right|(margin|padding|border)-(left|right)[\w-]*)\s*:|(text-align|float|clear|justify-\w+):\s*(left|right)/,
  );
});
