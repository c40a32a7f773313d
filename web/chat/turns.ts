import { useRef, useState } from 'preact/hooks';
import { toProblem } from '../errors.ts';
import type { PublisherSession, Session } from '../session.ts';
import { answerTo } from './assistant.ts';
import { bidFor, clickAd, type Happening, rejectAd } from './bidding.ts';
import type { SampleMessage } from './samples.ts';

/** A turn: the new messages, the assistant's answer, and the auction's result. */
export interface ChatTurn {
  id: number;
  newMessages: readonly SampleMessage[];
  answer: string;
  /** Null while the request is in progress. */
  happening: Happening | null;
  problem: string | null;
}

interface TurnsInput {
  session: Session;
  publisher: PublisherSession;
  isTest: boolean;
}

/** The conversation's turns, and the selected one, which is explained. A late response changes only its own turn, and nothing if that turn is gone. */
export function useTurns({ session, publisher, isTest }: TurnsInput) {
  const [turns, setTurns] = useState<readonly ChatTurn[]>([]);
  const [selectedId, select] = useState<number>();
  const nextId = useRef(0);
  const clicking = useRef(new Set<number>());

  const change = (id: number, part: Partial<ChatTurn>) =>
    setTurns((known) => known.map((turn) => (turn.id === id ? { ...turn, ...part } : turn)));

  /** @param before the turns that the new one follows */
  const say = async (before: readonly ChatTurn[], newMessages: readonly SampleMessage[], country: string) => {
    const id = nextId.current++;
    select(id);
    const messages = [...before.flatMap(toMessages), ...newMessages];
    setTurns([...before, { id, newMessages, answer: answerTo(messages), happening: null, problem: null }]);
    await bidFor(publisher, messages, country, (happening) => {
      const isSensitive = happening.debug?.reason === 'sensitive_context';
      change(id, { happening, answer: answerTo(messages, isSensitive) });
    }).catch((error) => change(id, { problem: toProblem(error) }));
  };

  const click = async ({ id, happening }: ChatTurn) => {
    // One click at a time: two concurrent clicks would both read the result of the first.
    if (!happening || clicking.current.has(id)) return;
    clicking.current.add(id);
    select(id);
    await clickAd({ session, publisher, happening, isTest })
      .then((clicked) => change(id, { happening: clicked }))
      .catch((error) => change(id, { problem: toProblem(error) }));
    clicking.current.delete(id);
  };

  const reject = async ({ id, happening }: ChatTurn) => {
    if (!happening) return;
    select(id);
    await rejectAd(publisher, happening)
      .then((rejected) => change(id, { happening: rejected }))
      .catch((error) => change(id, { problem: toProblem(error) }));
  };

  return { turns, selected: turns.find(({ id }) => id === selectedId), say, click, reject, begin: () => setTurns([]) };
}

const toMessages = ({ newMessages, answer }: ChatTurn): SampleMessage[] => [
  ...newMessages,
  { role: 'assistant', content: answer },
];
