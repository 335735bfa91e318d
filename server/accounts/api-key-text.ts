/** The parts of an API key's text, `blk_<workspace id>.<key id>.<secret>`. */
export interface ApiKeyParts {
  /** Included so that looking up the key stays within one workspace. */
  workspaceId: string;
  keyId: string;
  secret: string;
}

/** The fixed prefix lets secret scanners recognise leaked keys. */
const PREFIX = 'blk_';

const FORM = /^blk_([a-z0-9-]{1,63})\.([A-Za-z0-9-]{1,64})\.([\w-]{43})$/;

export function formatApiKey({ workspaceId, keyId, secret }: ApiKeyParts): string {
  return `${PREFIX}${workspaceId}.${keyId}.${secret}`;
}

/** @returns undefined if the text is not a key */
export function parseApiKey(text: string | undefined): ApiKeyParts | undefined {
  const [, workspaceId, keyId, secret] = FORM.exec(text ?? '') ?? [];
  if (workspaceId === undefined || keyId === undefined || secret === undefined) return undefined;
  return { workspaceId, keyId, secret };
}
