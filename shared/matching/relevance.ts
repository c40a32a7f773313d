import type { Reading } from './reading.ts';
import { RELEVANCE } from './weights.ts';

/** What the conversation as a whole adds to or takes from every campaign's relevance. */
export interface Climate {
  offset: number;
  strongest: number;
}

/** Figures of the conversation that relevance depends on, by name; RELEVANCE holds a coefficient for each. */
export function climateOf(reading: Reading): Record<string, number> {
  const against = (path: string) => {
    const evidence = reading.own(path);
    return evidence / (evidence + reading.strongest + 0.25);
  };
  return {
    smallTalk: Math.min(1, reading.smallTalk),
    device: against('_Device Command'),
    weather: against('_Weather'),
    trivia: against('_Trivia'),
    task: against('_Task'),
    buy: 1 - Math.exp(-reading.own('_Intent > Buy')),
    seek: 1 - Math.exp(-reading.own('_Intent > Seek')),
    manage: 1 - Math.exp(-reading.own('_Intent > Manage')),
    length: Math.log(1 + reading.userWords),
  };
}

export function climate(reading: Reading): Climate {
  let offset = RELEVANCE.intercept;
  const figures = climateOf(reading);
  for (const [name, coefficient] of Object.entries(RELEVANCE.climate)) offset += coefficient * figures[name]!;
  return { offset, strongest: reading.strongest };
}

/** Figures of one campaign in the conversation. */
export function campaignFigures(topic: number, literal: number, strongest: number): number[] {
  const share = strongest > 0 ? Math.min(1, topic / strongest) : 0;
  return [Math.log(0.05 + topic) - Math.log(0.05), share * share, literal, literal * share];
}

/** The estimated chance, 0..1, that the ad is right. Grows with both kinds of evidence. */
export function relevance(topic: number, literal: number, { offset, strongest }: Climate): number {
  let sum = offset;
  const figures = campaignFigures(topic, literal, strongest);
  for (let i = 0; i < figures.length; i++) sum += RELEVANCE.campaign[i]! * figures[i]!;
  return 1 / (1 + Math.exp(-sum));
}
