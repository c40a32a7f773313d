// Loaded before every program that uses matching: checks the Node version and compiles the lexicon if it is out of date.
import './node-version.mjs';

const { default: ensureFreshLexicon } = await import('./lexicon/fresh.ts');
await ensureFreshLexicon();
