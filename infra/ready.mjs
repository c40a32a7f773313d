// Loaded before every program that matches: on the right Node, with a lexicon that is what its texts say.
import './node-version.mjs';

const { default: ensureFreshLexicon } = await import('./lexicon/fresh.ts');
await ensureFreshLexicon();
