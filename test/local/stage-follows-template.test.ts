import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { type Stage, startStage } from '@media-jobs/local-stage';
import { clientOptions } from '@media-jobs/local-stage/emulators';
import type { Resource } from '@media-jobs/local-stage/testing';
import { renamedTemplate } from '@media-jobs/local-stage/testing';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aChangedTemplate } from '../builders/stage/changed-assembly.ts';

type Template = { Resources: Record<string, Resource & { Properties: Record<string, unknown> }> };

const echo = `exports.handler = async (event) => ({ status: 'superseded', event, environment: process.env })`;

let stage: Stage;

// The template of the service with all logical ids renamed, an additional route, another path in a state machine, another
// environment name, and two functions that return their input.
beforeAll(async () => {
  const assemblyDirectory = await aChangedTemplate((template) => {
    const copy = renamedTemplate(template);
    for (const name of ['media-jobs-local-not-found', 'media-jobs-local-deliver-webhook']) {
      const properties = functionOf(copy, name);
      properties.Code = { S3Bucket: 'assets', S3Key: 'echo.zip' };
      properties.Environment = { Variables: { STAGE_RENAMED: { Ref: 'AWS::Region' } } };
    }
    const [api] = ofType(copy, 'AWS::ApiGatewayV2::Api');
    const [, catchAll] =
      ofType(copy, 'AWS::ApiGatewayV2::Route').find(([, { RouteKey }]) => RouteKey === '$default') ?? [];
    copy.Resources.AddedRoute = {
      Type: 'AWS::ApiGatewayV2::Route',
      Properties: { ApiId: { Ref: api?.[0] }, RouteKey: 'PATCH /added/{name}', Target: catchAll?.Target },
    };
    const machine = ofType(copy, 'AWS::StepFunctions::StateMachine').find(
      ([, { StateMachineName }]) => StateMachineName === 'media-jobs-local-webhook-delivery',
    );
    const text = JSON.stringify(machine?.[1].DefinitionString);
    if (machine) machine[1].DefinitionString = JSON.parse(text.replace('waitSeconds', 'pauseSeconds'));
    Object.assign(template, copy);
  });
  await addAsset(assemblyDirectory, 'echo', echo);
  await edit<Template>(join(assemblyDirectory, 'stateful.template.json'), renamedTemplate);
  stage = await startStage({
    assemblyDirectory,
    dataDirectory: await aTemporaryFolder(),
    port: 0,
    log: () => undefined,
  });
});

afterAll(() => stage?.stop());

it('an added route is served', async () => {
  const response = await fetch(`${stage.baseUrl}/added/holiday`, { method: 'PATCH' });
  expect(await response.json()).toMatchObject({
    event: { routeKey: 'PATCH /added/{name}', pathParameters: { name: 'holiday' } },
  });
});

it('a changed environment variable reaches the function', async () => {
  const response = await fetch(`${stage.baseUrl}/nothing`);
  const { environment } = (await response.json()) as { environment: object };
  expect(environment).toMatchObject({ STAGE_RENAMED: 'us-east-1' });
  expect(environment).not.toHaveProperty('STAGE');
});

it('a changed definition changes the executions', async () => {
  const client = new SFNClient(clientOptions(stage.endpoints.sfn));
  const input = { ownerId: 'o', jobId: 'j', deliveryId: 'd', attempt: 2, notBefore: 0, pauseSeconds: 0 };
  const { executionArn } = await client.send(
    new StartExecutionCommand({
      stateMachineArn: stage.resources.stateMachines.find((arn) => arn.endsWith('-webhook-delivery')),
      input: JSON.stringify(input),
    }),
  );
  const output = await vi.waitUntil(
    async () => (await client.send(new DescribeExecutionCommand({ executionArn }))).output,
    { timeout: 20_000 },
  );
  expect(JSON.parse(output).event).toEqual(input);
});

it('the other routes still work with renamed logical ids', async () => {
  const response = await fetch(`${stage.baseUrl}/api/v1/jobs`);
  expect([response.status, await response.json()]).toMatchObject([401, { error: { code: 'UNAUTHORIZED' } }]);
});

function ofType(template: Template, type: string): [string, Record<string, unknown>][] {
  return Object.entries(template.Resources)
    .filter(([, { Type }]) => Type === type)
    .map(([id, { Properties }]) => [id, Properties]);
}

function functionOf(template: Template, name: string): Record<string, unknown> {
  const found = ofType(template, 'AWS::Lambda::Function').find(([, { FunctionName }]) => FunctionName === name);
  if (!found) throw new Error(`The template has no function ${name}.`);
  return found[1];
}

async function edit<T>(file: string, change: (content: T) => T): Promise<void> {
  await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))));
}

async function addAsset(assemblyDirectory: string, name: string, source: string): Promise<void> {
  await mkdir(join(assemblyDirectory, `asset.${name}`));
  await writeFile(join(assemblyDirectory, `asset.${name}`, 'index.js'), source);
  await edit<{ files: object }>(join(assemblyDirectory, 'service.assets.json'), (manifest) => ({
    ...manifest,
    files: {
      ...manifest.files,
      [name]: {
        source: { path: `asset.${name}`, packaging: 'zip' },
        destinations: { here: { bucketName: 'assets', objectKey: `${name}.zip` } },
      },
    },
  }));
}
