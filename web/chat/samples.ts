export interface SampleMessage {
  role: 'user' | 'assistant';
  content: string;
}

const user = (content: string): SampleMessage => ({ role: 'user', content });
const assistant = (content: string): SampleMessage => ({ role: 'assistant', content });

/** Sample conversations: with purchase intent, without it, and one in which no ad may appear. */
export const samples: readonly { name: string; messages: readonly SampleMessage[] }[] = [
  {
    name: 'First 10k',
    messages: [
      user('I signed up for my first 10k and my feet hurt already.'),
      assistant('Congratulations! Worn-out shoes are often the cause.'),
      user('Which running shoes would you recommend for a beginner?'),
    ],
  },
  {
    name: 'Weekend away',
    messages: [
      user('We need a weekend getaway in October, somewhere quiet.'),
      assistant('Mountains or water?'),
      user('Water. Maybe a cabin by the lake with room for four?'),
    ],
  },
  {
    name: 'Insuring a car',
    messages: [user('I am buying a used car next week. How do I find cheaper car insurance for it?')],
  },
  { name: 'Learning to code', messages: [user('I want to learn to code. Is a Python course worth paying for?')] },
  { name: 'Small talk', messages: [user('Hi! How are you today?')] },
  { name: 'A sensitive one', messages: [user('I can’t sleep, I feel hopeless and I want to hurt myself.')] },
];
