import { useRef, useState } from 'preact/hooks';
import { problemOf } from '../errors.ts';
import type { PublisherSession, Session } from '../session.ts';
import { answerTo } from './assistant.ts';
import { bidFor, clickAd, type Happening } from './bidding.ts';
import type { SampleMessage } from './samples.ts';

/** What was said until the assistant answered, and what the service made of it. */
export interface ChatTurn {
  id: number;
  said: readonly SampleMessage[];
  answer: string;
  /** Null while the service is asked. */
  happening: Happening | null;
  problem: string | null;
}

interface TurnsInput {
  session: Session;
  publisher: PublisherSession;
  isTest: boolean;
}

/** A conversation by turns, and the turn that is told of: what was said or clicked last. An answer belongs to its turn alone: one that comes late changes no other, and none where its turn is gone. */
export function useTurns({ session, publisher, isTest }: TurnsInput) {
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const [toldOf, tellOf] = useState<number>();
  const nextId = useRef(0);
  const clicking = useRef(new Set<number>());

  const change = (id: number, part: Partial<ChatTurn>) =>
    setTurns((known) => known.map((turn) => (turn.id === id ? { ...turn, ...part } : turn)));

  /** @param before the turns that it goes on from */
  const say = async (before: readonly ChatTurn[], said: readonly SampleMessage[], country: string) => {
    const id = nextId.current++;
    tellOf(id);
    const messages = [...before.flatMap(messagesOf), ...said];
    setTurns([...before, { id, said, answer: answerTo(messages), happening: null, problem: null }]);
    await bidFor(publisher, messages, country, (happening) => {
      const isSensitive = happening.debug?.reason === 'sensitive_context';
      change(id, { happening, answer: answerTo(messages, isSensitive) });
    }).catch((error) => change(id, { problem: problemOf(error) }));
  };

  const click = async ({ id, happening }: ChatTurn) => {
    // What is new among the attempts can be told of one click at a time: two would both be told what the first of them was.
    if (!happening || clicking.current.has(id)) return;
    clicking.current.add(id);
    tellOf(id);
    await clickAd({ session, publisher, happening, isTest })
      .then((clicked) => change(id, { happening: clicked }))
      .catch((error) => change(id, { problem: problemOf(error) }));
    clicking.current.delete(id);
  };

  return { turns, told: turns.find(({ id }) => id === toldOf), say, click, begin: () => setTurns([]) };
}

const messagesOf = ({ said, answer }: ChatTurn): SampleMessage[] => [...said, { role: 'assistant', content: answer }];
