/** How somebody asks for something, as far as words tell. */
export interface Asking {
  /** 1 when a wish, a need or a question stands in the message, and nothing that is done or answered without any product. */
  wishes: number;
  /** 1 when such a wish is to get something: what to buy, which to take, where to find one. */
  buys: number;
  /** 1 when no ad helps: something is to be done to what one has, a sum is asked for, or nothing is wanted any more. */
  chore: number;
  /** Whether nothing tells that it is a wish, nor that it is none. */
  isUnclear: boolean;
}

export const NOTHING_ASKED: Asking = { wishes: 0, buys: 0, chore: 0, isUnclear: false };
