/** A grammar of highlight.js. */
export type Language = (hljs: object) => object;

declare const language: Language;
export default language;
