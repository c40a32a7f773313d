import { writeFileSync } from 'node:fs';
import { packWeights } from '../../infra/lexicon/classifier-weights.ts';
import { KIND_WEIGHTS } from '../../infra/lexicon/paths.ts';
import { MESSAGE_KINDS } from '../../shared/matching/index.ts';
import { readSentences } from '../safety/learn-safety.ts';
import { table } from '../text-table.ts';
import { type KindMessage, readKindMessages, sourcesOfKinds } from './kind-messages.ts';
import { learnKinds, leaveWritersOut } from './learn-kinds.ts';

/** `npm run train -- kinds`: learns and writes the classifier of kinds of messages, and cross-validates it by writer. */
function trainKinds(): void {
  const messages = [...readKindMessages(), ...readDistress()];
  writeFileSync(KIND_WEIGHTS, packWeights({ ...learnKinds(messages), learnedFrom: sourcesOfKinds() }));
  const left = leaveWritersOut(messages);
  const rows = [...Map.groupBy(left, groupOf)].flatMap(([group, all]) =>
    MESSAGE_KINDS.map((kind) => {
      const own = all.filter((message) => message.kind === kind);
      const share = (test: (message: (typeof all)[number]) => boolean) =>
        own.length === 0 ? '-' : `${((100 * own.filter(test).length) / own.length).toFixed(1)} %`;
      const guess = ({ chances }: (typeof all)[number]) => MESSAGE_KINDS[chances.indexOf(Math.max(...chances))];
      return [
        group,
        kind,
        `${own.length}`,
        share((message) => guess(message) === kind),
        share((message) => guess(message) === 'wish'),
      ];
    }),
  );
  console.log(table(['writers left out', 'kind', 'messages', 'recognized', 'taken for a wish'], rows).join('\n'));
}

/** Every so many sentences of distress is learned as chat: a crisis is no wish, even if it asks what to do. */
const DISTRESS_STEP = 5;

const readDistress = (): KindMessage[] =>
  readSentences()
    .filter(({ label, kind, lang }) => label === 1 && lang === 'en' && kind !== 'reply' && kind !== 'unsafe')
    .filter((_, i) => i % DISTRESS_STEP === 0)
    .map(({ text, lang, writer }) => ({ text, lang, writer: `distress ${writer}`, kind: 'chat', labeled: true }));

const groupOf = ({ lang, labeled }: { lang: string; labeled?: boolean }): string =>
  labeled ? 'fragments' : lang === 'en' ? 'English' : 'other languages';

trainKinds();
