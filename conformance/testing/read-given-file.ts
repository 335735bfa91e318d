import { readGivenFile } from '../given-file.ts';

const [, , path = ''] = process.argv;
process.stdout.write(readGivenFile(path, '--account-file'));
