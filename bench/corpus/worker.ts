import { join } from 'node:path';
import { UserError } from '@branchline/command-line';
import { apply, plan, targets } from '@branchline/generator';
import type { FastifyInstance } from 'fastify';
import type { Answer, Job } from './trial.ts';

// As a process of its own, so that a document that takes all time or memory takes no more than itself down.
process.on('message', (job: Job) => {
  void tryDocument(job).then((answer) => process.send?.(answer));
});

async function tryDocument({ spec, out }: Job): Promise<Answer> {
  const begun = performance.now();
  let warnings = 0;
  try {
    const made = await plan({
      spec,
      out,
      targets: targets.filter(({ name }) => name !== 'kotlin'),
      runtime: 'package',
    });
    await apply(out, made.changes);
    warnings = made.warnings.length;
  } catch (error) {
    const outcome = error instanceof UserError ? 'refused' : 'crashed';
    return { outcome, reason: explain(error), warnings, milliseconds: performance.now() - begun };
  }
  const milliseconds = performance.now() - begun;
  try {
    const { buildApp }: { buildApp: () => Promise<FastifyInstance> } = await import(join(out, 'server/app.ts'));
    const app = await buildApp();
    await app.ready();
    await app.close();
    return { outcome: 'started', reason: '', warnings, milliseconds };
  } catch (error) {
    return { outcome: 'did not start', reason: explain(error), warnings, milliseconds };
  }
}

function explain(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
