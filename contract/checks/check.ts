/** A problem of a document, before its pointer is turned into a line. */
export interface Finding {
  pointer: string;
  sentence: string;
  /** The field at the pointer could as well not be there. */
  superfluous?: boolean;
  /** Nobody is hindered by it. */
  bearable?: boolean;
}
