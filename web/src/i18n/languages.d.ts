/** Made from the folders of `words/` when the pages are built. */

declare module 'words:languages' {
  interface Spoken {
    /** What it is called by those who speak it. */
    readonly name: string;
    /** The letters of king, queen, rook, bishop and knight. */
    readonly pieces: string;
    load(): Promise<{ readonly default: string }>;
    /** What the Articles say. */
    articles(): Promise<{ readonly default: string }>;
    /** What the keys of the configuration mean. */
    settings(): Promise<{ readonly default: string }>;
  }
  export const LANGUAGES: Readonly<Record<string, Spoken>>;
}

/** The sentences of a language, as they stand in its file. */
declare module 'words:*' {
  const sentences: string;
  export default sentences;
}
