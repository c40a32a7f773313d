import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Maps stacks to the files and lines of our sources, by the map beside the bundle. It is read with the first stack that is asked for:
 * Node's `--enable-source-maps` reads it at every start, and counts the characters of each line of the bundle.
 * @param bundle its URL, as stacks name it
 */
export function mapStacks(bundle: string): void {
  let map: SourceMap | null | undefined;

  function sourceOf(line: number, column: number): string | undefined {
    if (map === undefined) map = mapBeside(bundle);
    const origin = map?.findOrigin(line, column);
    return origin && 'fileName' in origin
      ? `${fromRoot(origin.fileName)}:${origin.lineNumber}:${origin.columnNumber}`
      : undefined;
  }

  Error.prepareStackTrace = (error, calls) => {
    const lines = calls.map((call) => {
      const [told, line, column] = [String(call), call.getLineNumber(), call.getColumnNumber()];
      const source = call.getFileName() === bundle && line && column ? sourceOf(line, column) : undefined;
      return `\n    at ${source ? told.replace(`${bundle}:${line}:${column}`, source) : told}`;
    });
    return Error.prototype.toString.call(error) + lines.join('');
  };
}

/** Null where it cannot be read: a stack then tells the bundle's own lines, and whatever asked for it goes on. */
function mapBeside(bundle: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${bundle}.map`), 'utf8')));
  } catch {
    return null;
  }
}

/** The map names files from the bundle's folder on. */
const fromRoot = (path: string): string => path.replace(/^(\.\.\/)+/, '');
