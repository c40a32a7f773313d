/** Steps that any match may take beside those for its text, and steps for each word of the text. */
const STEPS = 1_000_000;
const STEPS_PER_WORD = 100;
/** Share of all steps that one campaign may take: nobody's list of keywords keeps those of others from being looked up. */
const CAMPAIGN_SHARE = 1 / 50;

/**
 * How many steps a match takes in looking for keywords, at most: an advertiser may have hundreds of keywords of fifty words, and a
 * caller may say all those words a thousand times. Ordinary keywords take a few hundred.
 */
export class StepLimit {
  readonly #perCampaign: number;
  #left: number;
  /** What is left when the campaign at hand has had its share. */
  #end = 0;

  constructor(words: number) {
    this.#left = STEPS + STEPS_PER_WORD * words;
    this.#perCampaign = this.#left * CAMPAIGN_SHARE;
  }

  get outOfSteps(): boolean {
    return this.#left <= this.#end;
  }

  nextCampaign(): void {
    this.#end = Math.max(0, this.#left - this.#perCampaign);
  }

  take(steps: number): void {
    this.#left -= steps;
  }
}
