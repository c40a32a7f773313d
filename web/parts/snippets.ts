type Language = 'curl' | 'TypeScript' | 'Python';

/** The same code in some languages. */
export type Snippets = Readonly<Partial<Record<Language, string>>>;
