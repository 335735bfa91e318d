import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileAll } from '../corpus/compile.ts';
import { type CorpusDocument, listDocuments } from '../corpus/documents.ts';
import { packages } from '../corpus/packages.ts';
import { type Answer, startTrials, type Trials } from '../corpus/trial.ts';
import type { Finding, Measure } from '../measure.ts';
import { decimals } from '../numbers.ts';
import { median } from '../statistics.ts';
import { fromRoot } from '../subjects/subject.ts';

/** A quick run takes one of so many documents of a package. */
const STEP = 20;

const LIMITS = { seconds: 120, megabytes: 4_096 };

/** One program of the compiler takes so many. */
const AT_ONCE = 40;

interface Tried extends Answer {
  document: CorpusDocument;
}

export const corpus: Measure = {
  name: 'corpus',
  describe: 'whether contracts that npm packages ship generate, compile and start',
  async run({ quick }) {
    const trials = startTrials(LIMITS);
    const tried: Tried[] = [];
    for (const one of packages) {
      const documents = (await listDocuments(one)).filter((_document, index) => !quick || index % STEP === 0);
      for (let start = 0; start < documents.length; start += AT_ONCE)
        tried.push(...(await tryBatch(documents.slice(start, start + AT_ONCE), trials)));
    }
    trials.end();
    return found(tried);
  },
};

async function tryBatch(documents: readonly CorpusDocument[], trials: Trials): Promise<Tried[]> {
  const folder = await mkdtemp(join(tmpdir(), 'branchline-bench-corpus-'));
  await symlink(fromRoot('node_modules'), join(folder, 'node_modules'));
  const tried: Tried[] = [];
  for (const [index, document] of documents.entries()) {
    const out = join(folder, String(index));
    await mkdir(out);
    tried.push({ document, ...(await trials.try({ spec: document.file, out })) });
  }
  const complaints = await compileAll(folder);
  await rm(folder, { recursive: true });
  return tried.map((one, index): Tried => {
    const reason = complaints.get(String(index));
    return one.outcome !== 'started' || reason === undefined ? one : { ...one, outcome: 'did not compile', reason };
  });
}

function found(tried: readonly Tried[]): Finding {
  const used = packages.filter(({ name }) => tried.some(({ document }) => document.package === name));
  const others = tried.filter(({ outcome }) => outcome !== 'started');
  return {
    title: 'Contracts of others',
    about:
      'OpenAPI and Swagger documents that npm packages ship, in pinned versions, one after the other. Of each a server, a client and the cases are ' +
      'generated; all of that is compiled strictly, and the server is started. A document has 2 minutes and 4 GiB. Time is the median ' +
      'of those that were generated, without compiling; warnings are of what was mended.',
    tables: [
      {
        columns: ['Package', 'Documents', 'Generated, compiled and started', 'With warnings', 'Median time'],
        rows: used.map(({ name, version }) => {
          const own = tried.filter(({ document }) => document.package === name);
          const good = own.filter(({ outcome }) => outcome === 'started');
          return [
            `${name} ${version}`,
            own.length,
            good.length,
            own.filter(({ warnings }) => warnings > 0).length,
            `${decimals(median(own.map(({ milliseconds }) => milliseconds)) / 1_000)} s`,
          ];
        }),
      },
      {
        columns: ['Document', 'Outcome', 'Why'],
        rows: others.map(({ document, outcome, reason }) => [
          `${document.package} ${document.name}`,
          outcome,
          explain(reason, document.file),
        ]),
      },
    ],
  };
}

/** The first line of a reason, without where the document lies on this machine. */
function explain(reason: string, file: string): string {
  const [first = ''] = reason.split('\n');
  return first.replaceAll(`${file}:`, '').replaceAll('|', '\\|');
}
