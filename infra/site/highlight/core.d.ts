import type { Language } from './language.d.ts';

/** What the documents use of highlight.js. Its own types declare the globals of a browser for the whole service. */
declare const hljs: {
  registerLanguage(name: string, language: Language): void;
  registerAliases(aliases: string[], language: { languageName: string }): void;
  getLanguage(name: string): object | undefined;
  highlight(text: string, options: { language: string }): { value: string };
};
export default hljs;
