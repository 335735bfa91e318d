import { type Json, type Path, toPointer, valueAtPath, withValueAt } from '@branchline/contract';
import type { Oracle } from './validator.ts';
import type { Probe, ProbesOf } from './mutation.ts';
import { arrayProbes } from './mutations/array.ts';
import { choiceProbes } from './mutations/choice.ts';
import { enumerationProbes } from './mutations/enumeration.ts';
import { numberProbes } from './mutations/number.ts';
import { objectProbes } from './mutations/object.ts';
import { stringProbes } from './mutations/string.ts';
import { typeProbes } from './mutations/type.ts';
import type { Samples } from './samples.ts';
import { referenceOf, schemaAt, startsWith, subschemas } from './schema-object.ts';
import { type Site, sitesIn } from './schema-location.ts';

/** A change to a valid value, confirmed by the oracle: it keeps every rule, or breaks exactly one. */
export interface Finding {
  /** Unique among the findings of one value: `name/minLength-below`. */
  id: string;
  /** Where the matter is, for people; `change.at` may be an ancestor of it. */
  at: Path;
  /** See `Probe.says`. */
  says: string;
  valid: boolean;
  /** The broken rule. */
  keyword?: string;
  /** See `Site.judgedApart`. */
  judgedApart: boolean;
  change: { at: Path; put: Json | undefined };
}

/** What findings are derived with. */
export interface Derivation {
  document: object;
  oracle: Oracle;
  samples: Samples;
}

const rules: readonly ProbesOf[] = [
  typeProbes,
  enumerationProbes,
  stringProbes,
  numberProbes,
  arrayProbes,
  objectProbes,
  choiceProbes,
];

/**
 * Derives every finding for a valid value of the schema at `pointer`, those of other branches of its `oneOf`s and
 * `anyOf`s included. The order is that of the schema.
 */
export function findingsFor(derivation: Derivation, pointer: string, whole: Json): Finding[] {
  const { document, oracle } = derivation;
  const sites = sitesIn(document, oracle, pointer, whole);
  const own = sites.flatMap((site) => confirmed(oracle, pointer, site, whole));
  const others = sites.flatMap((site) => otherBranches(derivation, pointer, site, whole, sites));
  return distinct([...own, ...others]);
}

function confirmed(oracle: Oracle, pointer: string, site: Site, whole: Json): Finding[] {
  return rules.flatMap((probesOf) => probesOf(site)).flatMap((probe) => confirm(oracle, pointer, site, probe, whole));
}

function confirm(oracle: Oracle, pointer: string, site: Site, probe: Probe, whole: Json): Finding[] {
  const { at, breaks, rule, says } = probe;
  const fits = (put: Json | undefined): boolean => {
    const changed = withValueAt(whole, at, put);
    if (changed === undefined) return false;
    if (breaks === undefined) return oracle.accepts(pointer, changed);
    return !oracle.accepts(pointer, changed) && oracle.isolates(site.scopes, changed, breaks);
  };
  const index = probe.candidates.findIndex(fits);
  if (index === -1) return [];
  return [
    {
      id: [...at, rule].join('/'),
      at,
      says,
      valid: breaks === undefined,
      ...(breaks === undefined ? {} : { keyword: breaks.keyword }),
      judgedApart: site.judgedApart,
      change: { at, put: probe.candidates[index] },
    },
  ];
}

/** The branches that the value did not choose. */
function otherBranches(derivation: Derivation, pointer: string, site: Site, whole: Json, known: Site[]): Finding[] {
  const seen = new Set(known.map(siteKey));
  return ['oneOf', 'anyOf'].flatMap((keyword) =>
    subschemas(site.schema, site.pointer, keyword)
      .flatMap((branch, index) => {
        if (derivation.oracle.accepts(branch.pointer, site.value)) return [];
        const put = derivation.samples.ofBranch(site.pointer, keyword, index);
        const name = `${keyword}-${branchName(derivation.document, branch.pointer, index)}`;
        return put === undefined ? [] : [branchFindings(derivation, pointer, site, whole, seen, { name, put })];
      })
      .flat(),
  );
}

/** A sample of another branch put in the value's place, and everything derived inside it. */
function branchFindings(
  { document, oracle }: Derivation,
  pointer: string,
  site: Site,
  whole: Json,
  seen: ReadonlySet<string>,
  branch: { name: string; put: Json },
): Finding[] {
  const { at, judgedApart } = site;
  const changed = withValueAt(whole, at, branch.put);
  if (changed === undefined || !oracle.accepts(pointer, changed)) return [];
  const chosen: Finding = {
    id: [...at, branch.name].join('/'),
    at,
    says: `is another kind of value, ${branch.name}`,
    valid: true,
    judgedApart,
    change: { at, put: branch.put },
  };
  const inside = sitesIn(document, oracle, pointer, changed)
    .filter((inner) => startsWith(inner.at, at) && !seen.has(siteKey(inner)))
    .flatMap((inner) => confirmed(oracle, pointer, inner, changed));
  return [chosen].concat(inside.map((finding) => lifted(finding, at, branch.name, changed)));
}

function siteKey(site: Site): string {
  return `${site.pointer} ${toPointer(site.at)}`;
}

function branchName(document: object, pointer: string, index: number): string {
  const reference = referenceOf(schemaAt(document, pointer) ?? {});
  return reference?.split('/').at(-1) ?? String(index + 1);
}

/** Says a change inside another branch as a change of the whole place, since the base body holds no such branch. */
function lifted(finding: Finding, at: Path, name: string, changed: Json): Finding {
  const after = withValueAt(changed, finding.change.at, finding.change.put);
  const below = finding.id.split('/').slice(at.length);
  return {
    ...finding,
    id: [...at, name, ...below].join('/'),
    change: { at, put: valueAtPath(after, at) as Json | undefined },
  };
}

/** The same rule written twice (in two parts of an `allOf`, say) is one finding. */
function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.toReversed().map((finding) => [finding.id, finding])).values()].toReversed();
}
