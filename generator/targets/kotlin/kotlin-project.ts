import type { OpenApiDocument } from '@branchline/contract';
import type { GeneratedFile } from '../../target.ts';

/** Kotlin to be made of a contract: what is given to openapi-generator-cli, and what else is written. */
export interface KotlinProject {
  /** The folder of its templates, beside this file in `templates/`. */
  templates: 'inspector' | 'client';
  /** Where the generated files go; it ends in `generated`. */
  folder: string;
  /** The contract as the templates are to see it. */
  document: OpenApiDocument;
  /** Options of openapi-generator-cli (its `-c` file) beside those that are the same for all. */
  options: {
    packageName: string;
    modelPackage: string;
    apiPackage?: string;
    typeMappings?: Readonly<Record<string, string>>;
  };
  /** Template → the file that it makes once, relative to `folder`. */
  once: Readonly<Record<string, string>>;
  /** Text by path, relative to `folder`, of the files that need no rendering. */
  copied: Readonly<Record<string, string>>;
  scaffold: readonly GeneratedFile[];
}
