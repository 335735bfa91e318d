/**
 * What a request got wrong.
 *
 * - `path`: nothing is served there (404)
 * - `method`: the path is served, but not for this method (405, with `Allow`)
 * - `media-type`: the body's media type, charset or content encoding is not one the contract names (415)
 * - `too-large`: the body, as sent or as unpacked, exceeds the contract's limit (413)
 * - `parameters`: a path, query, header or cookie parameter does not fit (400)
 * - `body`: the body is missing, can't be read, or does not fit its schema (400)
 * - `stub`: the operation is not written yet (501)
 */
export type ContractErrorKind = 'path' | 'method' | 'media-type' | 'too-large' | 'parameters' | 'body' | 'stub';

const STATUS_BY_KIND = {
  path: 404,
  method: 405,
  'media-type': 415,
  'too-large': 413,
  parameters: 400,
  body: 400,
  stub: 501,
};

/**
 * A request that does not keep to the contract. The message is one sentence, fit for the client; the application's
 * error handler decides how the response's body shows it.
 */
export class ContractError extends Error {
  override name = 'ContractError';
  readonly kind: ContractErrorKind;
  readonly statusCode: number;
  /** Headers that the response must carry; the plugin has set them before the error handler runs. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ContractErrorKind, sentence: string, headers: Readonly<Record<string, string>> = {}) {
    super(sentence);
    this.kind = kind;
    this.statusCode = STATUS_BY_KIND[kind];
    this.headers = headers;
  }
}
