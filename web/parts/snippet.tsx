import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Copy } from './copy.tsx';
import type { Snippets } from './snippets.ts';

const GRAMMARS: Record<keyof Snippets, typeof bash> = { curl: bash, TypeScript: typescript, Python: python };
// The library looks names up in lower case.
for (const [name, grammar] of Object.entries(GRAMMARS)) hljs.registerLanguage(name.toLowerCase(), grammar);

interface SnippetProps {
  heading: ComponentChildren;
  texts: Snippets;
}

/** Code to copy, in the language that the visitor chooses. Its size needs a script of its own: load it with `lazyPart`. */
export function Snippet({ heading, texts }: SnippetProps) {
  const languages = Object.keys(texts);
  const [chosen, choose] = useState(languages[0]!);
  const text = new Map(Object.entries(texts)).get(chosen) ?? '';
  return (
    <>
      <div class="card-head">
        {heading}
        <fieldset class="choice" aria-label="Language of the snippet">
          {languages.map((name) => (
            <button key={name} type="button" aria-pressed={chosen === name} onClick={() => choose(name)}>
              {name}
            </button>
          ))}
        </fieldset>
        <Copy key={text} text={text} what="snippet" />
      </div>
      {/* The library escapes the text. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code dangerouslySetInnerHTML={{ __html: hljs.highlight(text, { language: chosen }).value }} />
      </pre>
    </>
  );
}
