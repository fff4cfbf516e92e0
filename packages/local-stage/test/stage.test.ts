import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import { type Stage, type StageOptions, startStage } from '../src/stage.ts';
import { anAssembly } from './builders/an-assembly.ts';
import { aFunctionResource, anHttpApi, aRolePolicy } from './builders/resources.ts';

// Stores its event in the table and returns the stored items. Calls the emulators without an SDK.
const source = `
  const call = async (operation, body) => {
    const response = await fetch(process.env.AWS_ENDPOINT_URL_DYNAMODB, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.' + operation,
        'x-amz-date': '20260101T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID + '/, SignedHeaders=host, Signature=b',
        'x-amz-security-token': process.env.AWS_SESSION_TOKEN,
      },
      body: JSON.stringify({ TableName: process.env.TABLE_NAME, ...body }),
    });
    return { status: response.status, ...(await response.json()) };
  };
  exports.handler = async ({ put, get, hang, rawPath }) => {
    if (hang) await new Promise(() => {});
    if (put) return call('PutItem', { Item: { pk: { S: put } } });
    if (get) return call('GetItem', { Key: { pk: { S: get } } });
    return { rawPath, reachable: process.env.REACHABLE, undeclared: process.env.UNDECLARED };
  }`;

async function theAssembly(): Promise<string> {
  const resources = {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
    Fn: aFunctionResource('fn', {
      FunctionName: 'fn',
      Environment: { Variables: { TABLE_NAME: { Ref: 'Table' }, REACHABLE: '' } },
    }),
    ...anHttpApi({ $default: 'Fn' }),
    Policy: aRolePolicy([
      { Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: { 'Fn::GetAtt': ['Table', 'Arn'] } },
    ]),
  };
  return anAssembly({ functions: { fn: source }, stacks: { app: { resources } } });
}

async function aStage(changes: Partial<StageOptions> = {}): Promise<Stage> {
  const stage = await startStage({
    assemblyDirectory: await theAssembly(),
    dataDirectory: await aTemporaryFolder(),
    port: 0,
    log: () => undefined,
    ...changes,
  });
  afterUse(() => stage.stop());
  return stage;
}

async function payload(stage: Stage, event: unknown): Promise<unknown> {
  const result = await stage.invoke('fn', event);
  if (!result.ok) throw new Error(result.error.errorMessage);
  return JSON.parse(result.payload);
}

describe('a stage', () => {
  it('serves its API and lists its resources', async () => {
    const stage = await aStage();
    const response = await fetch(`${stage.baseUrl}/anything`);
    expect(await response.json()).toMatchObject({ rawPath: '/anything' });
    expect(stage.resources).toMatchObject({ tables: ['app-table'], functions: ['fn'] });
  });

  it('listens on the loopback interface only', async () => {
    const stage = await aStage();
    for (const url of [stage.baseUrl, ...Object.values(stage.endpoints)])
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('overrides a variable only for functions that have it', async () => {
    const stage = await aStage({ environment: () => ({ REACHABLE: '127.0.0.1:1', UNDECLARED: 'x' }) });
    expect(await payload(stage, {})).toEqual({ reachable: '127.0.0.1:1' });
  });

  it('preloads a module in every function', async () => {
    const preload = join(await aTemporaryFolder(), 'preload.cjs');
    await writeFile(preload, "process.env.UNDECLARED = 'by preload';");
    const stage = await aStage({ preload });
    expect(await payload(stage, {})).toMatchObject({ undeclared: 'by preload' });
  });

  it('counts the emulator calls of its functions', async () => {
    const stage = await aStage();
    stage.resetCalls();
    await payload(stage, { put: 'a' });
    await payload(stage, { get: 'a' });
    expect(stage.calls().dynamodb).toEqual({ PutItem: 1, GetItem: 1 });
  });

  it('keeps its data across a restart', async () => {
    const dataDirectory = await aTemporaryFolder();
    const before = await aStage({ dataDirectory });
    await payload(before, { put: 'kept' });
    await before.stop();
    const after = await aStage({ dataDirectory });
    expect(await payload(after, { get: 'kept' })).toMatchObject({ Item: { pk: { S: 'kept' } } });
  });

  it('locks its data directory', async () => {
    const dataDirectory = await aTemporaryFolder();
    await aStage({ dataDirectory });
    await expect(aStage({ dataDirectory })).rejects.toThrow('Another local stage uses the data directory');
  });

  it('that fails to start leaves nothing behind', async () => {
    const dataDirectory = await aTemporaryFolder();
    const resources = { Cache: { Type: 'AWS::ElastiCache::CacheCluster' } };
    const assemblyDirectory = await anAssembly({ stacks: { app: { resources } } });
    await expect(aStage({ assemblyDirectory, dataDirectory })).rejects.toThrow('resource Cache');
    await expect(aStage({ dataDirectory })).resolves.toBeDefined();
  });
});

it('a stopping stage ends running functions and closes every port', async () => {
  const stage = await aStage();
  const hanging = stage.invoke('fn', { hang: true });
  await payload(stage, {});
  await stage.stop();
  expect(await hanging).toMatchObject({ ok: false });
  for (const url of [stage.baseUrl, ...Object.values(stage.endpoints)]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const [error] = await once(socket, 'error').catch((cause) => [cause]);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  }
  await expect(stage.invoke('fn', {})).rejects.toThrow('the stage has stopped');
});

describe('a fault', () => {
  it('killSandboxes kills busy sandboxes, and the next invocation gets a new one', async () => {
    const stage = await aStage();
    await payload(stage, {});
    const hanging = stage.invoke('fn', { hang: true });
    await stage.faults.killSandboxes('fn');
    expect(await hanging).toMatchObject({ ok: false, error: { errorType: 'Runtime.ExitError' } });
    expect(await payload(stage, {})).toMatchObject({ reachable: '' });
  });

  it('a fault makes an emulator fail until it ends', async () => {
    const stage = await aStage();
    const end = stage.faults.fail({ service: 'dynamodb', operation: 'PutItem', kind: 'error' });
    expect(await payload(stage, { put: 'a' })).toMatchObject({ status: 500 });
    end();
    expect(await payload(stage, { put: 'a' })).toMatchObject({ status: 200 });
  });
});
