import { checkStage } from './check-stage.ts';
import { formatUsage, readOptions } from './options.ts';
import { suite } from './suite.ts';

const usage = formatUsage({
  command: 'conformance',
  does: 'Holds a running stage to every sentence of its specification, from outside, by HTTP alone.',
});

const args = process.argv.slice(2);
try {
  if (args.includes('--help')) console.log(usage);
  else process.exitCode = await checkStage(suite, readOptions({ args, variables: process.env, usage }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
