/** Warns of a fault that was mended, by the pointer of its place in the document as it was written. */
export type Warn = (pointer: string, sentence: string) => void;

export type Fields = Record<string, unknown>;
