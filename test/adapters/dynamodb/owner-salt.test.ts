import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { ownerSalt } from '../../../adapters/dynamodb/owner-salt.ts';
import { toItem } from '../../../adapters/dynamodb/table.ts';
import { ownerSaltKey } from '../../../adapters/dynamodb/table-keys.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const table = await aDynaliteTable();

it('the salt of a stage is the first that a function stores, read once by each', async () => {
  const { client, tableName } = table;
  const saltOf = (byte: number) => ownerSalt(client, tableName, (size) => Buffer.alloc(size, byte));
  const functions = [1, 2, 3].map(saltOf);
  const [salt = '', ...others] = await Promise.all(functions.map((read) => read()));
  expect(Buffer.from(salt, 'base64')).toHaveLength(32);
  expect(others).toEqual([salt, salt]);
  const replace = { UpdateExpression: 'SET salt = :salt', ExpressionAttributeValues: toItem({ ':salt': 'x' }) };
  await client.send(new UpdateItemCommand({ TableName: tableName, Key: toItem(ownerSaltKey), ...replace }));
  expect(await functions[0]?.()).toBe(salt);
});

it('a failed read is repeated at the next session', async () => {
  const { client, tableName } = table;
  let isDown = true;
  const send = (command: UpdateItemCommand) => (isDown ? Promise.reject(new Error('down')) : client.send(command));
  const read = ownerSalt({ send } as typeof client, tableName, (size) => Buffer.alloc(size));
  await expect(read()).rejects.toThrow('down');
  isDown = false;
  expect(await read()).not.toBe('');
});
