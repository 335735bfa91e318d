/** The name and secret of an `authorization` header. */
export interface BasicCredentials {
  name: string;
  secret: string;
}

/** No account has longer credentials, so longer ones are not decoded. */
const LONGEST_HEADER = 1_024;

const CONTROL_CHARACTER = /\p{Cc}/u;

const SCHEME = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads Basic credentials (RFC 7617): the scheme in any case, canonical Base64 of UTF-8, split at the first colon, so that
 * secrets may contain colons, without control characters. The name is normalized to Unicode's form C.
 *
 * @returns undefined for anything else: no colon, an empty part, invalid Base64 or UTF-8, trailing text
 */
export function parseBasicCredentials(header: string | undefined): BasicCredentials | undefined {
  if (header === undefined || header.length > LONGEST_HEADER) return undefined;
  const encoded = SCHEME.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64') !== encoded) return undefined;
  return split(decodeUtf8(bytes));
}

function split(pair: string | undefined): BasicCredentials | undefined {
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 1 || colon === pair.length - 1 || CONTROL_CHARACTER.test(pair)) return undefined;
  return { name: pair.slice(0, colon).normalize('NFC'), secret: pair.slice(colon + 1) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
