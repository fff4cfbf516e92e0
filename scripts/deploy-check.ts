import { judge } from '../conformance/judge.ts';
import { readOptions, usageOf } from '../conformance/options.ts';
import { suite } from '../conformance/suite.ts';
import { deployment } from './deploy-check/deployment.ts';

const usage = usageOf({
  command: 'deploy:check',
  does: 'Checks a deployed stage from outside: that its API is that of this version, and keeps every sentence of the specification.',
});

const args = process.argv.slice(2);
try {
  const clauses = [...deployment, ...suite];
  if (args.includes('--help')) console.log(usage);
  else process.exitCode = await judge(clauses, readOptions({ args, variables: process.env, usage }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
