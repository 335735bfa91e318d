/** Refuses a request with a status and a sentence; the error handler creates the reply. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(statusCode: number, sentence: string, headers: Readonly<Record<string, string>> = {}) {
    super(sentence);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}
