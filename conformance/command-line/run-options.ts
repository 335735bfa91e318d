import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Level } from '../engine/result.ts';
import { LEVELS } from '../engine/report/standing.ts';
import { collectValues } from './repeatable.ts';

/** The options that choose cases, of every command that tries some. */
export function addSelectionOptions(command: Command): Command {
  return command
    .option(
      '--only <pattern>',
      'only these cases: an id, its beginning, or a clause; * is any text; may be given often',
      collectValues,
    )
    .option('--exclude <pattern>', 'without these cases; may be given often', collectValues)
    .addOption(
      new Option('--level <level>', `only cases of this level, ${LEVELS.join(', ')}; may be given often`).argParser(
        collectLevels,
      ),
    )
    .option('--rerun-failed <report.json>', 'only the cases that failed in an earlier report');
}

/** The options that say how requests are sent. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--header <name: value>', 'send this header with each request; may be given often', collectValues)
    .option('--http2', 'over HTTP/2; without TLS the service has to expect it')
    .option('--cacert <file>', 'trust certificates of this authority (PEM), too')
    .option('--cert <file>', 'show this certificate to the service (PEM); may hold the key, too')
    .option('--key <file>', 'the key of that certificate (PEM)')
    .option('--insecure', 'take any certificate for the service’s');
}

/** The options that say how a run is reported. */
export function addReportOptions(command: Command): Command {
  return command
    .option(
      '--report <kind=file>',
      'write a report: json, junit, html, badge, github or har; may be given often',
      collectValues,
    )
    .option('--har <file>', 'write all requests and answers as an HTTP archive, as --report har=file does')
    .option('--waivers <file>', 'known failures, as YAML or JSON')
    .option('--baseline <file>', 'known failures that the tool keeps: written by the first run, less in each later one')
    .option('--compare <report.json>', 'say what is fixed, broken and new since an earlier report')
    .option('--verbose', 'show each failure, each clause and all that was observed, however long that is');
}

function collectLevels(value: string, before: readonly Level[] = []): Level[] {
  const level = LEVELS.find((one) => one === value);
  if (level === undefined) throw new InvalidArgumentError(`It must be one of ${LEVELS.join(', ')}.`);
  return [...before, level];
}
