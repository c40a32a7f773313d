import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** A parsed file of the project. */
export interface SourceFile {
  path: string;
  text: string;
  /** Includes type imports and re-exports. */
  imports: { from: string; names: string[]; isTypeOnly: boolean }[];
  /** Exported declarations; a default export has the name `default`. */
  exports: { name: string; isType: boolean }[];
  /** Lines with casts (except `as const`) and with non-null assertions. */
  claims(): { casts: number[]; nonNulls: number[] };
}

export const files = (pattern: string): string[] =>
  globSync(pattern)
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.d.ts'))
    .sort();

/** All files of the project, including tests, parsed once. */
export const sources = (): SourceFile[] =>
  (all ??= files('{events,functions,infra,packages/{*/src,examples},shared,test,tools,web}/**/*.{ts,tsx,mjs}').map(
    read,
  ));
let all: SourceFile[] | undefined;

/** Whether a file is neither a test nor an example. */
export const isCode = ({ path }: SourceFile): boolean =>
  /^(functions|infra|packages\/(?!examples\/)|shared|tools|web)\//.test(path);

/** The room of a file: a folder of shared/ or packages/, or another top-level folder. */
export const roomOf = (path: string): string => {
  const [top = '', room = ''] = path.split('/');
  return top === 'shared' || top === 'packages' ? `${top}/${room}` : top;
};

/** The folder of a file within its room; `.` if it is directly in the room. */
export const folderOf = (path: string): string => {
  const [, , folder = '', file] = path.split('/');
  return file === undefined ? '.' : folder;
};

type Program = ReturnType<typeof parseSync>['program'];

const lineIn = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

function claimsIn(text: string, program: Program) {
  const claims: ReturnType<SourceFile['claims']> = { casts: [], nonNulls: [] };
  const cast = ({ typeAnnotation: { start, end } }: { typeAnnotation: { start: number; end: number } }) => {
    if (text.slice(start, end) !== 'const') claims.casts.push(lineIn(text, start));
  };
  new Visitor({
    TSAsExpression: cast,
    TSTypeAssertion: cast,
    TSNonNullExpression: ({ end }) => void claims.nonNulls.push(lineIn(text, end)),
  }).visit(program);
  return claims;
}

function read(path: string): SourceFile {
  const text = readFileSync(path, 'utf8');
  const parsed = parseSync(path, text);
  const { module, errors } = parsed;
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const resolve = (to: string) => (to.startsWith('.') ? normalize(join(dirname(path), to)) : to);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  return {
    path,
    text,
    imports: [
      ...module.staticImports.map(({ moduleRequest, entries }) => ({
        from: resolve(moduleRequest.value),
        names: entries.map(({ importName: { kind, name } }) => (kind === 'Default' ? 'default' : (name ?? '*'))),
        isTypeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
      })),
      ...exported.flatMap(({ moduleRequest, importName, isType }) =>
        moduleRequest
          ? [{ from: resolve(moduleRequest.value), names: [importName.name ?? '*'], isTypeOnly: isType }]
          : [],
      ),
      ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
        from: resolve(text.slice(start, end).replaceAll(/['"`]/g, '')),
        names: ['*'],
        isTypeOnly: false,
      })),
    ],
    exports: exported.flatMap(({ moduleRequest, exportName, isType }) =>
      moduleRequest ? [] : [{ name: exportName.name ?? 'default', isType }],
    ),
    claims: () => claimsIn(text, parsed.program),
  };
}
