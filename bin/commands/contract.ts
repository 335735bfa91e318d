import { Command } from 'commander';
import { contractTestCommand } from '@branchline/conformance';

/** `branchline contract`: what is done with a contract beside generating code from it. */
export function contractCommand(): Command {
  return new Command('contract')
    .description('Try implementations of any OpenAPI 3.0 or 3.1 contract, or of Swagger 2.0.')
    .addCommand(
      contractTestCommand(async (contract) => {
        const { deriveCases } = await import('@branchline/generator');
        return deriveCases(contract);
      }),
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ branchline contract test --spec petstore.yaml --base-url http://127.0.0.1:3000\n',
    );
}
