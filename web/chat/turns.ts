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
  /** Whether a click or a report of the ad is being sent. */
  isBusy: boolean;
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
  const acting = useRef(new Set<number>());

  const change = (id: number, part: Partial<ChatTurn>) =>
    setTurns((known) => known.map((turn) => (turn.id === id ? { ...turn, ...part } : turn)));

  /** @param before the turns that the new one follows */
  const say = async (before: readonly ChatTurn[], newMessages: readonly SampleMessage[], country: string) => {
    const id = nextId.current++;
    select(id);
    const messages = [...before.flatMap(toMessages), ...newMessages];
    setTurns([
      ...before,
      { id, newMessages, answer: answerTo(messages), happening: null, problem: null, isBusy: false },
    ]);
    await bidFor(publisher, messages, country, (happening) => {
      const isSensitive = happening.debug?.reason === 'sensitive_context';
      change(id, { happening, answer: answerTo(messages, isSensitive) });
    }).catch((error) => change(id, { problem: toProblem(error) }));
  };

  /** One action on an ad at a time: two concurrent clicks would both read the result of the first. */
  const act = async ({ id, happening }: ChatTurn, what: (happening: Happening) => Promise<Happening>) => {
    if (!happening || acting.current.has(id)) return;
    acting.current.add(id);
    select(id);
    change(id, { problem: null, isBusy: true });
    await what(happening)
      .then((changed) => change(id, { happening: changed }))
      .catch((error) => change(id, { problem: toProblem(error) }));
    acting.current.delete(id);
    change(id, { isBusy: false });
  };
  const click = (turn: ChatTurn) => act(turn, (happening) => clickAd({ session, publisher, happening, isTest }));
  const reject = (turn: ChatTurn) => act(turn, (happening) => rejectAd(publisher, happening));

  return { turns, selected: turns.find(({ id }) => id === selectedId), say, click, reject, begin: () => setTurns([]) };
}

const toMessages = ({ newMessages, answer }: ChatTurn): SampleMessage[] => [
  ...newMessages,
  { role: 'assistant', content: answer },
];
