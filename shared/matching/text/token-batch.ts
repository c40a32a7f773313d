import type { TokenScanner } from './token-scanner.ts';

/** Most tokens of a batch. */
export const BATCH_SIZE = 64;

/** Some tokens of a text, one after the other, as parallel columns: words are looked up faster together than one by one. */
export class TokenBatch {
  length = 0;
  /** As the scanner has them. */
  readonly from = new Int32Array(BATCH_SIZE);
  readonly to = new Int32Array(BATCH_SIZE);
  readonly hash = new Int32Array(BATCH_SIZE);
  readonly gap = new Int32Array(BATCH_SIZE);
  readonly isWord = new Uint8Array(BATCH_SIZE);

  /** Takes the next tokens of a text; false at its end. */
  take(scanner: TokenScanner): boolean {
    this.length = 0;
    while (this.length < BATCH_SIZE && scanner.next()) {
      const token = this.length++;
      this.from[token] = scanner.from;
      this.to[token] = scanner.to;
      this.hash[token] = scanner.hash;
      this.gap[token] = scanner.gap;
      this.isWord[token] = scanner.isWord ? 1 : 0;
    }
    return this.length > 0;
  }
}
