import { type Contract, createIdentifiers } from '@branchline/contract';
import { quote } from '../literals.ts';

/** A security scheme as the templates are to see it. Exactly one of the marks is true. */
export interface CredentialView {
  /** Its name in the contract, as Kotlin writes it. */
  scheme: string;
  /** Its property in Kotlin. */
  name: string;
  isBasic: boolean;
  isToken: boolean;
  isHeader: boolean;
  isQuery: boolean;
  isCookie: boolean;
  /** The name of the header, query parameter or cookie of an API key, as Kotlin writes it. */
  key: string;
}

/** What a client can show of itself. Mutual TLS is the HTTP engine's. */
export function listCredentials({ securitySchemes }: Contract): CredentialView[] {
  const identifier = createIdentifiers();
  return [...securitySchemes]
    .filter(([, { type }]) => type !== 'mutualTLS')
    .map(([scheme, { type, scheme: kind = '', in: place, name: key = '' }]) => {
      const isKey = type === 'apiKey';
      const isBasic = type === 'http' && kind.toLowerCase() === 'basic';
      return {
        scheme: quote(scheme),
        name: identifier(scheme.replaceAll('_', ' ')),
        isBasic,
        isToken: !isKey && !isBasic,
        isHeader: isKey && place === 'header',
        isQuery: isKey && place === 'query',
        isCookie: isKey && place === 'cookie',
        key: quote(key),
      };
    });
}
