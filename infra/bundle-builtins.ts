import type { Plugin } from 'esbuild';

/**
 * Whoever imports a module of Node's makes Node read all that it exports, and behind `node:http`, `node:process` and `node:util` there are a
 * second client of HTTP, the standard input and threads: more to start than the rest of a function. Asked for like this it reads what is used.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(run) {
    run.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call'
        ? undefined
        : { path, namespace: kind === 'dynamic-import' ? 'builtin whole' : 'builtin' },
    );
    run.onLoad({ filter: /.*/, namespace: 'builtin whole' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }));
    run.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: oneByOne(path) }));
  },
};

/** A module of Node's whose exports are variables, of which esbuild leaves out those that nobody imports. */
function oneByOne(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path)!);
  const variables = names.map(
    (name, i) => `const _${i} = /* @__PURE__ */ (() => all.${name})(); export { _${i} as ${name} };`,
  );
  return `
    const all = /* @__PURE__ */ process.getBuiltinModule('${path}');
    export default all;
    ${variables.join('\n')}`;
}
