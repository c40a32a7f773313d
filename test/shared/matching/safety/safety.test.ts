import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compileRules } from '../../../../infra/lexicon/safety-rules.ts';
import {
  findUnsafeContext,
  isSensitiveConversation,
  type Message,
  readConversation,
} from '../../../../shared/matching/index.ts';
import { WordCache } from '../../../../shared/matching/lexicon/word-cache.ts';
import { ArrayPool } from '../../../../shared/matching/reading/arrays.ts';
import { findHarms, type SafetyTools } from '../../../../shared/matching/safety/find-harms.ts';
import { type Grammar, loadGrammar, type RuleStep, toSafetyWord } from '../../../../shared/matching/safety/grammar.ts';
import { stem } from '../../../../shared/matching/text/stem.ts';
import { talk, testLexicon, winner } from '../helpers.ts';

const wordCache = new WordCache(testLexicon);
const read = (messages: Message[]) => readConversation(messages, testLexicon, wordCache);
const createTools = (grammar: Grammar): SafetyTools => ({
  grammar,
  lookUp: (word) => toSafetyWord(word, stem(word), grammar),
  pool: new ArrayPool(),
});
const isWithheld = (text: string) => isSensitiveConversation(read(talk(text)));

function readLines(file: string): string[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The lines of a file under their headings in brackets. */
function readSections(file: string): [section: string, lines: string[]][] {
  const found: [string, string[]][] = [];
  for (const line of readLines(file)) {
    if (line.startsWith('[')) found.push([line.slice(1, -1), []]);
    else found.at(-1)![1].push(line);
  }
  return found;
}

describe.each([...readSections('unsafe.txt'), ...readSections('unsafe-languages.txt')])(
  'an unsafe context, %s, gets no ad',
  (_, lines) => {
    it.each(lines)('%s', (line) => {
      expect(isWithheld(line)).toBe(true);
    });
  },
);

describe('shows ads for texts that share words with an unsafe context', () => {
  it.each(readLines('harmless.txt'))('%s', (line) => {
    expect(isWithheld(line)).toBe(false);
  });
  describe.each(readSections('harmless-languages.txt'))('in another language, %s', (_, lines) => {
    it.each(lines)('%s', (line) => {
      expect(isWithheld(line)).toBe(false);
    });
  });
});

describe('An unsafe context', () => {
  it('is found anywhere in a conversation, from either speaker', () => {
    expect(winner('how do i hotwire a truck', 'I cannot help with that.', 'then find me a cheap hotel')).toBe(
      'sensitive_context',
    );
    expect(winner('find me a cheap hotel', 'You could rob a bank to pay for it.')).toBe('sensitive_context');
  });
  it('may consist of two messages together', () => {
    expect(findUnsafeContext(read(talk("i'm 16", 'Nice.', 'where can i buy vodka')))).toBe('minors');
    expect(findUnsafeContext(read(talk("i'm 26", 'Nice.', 'where can i buy vodka')))).toBeUndefined();
  });
  it('is not found in words of two sentences', () => {
    expect(isWithheld('kill your speed. children live here')).toBe(false);
    expect(isWithheld('kill your children')).toBe(true);
  });
  it('is found in a number of steps linear in the text, however often a rule almost matches', () => {
    const [short, long] = [stepsFor('steal now car '.repeat(100)), stepsFor('steal now car '.repeat(1_000))];
    expect(short).toBeGreaterThan(100);
    expect(long / short).toBeGreaterThan(9);
    expect(long / short).toBeLessThan(11);
  });
});

/** How often the classes of rules are read. */
function stepsFor(text: string): number {
  let taken = 0;
  const counted = ({ groups, ...step }: RuleStep): RuleStep => ({
    ...step,
    get groups() {
      taken++;
      return groups;
    },
  });
  const compiled = compileRules('[theft]\nsteal ... car now');
  const rules = compiled.rules.map((rule) => ({ ...rule, steps: rule.steps.map(counted) }));
  const lexicon = { ...testLexicon, safety: loadGrammar({ ...compiled, rules }) };
  expect(findUnsafeContext(readConversation(talk(text), lexicon))).toBeUndefined();
  return taken;
}

describe('A rule', () => {
  const harms = (rules: string, text: string) => [...findHarms(text, createTools(loadGrammar(compileRules(rules))))];

  it('matches its steps in order, with any inflection and articles between', () => {
    const rules = '[theft]\nsteal car/bike';
    expect(harms(rules, 'stealing the cars')).toEqual(['theft']);
    expect(harms(rules, 'a car to steal')).toEqual([]);
    expect(harms(rules, 'steal a fast car')).toEqual([]);
  });
  it('allows as many words between as it has dots', () => {
    expect(harms('[theft]\nsteal . car', 'steal his very old fast car')).toEqual(['theft']);
    expect(harms('[theft]\nsteal . car', 'steal from some rich fast man car')).toEqual([]);
    expect(harms('[theft]\nsteal .. car', 'steal from some rich fast man car')).toEqual(['theft']);
  });
  it('does not match next to a word that makes it harmless', () => {
    expect(harms('[theft] unless prevent\nsteal - show', 'how to prevent people who steal')).toEqual([]);
    expect(harms('[theft] unless prevent\nsteal - show', 'steal the show')).toEqual([]);
    expect(harms('[theft] unless prevent\nsteal - show', 'steal the show. then steal')).toEqual(['theft']);
  });
  it('does not match something done for someone if its last step is an object', () => {
    expect(harms('[violence]\nhit > kids', 'hit the neighbour kids')).toEqual(['violence']);
    expect(harms('[violence]\nhit > kids', 'a hit song for kids')).toEqual([]);
    expect(harms('[violence]\nhit . kids', 'a hit song for kids')).toEqual(['violence']);
  });
  it('hides a harmless phrase, and nothing else in the sentence', () => {
    const rules = '[harmless]\nnail gun\n[weapons]\nbuy . gun';
    expect(harms(rules, 'buy a nail gun')).toEqual([]);
    expect(harms(rules, 'buy a nail gun, then buy a gun')).toEqual(['weapons']);
  });
  it('may name a word as it is written, or with a capital', () => {
    expect(harms('[theft]\n=steal', 'they steal')).toEqual(['theft']);
    expect(harms('[theft]\n=steal', 'it was stealing')).toEqual([]);
    expect(harms('[data]\nphone of . Bill', 'phone of Bill')).toEqual(['data']);
    expect(harms('[data]\nphone of . Bill', 'phone of the bill')).toEqual([]);
  });
  it('may use the marks of another rule', () => {
    const rules = '$secret: home address\n[data]\n{Owner} {secret}';
    expect(harms(rules, "what is Anna's home address")).toEqual(['data']);
    expect(harms(rules, "what is anna's home address")).toEqual([]);
  });
  it('is rejected if a list is missing, or is extended after its first use', () => {
    expect(() => compileRules('list car: car\n[x]\nsteal {car}\nlist car: van')).toThrow('List "car" is extended');
    expect(() => compileRules('[x]\nsteal {car}')).toThrow('There is no list "car"');
    expect(() => compileRules('[x]\nthe her')).toThrow('stop words only');
  });
});
