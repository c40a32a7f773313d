/** What an operator chooses for one stack. */
export interface Settings {
  stage: string;
  /** What the names of tables, queues and functions start with, so that several stages live in one account. */
  prefix: string;
}

export const settingsOf = (stage: string): Settings => ({ stage, prefix: `ads-${stage}-` });
