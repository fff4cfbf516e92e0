// @module-tag requests
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { root } from '../../lib/build/paths.ts';
import { judges } from '../builders/judges.ts';
import { aStageWithTenants } from '../builders/stage/tenants.ts';

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];

/** They end what the other requests need: the owner itself. */
const excluded = ['/api/v1/owner'];

const python = await judges();

it.skipIf(python === undefined).each([
  ['key', 'examples,fuzzing'],
  ['token', 'examples,coverage'],
] as const)(
  'schemathesis finds no answer that the API document does not describe, with a %s: %s',
  async (credential, phases) => {
    const world = await aStageWithTenants();
    const options = [
      ...['--url', world.stage.baseUrl, '--header', `Authorization: Bearer ${world.alice[credential]}`],
      ...['--checks', checks.join(','), '--phases', phases],
      ...['--max-examples', '5', '--seed', '1', '--continue-on-failure', '--no-color'],
      ...excluded.flatMap((each) => ['--exclude-path', each]),
    ];
    const program = 'from schemathesis.cli import schemathesis; schemathesis()';
    const command = ['-c', program, 'run', path.join(root, 'docs/openapi.json'), ...options];
    const run = promisify(execFile)(String(python), command, { cwd: await aTemporaryFolder(), maxBuffer: 1e8 });
    const { stdout } = await run.catch(({ stdout: found, stderr }) => expect.fail(`${found.slice(-10_000)}${stderr}`));
    console.log(stdout.slice(stdout.lastIndexOf('SUMMARY')));
    expect(stdout).toContain(`Tested: ${contracts.length - excluded.length}`);
  },
  900_000,
);
