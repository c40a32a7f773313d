/** esbuild makes one style sheet of those that scripts import. */
declare module '*.css';
