/** A service account, as a client knows it. */
export interface Account {
  readonly name: string;
  readonly secret: string;
}

/** The value of the `authorization` header (Branch Management HTTP API, Authentication). */
export function encodeBasic({ name, secret }: Account, scheme = 'Basic'): string {
  return `${scheme} ${encodeBase64(`${name}:${secret}`)}`;
}

export function encodeBase64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}
