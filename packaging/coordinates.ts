/** The group of the artifacts, and the package of the library. */
export const GROUP = 'app.service.inspector';

/** Both have the same public API; `dev` has the visual inspector too. */
export const VARIANTS = ['dev', 'prod'] as const;

export type Variant = (typeof VARIANTS)[number];

/** What is released: a variant under a tag. */
export interface Artifact {
  variant: Variant;
  tag: string;
  /** The version of Kotlin's standard library that it needs. */
  kotlin: string;
}

export function nameFile({ variant, tag }: Pick<Artifact, 'variant' | 'tag'>, ending: string): string {
  return `${variant}-${tag}${ending}`;
}
