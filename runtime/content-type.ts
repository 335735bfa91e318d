import { ContractError } from './contract-error.ts';

/** A `Content-Type`, in lower case. */
export interface ContentType {
  /** Without parameters; empty where there is none. */
  type: string;
  charset: string | undefined;
}

/** RFC 9110, 5.6.6: a name and a value that is a token or stands in quotes. An empty one may stand between semicolons. */
const parameter = /[\t ]*;[\t ]*(?:([!#$%&'*+.^`|~\w-]+)=(?:([!#$%&'*+.^`|~\w-]+)|"((?:[^"\\]|\\.)*)"))?/y;

/** In characters. No client has a longer one, and thousands of parameters would take milliseconds. */
const LONGEST = 1_000;

/**
 * Reads what a request says of its body. What two readers could take for different things is refused: a parameter that is named
 * twice, quotes that do not end. So is what is longer than anybody means it.
 *
 * @throws ContractError of kind `media-type`.
 */
export function parseContentType(written: string): ContentType {
  if (written.length > LONGEST)
    throw new ContractError('media-type', `The content type must not have more than ${LONGEST} characters.`);
  const [type = ''] = written.split(';', 1);
  const parameters = new Map<string, string>();
  const end = written.trimEnd().length;
  for (let at = type.length; at < end; at = parameter.lastIndex) {
    parameter.lastIndex = at;
    const found = parameter.exec(written);
    if (found === null) {
      throw new ContractError(
        'media-type',
        'The parameters of the content type can not be read; leave them out, or write them like "charset=utf-8".',
      );
    }
    const [, name, token, quoted = ''] = found;
    if (name === undefined) continue;
    const key = name.toLowerCase();
    if (parameters.has(key)) throw new ContractError('media-type', 'The content type names a parameter twice.');
    parameters.set(key, (token ?? quoted.replaceAll(/\\(.)/g, '$1')).toLowerCase());
  }
  return { type: type.trim().toLowerCase(), charset: parameters.get('charset') };
}
